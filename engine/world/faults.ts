import { equal, type Json, type JsonObject, member } from '../values/index.js';
import type { Turns } from './chance.js';
import { Register } from './register.js';

export type FaultKind = 'error' | 'delay' | 'reset' | 'lost_response' | 'response';

/** The changes that a fault makes to a response. */
export interface FaultResponse {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text that replaces the body, whatever the body's type. */
  readonly body?: string;
  /** Number of bytes of the body after which the connection is cut. */
  readonly truncateAt?: number;
  /** Number of events after which a stream breaks. */
  readonly afterEvents?: number;
  /** The event with which the stream ends when it breaks; absent: the connection is cut. */
  readonly errorEvent?: JsonObject;
  /** Milliseconds of real time over which the body is sent in pieces. */
  readonly dripMs?: number;
}

/** In a fault, the name that matches every collection or operation. */
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
  /** Number of further calls that the fault applies to; null: all until the fault is cleared. */
  readonly remaining: number | null;
  /** Parameters that a call must have for the fault to apply; null: any. */
  readonly match: JsonObject | null;
  readonly delayMs: number;
  /** Upper limit of a random delay, whose lower limit is `delayMs`; absent: the delay is constant. */
  readonly delayMaxMs?: number;
  /** How the fault changes the response; the member has the name that ledgers contain. */
  readonly answer?: FaultResponse;
  readonly turns?: Turns;
}

/** The active faults for calls. */
export class Faults extends Register<Fault> {
  /** Lists the faults for a call, by its collection, operation and parameters, oldest first. */
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
