import { LIMITS } from '../limits.js';
import type { Json } from '../values/index.js';
import type { StoredWorld, Trace, World } from '../world/index.js';
import { CauseRejected } from './world-events.js';

/** The ledger's command name for a timer whose steps failed. */
export const TIMER_FAILED = 'timer failed';

/** A timer whose steps failed or were rejected; the engine rolled back their changes and removed the timer. */
export interface TimerFailure {
  /** Id of the object whose timer failed. */
  readonly object: string;
  readonly collection: string;
  readonly timer: string;
  /** Simulated time at which the timer was due, in the pack's format. */
  readonly at: Json;
  readonly error: { readonly code: string; readonly message: string };
}

/** Converts what a timer's steps threw to an error of the pack, or a defect. */
export function reasonOf(error: unknown): TimerFailure['error'] {
  if (error instanceof CauseRejected) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
}

/** Converts a failure to its form in the ledger and in responses. */
export function shownFailure({
  object,
  collection,
  timer,
  at,
  error,
}: TimerFailure): Pick<TimerFailure, keyof TimerFailure> {
  return { object, collection, timer, at, error };
}

/** Adds a trace for a failed timer, like that of a call, with the timer's name in place of the method. */
export function traceFailure({ object, collection, timer, error }: TimerFailure, world: World): void {
  const trace: Trace = {
    id: `trc_${world.requestStream.text(20)}`,
    operation: null,
    outcome: 'normal',
    subjects: [],
    decided: [],
    request: { id: '', method: 'TIMER', path: `${collection}/${object}/${timer}`, idempotency_key: null },
    status: 500,
    error: error.code,
    fault: null,
    scenario: null,
    magic_values: [],
    stood_back: [],
    replayed: false,
    transitions: [],
    events: [],
    at: world.now,
    entry: world.ledger.count,
    duration_ms: 0,
  };
  world.traces.add(trace);
  world.record({ kind: 'trace', trace, requests: world.requestStream.position });
}

/** The newest failures of timers since the last reset, oldest first. */
export class TimerFailures {
  readonly #all: TimerFailure[];

  /** @param stored the stored world that the present one continues */
  constructor(stored: Omit<StoredWorld, 'header'> | undefined) {
    this.#all = failuresOf(stored).slice(-LIMITS.failuresKept.value);
  }

  get all(): readonly TimerFailure[] {
    return this.#all;
  }

  add(failure: TimerFailure): void {
    this.#all.push(failure);
    if (this.#all.length > LIMITS.failuresKept.value) this.#all.shift();
  }

  clear(): void {
    this.#all.length = 0;
  }

  shown(): Pick<TimerFailure, keyof TimerFailure>[] {
    return this.#all.map(shownFailure);
  }
}

/** Lists the failures in a stored world since its last reset, oldest first. */
function failuresOf(kept: Omit<StoredWorld, 'header'> | undefined): TimerFailure[] {
  const { base, entries = [] } = kept ?? {};
  const found: TimerFailure[] = Array.isArray(base?.args) ? base.args.filter(isFailure) : [];
  // Entries are read only if a timer failed, since their changes are decoded on read.
  if (found.length === 0 && !entries.some(({ command }) => command === TIMER_FAILED)) return found;
  for (const { command, args, changes } of entries) {
    if (changes.some(({ op }) => op === 'reset')) found.length = 0;
    if (command === TIMER_FAILED && isFailure(args)) found.push(args);
  }
  return found;
}

function isFailure(args: unknown): args is TimerFailure {
  return typeof args === 'object' && args !== null && 'object' in args && 'timer' in args && 'error' in args;
}
