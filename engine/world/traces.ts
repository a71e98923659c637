import type { Json, JsonObject } from '../values/index.js';
import type { Provenance } from './rows.js';

/** Which step of the resolution order answered a call. */
export type TraceOutcome = 'fault' | 'scenario' | 'magic_value' | 'normal';

/** An object that a call told of, as it was then. */
export interface TraceSubject {
  readonly resource: number;
  readonly value: JsonObject;
  readonly provenance: readonly Provenance[] | null;
}

/** An armed pin of an object that a call told of, which a magic value of the call left without effect. */
export interface StoodBack {
  readonly pin: string;
  readonly resource: string;
  readonly id: string;
  readonly path: string;
  readonly value: Json;
}

/** Why a vendor call was answered as it was. */
export interface Trace {
  readonly id: string;
  /** `<collection>.<operation>`, or null when no operation was reached. */
  operation: string | null;
  outcome: TraceOutcome;
  /** Objects whose exogenous values the call told of; the first is what it answered. */
  subjects: readonly TraceSubject[];
  /** Values that had no object (yet). */
  decided: readonly Provenance[];
  readonly request: {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly idempotency_key: string | null;
  };
  status: number;
  error: string | null;
  fault: string | null;
  scenario: string | null;
  magic_values: readonly string[];
  /** Pins that stood back for the magic values. */
  stood_back: readonly StoodBack[];
  replayed: boolean;
  transitions: readonly { readonly id: string; readonly from: string; readonly to: string; readonly trigger: string }[];
  events: readonly { readonly id: string; readonly type: string }[];
  /** Simulated time. */
  readonly at: Json;
  /** Number of the world's last ledger entry when the call was answered. */
  readonly entry: number;
  duration_ms: number;
  /** The call asked for a version that the pack answers in another one. */
  readonly version?: { readonly asked: string | null; readonly answered: string };
}

/** The newest traces; older ones are dropped beyond the limit. Adding and finding do not depend on how many there were. */
export class Traces {
  readonly #byId = new Map<string, Trace>();
  /** Stands behind what was dropped: a new iterator would pass all that was ever dropped since the map last grew. */
  #oldest = this.#byId.keys();

  /** Told of each call that is made from now on; nobody unless set. */
  onCall: ((trace: Trace) => void) | null = null;

  constructor(private readonly limit: number) {}

  add(trace: Trace): void {
    this.#byId.set(trace.id, trace);
    if (this.#byId.size > this.limit) this.#byId.delete(String(this.#oldest.next().value));
  }

  get(id: string): Trace | undefined {
    return this.#byId.get(id);
  }

  /** Newest first. */
  newest(limit: number): Trace[] {
    return [...this.#byId.values()].slice(-limit).reverse();
  }

  clear(): void {
    this.#byId.clear();
    this.#oldest = this.#byId.keys();
  }
}
