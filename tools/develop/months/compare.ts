import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../engine/values/index.js';
import type { RecordedMessage, Played } from './play.js';

/** The first difference between two builds in a story. Later ones may follow from it and aren't compared. */
interface Divergence {
  /** Number of the call, from 0. */
  readonly number: number;
  /** The call, or the event types whose deliveries differ. */
  readonly line: string;
  readonly places: readonly MessageDifference[];
}

/** A difference between the messages of two builds. */
interface MessageDifference {
  readonly place: string;
  readonly before: unknown;
  readonly now: unknown;
}

/** Compares a story byte for byte; null if it is equal. */
export function compareStories(before: readonly Played[], now: readonly Played[]): Divergence | null {
  for (const [number, old] of before.entries()) {
    const fresh = now[number];
    const places = placesOf(old.response, fresh.response);
    for (let at = 0; at < Math.max(old.deliveries.length, fresh.deliveries.length); at++)
      places.push(...deliveryPlaces(old.deliveries.at(at), fresh.deliveries.at(at)));
    if (places.length > 0) return { number, line: old.response.line, places };
  }
  return null;
}

function deliveryPlaces(before: RecordedMessage | undefined, now: RecordedMessage | undefined): MessageDifference[] {
  const kind = `delivery ${kindOf(before ?? now)}`;
  if (!before || !now) return [{ place: kind, before: before?.body, now: now?.body }];
  return placesOf(before, now).map((each) => ({ ...each, place: `${kind}: ${each.place}` }));
}

function placesOf(before: RecordedMessage, now: RecordedMessage): MessageDifference[] {
  const places: MessageDifference[] = [];
  if (before.line !== now.line) places.push({ place: 'receiver', before: before.line, now: now.line });
  if (before.status !== now.status) places.push({ place: 'status', before: before.status, now: now.status });
  if (before.headers !== now.headers) {
    const [old, fresh] = [before, now].map(
      ({ headers }) => new Map(headers.split('\n').map((line) => [line.split(':', 1)[0], line])),
    );
    for (const name of new Set([...old.keys(), ...fresh.keys()]))
      if (old.get(name) !== fresh.get(name))
        places.push({ place: `header ${name}`, before: old.get(name), now: fresh.get(name) });
  }
  if (before.body !== now.body) places.push(...bodyPlaces(before.body, now.body));
  return places;
}

function bodyPlaces(before: string, now: string): MessageDifference[] {
  const [old, fresh] = [before, now].map(parsed);
  if (old === undefined || fresh === undefined) return [{ place: 'body', before, now }];
  const places = [...valuePlaces('', old, fresh)];
  return places.length > 0 ? places : [{ place: 'order of keys', before, now }];
}

function* valuePlaces(place: string, before: unknown, now: unknown): Iterable<MessageDifference> {
  if (isDeepStrictEqual(before, now)) return;
  if (Array.isArray(before) && Array.isArray(now)) {
    if (before.length !== now.length) yield { place: `${place} (length)`, before: before.length, now: now.length };
    else for (const [at, each] of before.entries()) yield* valuePlaces(`${place}[]`, each, now[at]);
  } else if (isRecord(before) && isRecord(now)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(now)]))
      yield* valuePlaces(`${place}.${withoutIds(key)}`, before[key], now[key]);
  } else yield { place, before, now };
}

/** The type of a delivery's event. */
function kindOf(message: RecordedMessage | undefined): string {
  return String((parsed(message?.body ?? '') as { readonly type?: unknown } | undefined)?.type ?? message?.line);
}

/** Replaces a key that is an id with `*`. */
const withoutIds = (key: string): string => key.replace(/^(?:[a-z]+_)+(?=\w*[0-9A-Z])\w{6,}$/, '*');

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
