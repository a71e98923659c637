import { createHash } from 'node:crypto';
import { withOrigin } from '../../expression/index.js';
import type { OperationResponse, Engine } from '../../runtime/index.js';
import { byteCount, bytesOfText, type BytesPiece, type BytesSlice, slicesOf } from '../../values/index.js';
import { andThen, type OperationVisit, type Stage } from '../visit.js';

/** A request for more ranges gets the whole body. */
const MOST_RANGES = 20;

/**
 * Returns the requested ranges of a body (RFC 9110, 14): a single range unchanged, several as `multipart/byteranges`. Null: no
 * operation of the pack supports ranges.
 */
export function range(engine: Engine): Stage | null {
  if (!engine.pack.operations.some(({ content }) => content?.variants.some(({ ranges }) => ranges !== false)))
    return null;
  return (visit, next) => {
    const { method } = visit.req;
    if (method !== 'GET' && method !== 'HEAD') return next(visit);
    return andThen(next(visit), (response) =>
      (response.content?.ranges ?? false) !== false && response.status === 200
        ? inPart(engine, visit, response)
        : response,
    );
  };
}

function inPart(
  engine: Engine,
  { req, headers, request }: OperationVisit,
  response: OperationResponse,
): OperationResponse {
  headers.push('Accept-Ranges', 'bytes');
  if (req.headers.range === undefined || req.method === 'HEAD') return response;
  if (!isSame(req.get('if-range'), [...Object.values(response.headers), ...headers])) return response;
  const { body = '', content } = response;
  const pieces =
    content?.binary === true
      ? bytesOfText(body, engine.runtime.surroundings.files)
      : [Buffer.from(withOrigin(body, engine.runtime.reader.baseUrl))];
  const size = byteCount(pieces);
  const ranges = req.range(size, { combine: true });
  if (ranges === -1) {
    headers.push('Content-Range', `bytes */${size}`);
    return engine.error('range_not_satisfiable', { size }, request);
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes') return response;
  const most = content?.ranges === 'several' ? MOST_RANGES : 1;
  if (ranges.length > most) return response;
  if (ranges.length > 1) return inParts(response, pieces, ranges);
  const [{ start, end }] = ranges;
  headers.push('Content-Range', `bytes ${start}-${end}/${size}`);
  return { ...response, status: 206, slices: slicesOf(pieces, start, end + 1) };
}

/** Returns several ranges of a body as `multipart/byteranges` (RFC 9110, 14.6). */
function inParts(
  response: OperationResponse,
  pieces: readonly BytesPiece[],
  ranges: readonly { readonly start: number; readonly end: number }[],
): OperationResponse {
  const size = byteCount(pieces);
  const type = response.headers['Content-Type'] ?? response.content?.type ?? 'application/octet-stream';
  // The boundary is derived from the ranges, so that equal requests get equal bytes.
  const asked = ranges.map(({ start, end }) => `${start}-${end}`).join();
  const boundary = createHash('sha256').update(`${response.body} ${asked}`).digest('hex').slice(0, 24);
  const slices = ranges.flatMap(({ start, end }, at): BytesSlice[] => {
    const head = `${at === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: bytes ${start}-${end}/${size}\r\n\r\n`;
    return [Buffer.from(head), ...slicesOf(pieces, start, end + 1)];
  });
  const headers = { ...response.headers, 'Content-Type': `multipart/byteranges; boundary=${boundary}` };
  return { ...response, status: 206, headers, slices: [...slices, Buffer.from(`\r\n--${boundary}--\r\n`)] };
}

/** Whether the body is still the one in an `If-Range` condition, by tag or date (RFC 9110, 13.1.5). */
function isSame(known: string | undefined, values: readonly string[]): boolean {
  return known === undefined || values.includes(known);
}
