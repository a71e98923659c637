import { equal, type Json, type JsonObject, member } from '../values/index.js';
import type { Turns } from './chance.js';
import { Register } from './register.js';

export type FaultKind = 'error' | 'delay' | 'reset' | 'lost_response' | 'response';

/** What is done to a response on its way. */
export interface FaultResponse {
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the body, whatever it is. */
  readonly body?: string;
  /** Bytes of the body after which the connection is cut. */
  readonly truncateAt?: number;
  /** Events of a stream after which it breaks. */
  readonly afterEvents?: number;
  /** What the stream says before it ends; unless given the connection is cut. */
  readonly errorEvent?: JsonObject;
  /** Milliseconds of real time in which the body arrives, bit by bit. */
  readonly dripMs?: number;
}

/** Stands for every collection, or every operation. */
export const EVERY = '*';

/** A failure that a test ordered for calls of one operation, or of many (`EVERY`). */
export interface Fault {
  readonly id: string;
  readonly seq: number;
  readonly collection: string;
  readonly operation: string;
  readonly kind: FaultKind;
  readonly status: number | null;
  readonly error: JsonObject;
  /** Calls it still fires for; null: until cleared. */
  readonly remaining: number | null;
  /** Parameters the call must carry. */
  readonly match: JsonObject | null;
  readonly delayMs: number;
  /** The longest delay, where each call draws one from `delayMs` on. */
  readonly delayMaxMs?: number;
  /** What it does to the response; ledgers have this name. */
  readonly answer?: FaultResponse;
  readonly turns?: Turns;
}

/** The active faults. */
export class Faults extends Register<Fault> {
  /** Those armed for an operation whose `match` the parameters meet, oldest first. */
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
