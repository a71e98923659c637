import { Register } from './register.js';
import { isHit, type Turns } from './chance.js';

export type DeliveryFaultKind = 'duplicate' | 'reorder' | 'drop' | 'delay' | 'hold';

/** A fault for deliveries of events that a test requested. */
export interface DeliveryFault {
  readonly id: string;
  readonly seq: number;
  readonly kind: DeliveryFaultKind;
  /** Name of an event, or a pattern. */
  readonly event: string;
  /** The endpoint whose deliveries have the fault; null: the deliveries to all endpoints. */
  readonly endpoint: string | null;
  /** Number of events that it still applies to; null: until cleared. */
  readonly remaining: number | null;
  /** Simulated time in milliseconds by which a delivery, or its copies, are late. */
  readonly delayMs: number;
  /** How many more times a delivery is sent, or how many later ones overtake it. */
  readonly times: number;
  readonly turns?: Turns;
}

/** The active faults of deliveries, and the events that they applied to. */
export class DeliveryFaults extends Register<DeliveryFault> {
  readonly #hit = new WeakMap<object, DeliveryFault>();

  /**
   * Applies the oldest matching fault to a new event.
   * @param event the object from which its deliveries are made
   * @param concerns whether a fault is about the event
   * @returns the new states of the affected faults, to be written; undefined: used up
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

  /** The fault that applied to an event for an endpoint. */
  of(event: object, endpoint: string): DeliveryFault | undefined {
    const fault = this.#hit.get(event);
    return fault?.endpoint == null || fault.endpoint === endpoint ? fault : undefined;
  }
}
