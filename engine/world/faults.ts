import { equal, type Json, type JsonObject, member } from '../values/index.js';
import type { Turns } from './chance.js';
import { Register } from './register.js';

export type FaultKind = 'error' | 'delay' | 'reset' | 'lost_response' | 'response';

/** How a fault changes a response. */
export interface FaultResponse {
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the body, whatever its type. */
  readonly body?: string;
  /** Bytes of the body after which the connection is cut. */
  readonly truncateAt?: number;
  /** Events of a stream after which it breaks. */
  readonly afterEvents?: number;
  /** The last event of the stream before it ends; without it the connection is cut. */
  readonly errorEvent?: JsonObject;
  /** Milliseconds of real time over which the body is sent, piece by piece. */
  readonly dripMs?: number;
}

/** Matches every collection or operation. */
export const EVERY = '*';

/** A failure that a test requested for calls of one operation, or of many (`EVERY`). */
export interface Fault {
  readonly id: string;
  readonly seq: number;
  readonly collection: string;
  readonly operation: string;
  readonly kind: FaultKind;
  readonly status: number | null;
  readonly error: JsonObject;
  /** Number of calls that it still applies to; null: until cleared. */
  readonly remaining: number | null;
  /** Parameters that the call must have. */
  readonly match: JsonObject | null;
  readonly delayMs: number;
  /** The upper limit of the delay, if each call draws one from `delayMs` on. */
  readonly delayMaxMs?: number;
  /** The changes of the response; this name is stored in ledgers. */
  readonly answer?: FaultResponse;
  readonly turns?: Turns;
}

/** The active faults. */
export class Faults extends Register<Fault> {
  /** The faults of an operation whose `match` fits the parameters, oldest first. */
  matching(collection: string, operation: string, params: () => JsonObject): readonly Fault[] {
    const found: Fault[] = [];
    for (const fault of this.values()) {
      if (fault.collection !== collection && fault.collection !== EVERY) continue;
      if (fault.operation !== operation && fault.operation !== EVERY) continue;
      if (fault.match === null || matches(params(), fault.match)) found.push(fault);
    }
    return found.length > 1 ? found.sort((a, b) => a.seq - b.seq) : found;
  }
}

function matches(params: Json, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([path, value]) => {
    const given = path.split('.').reduce<Json>((at, key) => member(at, key), params);
    return equal(given, value) || (typeof given === 'string' && given === String(value));
  });
}
