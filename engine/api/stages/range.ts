import { withOrigin } from '../../expression/index.js';
import type { OperationResponse, Engine } from '../../runtime/index.js';
import { andThen, type OperationVisit, type Stage } from '../visit.js';

/**
 * Returns a part of a body where the caller asks for one (RFC 9110, 14): of several ranges at once it gets the whole body. Null: no
 * body of the pack comes in parts.
 */
export function range(engine: Engine): Stage | null {
  if (!engine.pack.operations.some(({ content }) => content?.variants.some(({ ranges }) => ranges))) return null;
  return (visit, next) => {
    if (visit.req.method !== 'GET') return next(visit);
    return andThen(next(visit), (response) =>
      response.content?.ranges === true && response.status === 200 ? inPart(engine, visit, response) : response,
    );
  };
}

function inPart(
  engine: Engine,
  { req, headers, request }: OperationVisit,
  response: OperationResponse,
): OperationResponse {
  headers.push('Accept-Ranges', 'bytes');
  if (!isSame(req.get('if-range'), [...Object.values(response.headers), ...headers])) return response;
  const { body = '', content } = response;
  const isBinary = content?.binary === true;
  const bytes = isBinary ? Buffer.from(body, 'base64') : Buffer.from(withOrigin(body, engine.runtime.reader.baseUrl));
  const ranges = req.range(bytes.length);
  if (ranges === -1) {
    headers.push('Content-Range', `bytes */${bytes.length}`);
    return engine.error('range_not_satisfiable', { size: bytes.length }, request);
  }
  if (content === null || ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1)
    return response;
  const [{ start, end }] = ranges;
  headers.push('Content-Range', `bytes ${start}-${end}/${bytes.length}`);
  const part = bytes.subarray(start, end + 1).toString('base64');
  return { ...response, status: 206, body: part, content: { ...content, binary: true } };
}

/** Whether the body is still the one of which a caller has a part: it names its tag or its date (RFC 9110, 13.1.5). */
function isSame(known: string | undefined, values: readonly string[]): boolean {
  return known === undefined || values.includes(known);
}
