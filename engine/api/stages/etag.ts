import { createHash } from 'node:crypto';
import { type OperationResponse, type Engine, EVENT_STREAM } from '../../runtime/index.js';
import { andThen, type OperationVisit, type Stage } from '../visit.js';

/**
 * Tags what is read and has no tag of its own, and compares it with what the caller names (RFC 9110, 13): one that has it already
 * gets no body, one that is for another state gets an error. Null: nothing of the pack has a tag.
 */
export function etag(engine: Engine): Stage | null {
  const kind = engine.model.settings.etag;
  const isTagged = engine.pack.operations.some(
    ({ tag, content }) => tag !== null || content?.variants.some(({ ranges }) => ranges !== false),
  );
  if (kind === null && !isTagged) return null;
  return (visit, next) => {
    const { method } = visit.req;
    if (method !== 'GET' && method !== 'HEAD') return next(visit);
    return andThen(next(visit), (response) => tagged(engine, visit, response, kind));
  };
}

function tagged(
  engine: Engine,
  visit: OperationVisit,
  response: OperationResponse,
  kind: 'strong' | 'weak' | null,
): OperationResponse {
  if (response.status !== 200 || response.error !== null || response.content?.type === EVENT_STREAM.type)
    return response;
  const own = response.headers['ETag'];
  const modified = response.headers['Last-Modified'];
  if (own === undefined && kind === null && modified === undefined) return response;
  const tag = own ?? (kind === null ? undefined : digestOf(response, kind));
  if (own === undefined && tag !== undefined) visit.headers.push('ETag', tag);
  const { headers } = visit.req;
  const match = headers['if-match'];
  const isWanted =
    match === undefined ? !isNewer(headers['if-unmodified-since'], modified) : tag !== undefined && names(match, tag);
  if (!isWanted) return engine.error('precondition_failed', {}, visit.request);
  const none = headers['if-none-match'];
  const isSame =
    none === undefined
      ? isUnchanged(headers['if-modified-since'], modified)
      : tag !== undefined && names(plain(none), plain(tag));
  return isSame ? { ...response, status: 304, body: undefined } : response;
}

function digestOf({ body = '' }: OperationResponse, kind: 'strong' | 'weak'): string {
  return `${kind === 'weak' ? 'W/' : ''}"${createHash('sha1').update(body).digest('base64url')}"`;
}

/** Whether nothing changed since a date that a caller names (RFC 9110, 13.1.3). */
function isUnchanged(since: string | undefined, modified: string | undefined): boolean {
  return since !== undefined && modified !== undefined && Date.parse(modified) <= Date.parse(since);
}

/** Whether something changed since a date that a caller names (RFC 9110, 13.1.4). A date that can't be read is no condition. */
function isNewer(since: string | undefined, modified: string | undefined): boolean {
  return since !== undefined && modified !== undefined && Date.parse(modified) > Date.parse(since);
}

/** Whether a list of tags has one. */
function names(given: string, tag: string): boolean {
  return given.split(',').some((each) => each.trim() === '*' || each.trim() === tag);
}

/** Tags as `If-None-Match` compares them: weakly (RFC 9110, 13.1.2). */
function plain(tags: string): string {
  return tags.replaceAll(/(^|[\s,])W\//g, '$1');
}
