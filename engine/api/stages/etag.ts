import { createHash } from 'node:crypto';
import { type OperationResponse, type Engine, EVENT_STREAM } from '../../runtime/index.js';
import { andThen, type OperationVisit, type Stage } from '../visit.js';

/**
 * Adds an entity tag to responses of reads without their own, and evaluates conditions (RFC 9110, 13): an unchanged response
 * gets no body, a condition on another state gets an error. Null: the pack has no tags.
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

/** Whether nothing changed since a date in a condition (RFC 9110, 13.1.3). */
function isUnchanged(since: string | undefined, modified: string | undefined): boolean {
  return since !== undefined && modified !== undefined && Date.parse(modified) <= Date.parse(since);
}

/** Whether something changed since a date in a condition (RFC 9110, 13.1.4). Invalid dates are ignored. */
function isNewer(since: string | undefined, modified: string | undefined): boolean {
  return since !== undefined && modified !== undefined && Date.parse(modified) > Date.parse(since);
}

/** Whether a header's list of tags contains a tag, or `*`. */
function names(given: string, tag: string): boolean {
  return given.split(',').some((each) => each.trim() === '*' || each.trim() === tag);
}

/** Removes `W/` before tags, for the weak comparison of `If-None-Match` (RFC 9110, 13.1.2). */
function plain(tags: string): string {
  return tags.replaceAll(/(^|[\s,])W\//g, '$1');
}
