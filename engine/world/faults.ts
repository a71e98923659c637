import { equal, type Json, type JsonObject, member } from '../expression/index.js';
import { Register } from './register.js';

export type FaultKind = 'error' | 'delay' | 'reset' | 'lost_response';

/** A failure that a test ordered for calls of one operation. */
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
}

/** The armed faults. */
export class Faults extends Register<Fault> {
  /**
   * The oldest fault armed for an operation whose `match` the parameters meet.
   * @param underWay how many calls it already fires for that are not through yet
   */
  find(
    collection: string,
    operation: string,
    params: () => JsonObject,
    underWay: (fault: Fault) => number = () => 0,
  ): Fault | undefined {
    if (this.size === 0) return undefined;
    let found: Fault | undefined;
    for (const fault of this.values()) {
      if (fault.collection !== collection || fault.operation !== operation) continue;
      if (fault.remaining !== null && fault.remaining <= underWay(fault)) continue;
      if (found !== undefined && found.seq < fault.seq) continue;
      if (fault.match === null || matches(params(), fault.match)) found = fault;
    }
    return found;
  }
}

function matches(params: Json, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([path, value]) => {
    const given = path.split('.').reduce<Json>((at, key) => member(at, key), params);
    return equal(given, value) || (typeof given === 'string' && given === String(value));
  });
}
