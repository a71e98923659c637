import { LIMITS } from '../limits.js';
import type { Json } from '../values/index.js';
import type { StoredWorld, Trace, World } from '../world/index.js';
import { CauseRejected } from './world-events.js';

/** The ledger's command for a timer whose steps failed. */
export const TIMER_FAILED = 'timer failed';

/** A timer whose steps failed or were rejected. Their changes were rolled back, and the timer is removed. */
export interface TimerFailure {
  /** Id of the timer's object. */
  readonly object: string;
  readonly collection: string;
  readonly timer: string;
  /** Simulated time at which it was due, in the pack's format. */
  readonly at: Json;
  readonly error: { readonly code: string; readonly message: string };
}

/** Why a timer's steps failed: an error of the pack, or a defect. */
export function reasonOf(error: unknown): TimerFailure['error'] {
  if (error instanceof CauseRejected) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
}

/** A failure as the ledger and responses show it. */
export function shownFailure({
  object,
  collection,
  timer,
  at,
  error,
}: TimerFailure): Pick<TimerFailure, keyof TimerFailure> {
  return { object, collection, timer, at, error };
}

/** Writes the trace of a failed timer: like that of a call, with the timer in place of the method. */
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

/** Failures since the last reset, newest last; bounded. */
export class TimerFailures {
  readonly #all: TimerFailure[];

  /** @param stored the stored world that is continued */
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

/** The failures of a stored world since its last reset, oldest first. */
function failuresOf(kept: Omit<StoredWorld, 'header'> | undefined): TimerFailure[] {
  const { base, entries = [] } = kept ?? {};
  const found: TimerFailure[] = Array.isArray(base?.args) ? base.args.filter(isFailure) : [];
  // Changes of entries are decoded on read, so they are read only if needed.
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
