import type { Json, JsonObject } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import { type StoredEntry, type Trace, writeInstant } from '../world/index.js';
import { whoDid } from './ledger-position.js';
import { packInstant } from './lookup.js';
import type { PastEffects } from './replayed-effects.js';

/** Maximum number of changes, of transitions and of events in the message of one entry. */
export const MOST_REPORTED = 20;

/** A ledger entry, as streams and lists show it. */
export function entryMessage(
  engine: Engine,
  entry: StoredEntry,
  effects?: PastEffects,
): Record<string, Json | undefined> {
  const { args, ...who } = whoDid(engine, entry);
  return {
    ...who,
    args: entry.origin === 'call' ? undefined : shortened(args),
    changes: entry.changes.slice(0, MOST_REPORTED).map((change) => changeOf(engine, change)),
    changes_total: entry.changes.length,
    transitions: effects?.transitions.slice(0, MOST_REPORTED) ?? [],
    events: effects?.events.slice(0, MOST_REPORTED) ?? [],
    events_total: effects?.events.length ?? 0,
  };
}

/** A vendor API call, as streams and lists show it. */
export function callMessage({ id, request, ...trace }: Trace): JsonObject {
  const { operation, outcome, status, error, fault, scenario, magic_values, replayed, at, entry, duration_ms } = trace;
  return {
    trace: id,
    request: { ...request },
    operation,
    outcome,
    status,
    error,
    fault,
    scenario,
    magic_values,
    replayed,
    transitions: trace.transitions.slice(0, MOST_REPORTED).map((each) => ({ ...each })),
    events: trace.events.slice(0, MOST_REPORTED).map((each) => ({ ...each })),
    at,
    entry,
    duration_ms,
    ...realTimeOf(trace),
  };
}

/** The real time of the call's response. */
export function realTimeOf({ real_time_s: seconds }: Pick<Trace, 'real_time_s'>): { readonly real_time?: string } {
  return seconds === undefined ? {} : { real_time: String(writeInstant('iso8601_seconds', seconds * 1000)) };
}

function changeOf(engine: Engine, change: StoredEntry['changes'][number]): JsonObject {
  switch (change.op) {
    case 'put':
    case 'delete':
      return { op: change.op, collection: change.collection, id: change.id, ...ownerOf(change) };
    case 'arm':
      return { op: 'arm', collection: change.collection, id: change.id, due: packInstant(engine, change.due) };
    case 'disarm':
      return { op: 'disarm', collection: change.collection, id: change.id };
    case 'set':
      return { op: 'set', register: change.register, key: change.key };
    case 'clock':
      return { op: 'clock', now: packInstant(engine, change.now) };
    case 'reset':
      return { op: 'reset' };
    case 'pack':
      return { op: 'pack', pack: change.pack };
  }
}

/** Returns the arguments of a command; null if they are long. */
function shortened(args: Json): Json {
  return JSON.stringify(args).length > 2_000 ? null : args;
}

/** The tenant of a changed object, if it has one. */
function ownerOf({ tenant }: { readonly tenant?: string }): { readonly tenant?: string } {
  return tenant === undefined ? {} : { tenant };
}
