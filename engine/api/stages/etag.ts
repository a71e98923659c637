import { createHash } from 'node:crypto';
import { type OperationResponse, type Engine, EVENT_STREAM } from '../../runtime/index.js';
import { andThen, type OperationVisit, type Stage } from '../visit.js';

/** Tags what is read and has no tag of its own; a caller that has it already gets no body. Null: the pack tags nothing. */
export function etag(engine: Engine): Stage | null {
  const kind = engine.model.settings.etag;
  if (kind === null && engine.pack.operations.every(({ tag }) => tag === null)) return null;
  return (visit, next) =>
    visit.req.method === 'GET' ? andThen(next(visit), (response) => tagged(visit, response, kind)) : next(visit);
}

function tagged(visit: OperationVisit, response: OperationResponse, kind: 'strong' | 'weak' | null): OperationResponse {
  if (response.status !== 200 || response.error !== null || response.content?.type === EVENT_STREAM.type)
    return response;
  const own = response.headers['ETag'];
  if (own === undefined && kind === null) return response;
  const tag = own ?? digestOf(response, kind);
  if (own === undefined) visit.headers.push('ETag', tag);
  const { 'if-none-match': given, 'if-modified-since': since } = visit.req.headers;
  const isSame = given === undefined ? isUnchanged(since, response.headers['Last-Modified']) : isKnown(given, tag);
  return isSame ? { ...response, status: 304, body: undefined } : response;
}

function digestOf({ body = '' }: OperationResponse, kind: 'strong' | 'weak' | null): string {
  return `${kind === 'weak' ? 'W/' : ''}"${createHash('sha1').update(body).digest('base64url')}"`;
}

/** Whether nothing changed since a date that a caller names (RFC 9110, 13.1.3). */
function isUnchanged(since: string | undefined, modified: string | undefined): boolean {
  return since !== undefined && modified !== undefined && Date.parse(modified) <= Date.parse(since);
}

/** Whether a caller has a body already: `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
function isKnown(given: string, tag: string): boolean {
  const plain = (text: string): string => text.trim().replace(/^W\//, '');
  return given.split(',').some((each) => each.trim() === '*' || plain(each) === plain(tag));
}
