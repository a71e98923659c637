import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { eventsIn, isStream, textIn } from './bodies.js';
import { type RecordingDifference, responseDifferences, type Rules } from './compare.js';
import { renamed } from './ids.js';

/** The body of a response: a value for JSON and streams, else bytes. */
export interface WireBody {
  readonly kind: 'json' | 'stream' | 'bytes';
  /** The parsed value of the body; undefined for bytes. */
  readonly value: Json | undefined;
  readonly bytes: Buffer;
  readonly type: string | undefined;
}

/** Number of bytes that are shown around a difference. */
const SHOWN_BYTES = 24;

/** Parses the body of a response. @param most maximum number of compared events */
export function bodyOf(type: string | undefined, bytes: Buffer, most = Infinity): WireBody {
  if (isStream(type)) {
    const events = eventsIn(bytes.toString()).slice(0, most);
    return { kind: 'stream', value: { events: events as unknown as Json }, bytes, type };
  }
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString()) as Json, bytes, type };
  } catch {
    return { kind: 'bytes', value: undefined, bytes, type };
  }
}

/**
 * Reads the bytes of a response. A stream is read until it ends, has the given number of events, or is aborted.
 * @param most number of events after which reading ends
 */
export async function bytesOf(response: Response, most: number): Promise<Buffer> {
  if (!isStream(response.headers.get('content-type') ?? undefined)) return Buffer.from(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk as Uint8Array);
      if (most < Infinity && eventsIn(Buffer.concat(chunks).toString()).length >= most) break;
    }
  } catch (error) {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
  }
  return Buffer.concat(chunks);
}

/** Yields the differences of two bodies: JSON by member, streams by event, others byte for byte. */
export function* bodyDifferences(recorded: WireBody, ours: WireBody, rules: Rules): Iterable<RecordingDifference> {
  if (recorded.kind !== 'json') {
    const [wanted, got] = [recorded, ours].map(({ type }) => (type ?? '').split(';')[0].trim().toLowerCase());
    if (wanted !== '' && wanted !== got)
      yield { path: 'header content-type', recorded: wanted, ours: got || 'absent', expected: null, kind: 'value' };
  }
  if (recorded.kind === 'stream' && ours.kind === 'stream') {
    yield* streamDifferences(eventsOf(recorded), eventsOf(ours), rules);
    return;
  }
  if (recorded.kind === 'json' && ours.kind === 'json') {
    yield* responseDifferences(recorded.value ?? null, ours.value ?? null, rules);
    return;
  }
  const wanted = textIn(recorded.bytes);
  const bytes = wanted === undefined ? recorded.bytes : Buffer.from(renamed(wanted, rules.ids));
  if (bytes.equals(ours.bytes)) return;
  let at = 0;
  while (at < bytes.length && bytes[at] === ours.bytes[at]) at++;
  const shown = (all: Buffer): string => {
    if (at >= all.length) return `the end, after ${all.length} bytes`;
    const from = all.subarray(at, at + SHOWN_BYTES);
    return `${textIn(all) === undefined ? from.toString('hex') : JSON.stringify(from.toString())} at byte ${at} of ${all.length}`;
  };
  yield { path: 'body', recorded: shown(bytes), ours: shown(ours.bytes), expected: null, kind: 'value' };
}

function eventsOf({ value }: WireBody): readonly Json[] {
  const events = isObject(value ?? null) ? (value as JsonObject)['events'] : [];
  return Array.isArray(events) ? (events as readonly Json[]) : [];
}

function* streamDifferences(
  recorded: readonly Json[],
  ours: readonly Json[],
  rules: Rules,
): Iterable<RecordingDifference> {
  for (const [at, event] of recorded.entries())
    if (at < ours.length) yield* responseDifferences(event, ours[at], rules, `events.${at}`);
  if (recorded.length !== ours.length) {
    const counted = (all: readonly Json[]): string => `${all.length} events`;
    yield { path: 'events', recorded: counted(recorded), ours: counted(ours), expected: null, kind: 'value' };
  }
}
