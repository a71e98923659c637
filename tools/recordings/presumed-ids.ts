import type { Operation } from '../../engine/program/index.js';
import { isObject, type Json } from '../../engine/values/index.js';
import { decodedPart, ID, type RecordedIds } from './ids.js';
import type { Recorded } from './read.js';

/** Whether a call's response depends on objects from before the recording. A call for a missing object doesn't, since it is missing here too. */
export function presumesMore(
  call: Recorded,
  operation: Operation,
  ids: RecordedIds,
  sent: ReadonlySet<string>,
): boolean {
  const target = `${decodeURIComponent(call.url.pathname)} ${decodedPart(call.url.search)} ${decodedPart(call.body)}`;
  const unknown = [...unknownIds(target, ids), ...unknownIdsIn(call.url.pathname, operation, ids, sent)];
  return unknown.some((id) => call.status < 400 || !call.text.includes(`: '${id}'`));
}

/** Finds ids in a path that no earlier call or response contained. */
function unknownIdsIn(path: string, { routes }: Operation, ids: RecordedIds, sent: ReadonlySet<string>): string[] {
  const parts = path.split('/').map(decodedPart);
  return routes.flatMap((route) => {
    const names = route.path.split('/');
    if (names.length !== parts.length) return [];
    return parts.filter(
      (part, at) =>
        names[at].startsWith('{') && !ids.includes(part, parts[at - 1] ?? '') && !sent.has(part) && !TEST_ID.test(part),
    );
  });
}

/** Matches ids that every account has. */
const TEST_ID = /^(?:pm|tok|btok|ba|src)_[a-z]\w*$|^[a-z_]+$/i;

/** Finds ids in a text that no call in this recording created. */
function unknownIds(text: string, ids: ReadonlyMap<string, string>): string[] {
  const found = text.match(/\b[a-z]{2,}(?:_[a-z]{2,})*_[0-9A-Za-z]{14,}(?:_secret_\w+)?/g) ?? [];
  return found.filter((id) => ID.test(id) && !ids.has(id) && /[\dA-Z]/.test(id));
}

/** Whether an error reports a missing object that existed before the recording. */
export function isMissing(body: Json, ids: RecordedIds): boolean {
  const error = isObject(body) ? body['error'] : null;
  if (!isObject(error) || error['code'] !== 'resource_missing' || typeof error['message'] !== 'string') return false;
  const [, id] = /'([^']+)'/.exec(error['message']) ?? [];
  return id !== undefined && !ids.names.has(id);
}
