import type { Engine } from '../runtime/index.js';
import type { KeptCall, StoredEntry, Trace } from '../world/index.js';

/** Limit of changes of an entry whose ids a search of the timeline finds. */
const SEARCHED = 200;

/** A row of the timeline: a call with its entries, a change from outside, or a whole advance of the clock. */
export type Happening =
  | {
      readonly kind: 'call';
      readonly key: string;
      readonly n: number;
      readonly call: KeptCall;
      readonly made: StoredEntry[];
    }
  | { readonly kind: EntryKind; readonly key: string; n: number; readonly entries: StoredEntry[] };

/** The origin of entries in the timeline. */
type EntryKind = 'clock' | 'cause' | 'control';

/** Returns the rows of the timeline up to an entry, oldest first. O(stored entries and calls). */
export function happeningsOf({ world }: Engine, until = Infinity): Happening[] {
  const calls = world.traces.calls().filter(({ entry }) => entry <= until);
  const made = new Map<string, StoredEntry[]>();
  const found: Happening[] = [];
  let next = 0;
  const callsUntil = (n: number): void => {
    for (; next < calls.length && calls[next].entry <= n; next++) {
      const call = calls[next];
      const own: StoredEntry[] = [];
      made.set(call.id, own);
      found.push({ kind: 'call', key: call.id, n: call.entry, call, made: own });
    }
  };
  const entries = world.ledger.since(0, Math.min(until, world.ledger.count));
  for (const entry of entries) {
    const { n, trace, origin } = entry;
    callsUntil(n - 1);
    if (trace !== null && origin !== 'clock') continue;
    const last = found.at(-1);
    if (origin === 'clock' && last?.kind === 'clock') {
      last.entries.push(entry);
      last.n = n;
    } else found.push({ kind: kindOf(entry), key: String(n), n, entries: [entry] });
  }
  callsUntil(Infinity);
  for (const entry of entries) if (entry.trace !== null && entry.origin !== 'clock') made.get(entry.trace)?.push(entry);
  return found;
}

function kindOf({ origin, command }: StoredEntry): EntryKind {
  if (command === 'reset') return 'control';
  return origin === 'clock' || origin === 'cause' ? origin : 'control';
}

/** Whether a row of the timeline is a call that failed. */
export function isFailure(happening: Happening): boolean {
  return happening.kind === 'call' && (happening.call.status >= 400 || happening.call.status === 0);
}

/** Returns the text that a search of the timeline looks through, in lower case. */
export function wordsOf(happening: Happening): string {
  const words =
    happening.kind === 'call'
      ? [...ofCall(happening.call.trace), ...happening.made.flatMap(ofEntry)]
      : [happening.kind, ...happening.entries.flatMap((entry) => [entry.command, ...ofEntry(entry)])];
  return words.join(' ').toLowerCase();
}

function ofCall({ id, request, operation, status, error, outcome, fault, scenario, ...trace }: Trace): string[] {
  const own = [
    id,
    request.id,
    request.method,
    request.path,
    `status:${status}`,
    operation,
    error,
    outcome,
    fault,
    scenario,
  ];
  return [
    'call',
    ...own.flatMap((each) => each ?? []),
    ...trace.magic_values,
    ...trace.transitions.flatMap((each) => [each.id, each.from, each.to, each.trigger]),
    ...trace.events.flatMap((each) => [each.type, each.id]),
  ];
}

/** Ids of changed objects, and their first-level values, such as names of events. */
function ofEntry({ changes }: StoredEntry): string[] {
  return changes.slice(0, SEARCHED).flatMap((change) => {
    if (change.op === 'put')
      return [change.id, ...Object.values(change.value).filter((value) => typeof value === 'string')];
    return change.op === 'delete' ? [change.id] : [];
  });
}
