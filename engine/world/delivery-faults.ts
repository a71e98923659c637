import { Register } from './register.js';
import { isHit, type Turns } from './chance.js';

export type DeliveryFaultKind = 'duplicate' | 'reorder' | 'drop' | 'delay' | 'hold';

/** A fault, requested by a test, for the deliveries of some events. */
export interface DeliveryFault {
  readonly id: string;
  readonly seq: number;
  readonly kind: DeliveryFaultKind;
  /** Name or pattern of the events that the fault concerns. */
  readonly event: string;
  /** The endpoint whose deliveries have the fault; null: the deliveries to all endpoints. */
  readonly endpoint: string | null;
  /** Number of further events that the fault applies to; null: all until the fault is cleared. */
  readonly remaining: number | null;
  /** Milliseconds of simulated time by which the fault delays a delivery or its copies. */
  readonly delayMs: number;
  /** Number of additional copies of a delivery, or of later deliveries that overtake it. */
  readonly times: number;
  readonly turns?: Turns;
}

/** The active faults of deliveries, and for each affected event its fault. */
export class DeliveryFaults extends Register<DeliveryFault> {
  readonly #hit = new WeakMap<object, DeliveryFault>();

  /**
   * Applies the oldest matching fault to a new event.
   * @param event the event's object or value, by which `of` finds the fault later
   * @param concerns whether a fault matches the event
   * @returns changed faults for the caller to store; undefined: the fault is used up
   */
  apply(
    event: object,
    concerns: (fault: DeliveryFault) => boolean,
    share: (text: string) => number,
  ): [id: string, fault: DeliveryFault | undefined][] {
    const changed: [string, DeliveryFault | undefined][] = [];
    for (const fault of [...this.values()].sort((a, b) => a.seq - b.seq)) {
      // A fault that blocks deliveries stays until it is cleared, even if it applies to no further event.
      if (fault.remaining === 0 || !concerns(fault)) continue;
      const { turns } = fault;
      const applies = turns === undefined || isHit(fault.id, turns, share);
      const remaining = applies && fault.remaining !== null ? fault.remaining - 1 : fault.remaining;
      if (remaining === 0 && fault.kind !== 'hold') changed.push([fault.id, undefined]);
      else if (turns !== undefined)
        changed.push([fault.id, { ...fault, remaining, turns: { ...turns, seen: turns.seen + 1 } }]);
      else if (remaining !== fault.remaining) changed.push([fault.id, { ...fault, remaining }]);
      if (!applies) continue;
      this.#hit.set(event, fault);
      break;
    }
    return changed;
  }

  /** Finds the fault that applies to an event's delivery to an endpoint. */
  of(event: object, endpoint: string): DeliveryFault | undefined {
    const fault = this.#hit.get(event);
    return fault?.endpoint == null || fault.endpoint === endpoint ? fault : undefined;
  }
}
