import { createHash } from 'node:crypto';
import { type Answer, type Engine, EVENT_STREAM } from '../../runtime/index.js';
import { andThen, type OperationVisit, type Stage } from '../visit.js';

/** Tags what is read; a caller that has it already gets no body. Null: the pack tags nothing. */
export function etag(engine: Engine): Stage | null {
  const kind = engine.model.settings.etag;
  if (kind === null) return null;
  return (visit, next) =>
    visit.req.method === 'GET' ? andThen(next(visit), (response) => tagged(visit, response, kind)) : next(visit);
}

function tagged(visit: OperationVisit, response: Answer, kind: 'strong' | 'weak'): Answer {
  if (response.status !== 200 || response.error !== null || response.content?.type === EVENT_STREAM.type)
    return response;
  const digest = createHash('sha1')
    .update(response.body ?? '')
    .digest('base64url');
  const tag = `${kind === 'weak' ? 'W/' : ''}"${digest}"`;
  visit.headers.push('ETag', tag);
  return isKnown(visit.req.headers['if-none-match'], tag) ? { ...response, status: 304, body: undefined } : response;
}

/** Whether a caller has a body already: `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
function isKnown(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  const plain = (text: string): string => text.trim().replace(/^W\//, '');
  return given.split(',').some((each) => each.trim() === '*' || plain(each) === plain(tag));
}
