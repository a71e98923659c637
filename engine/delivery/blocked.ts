import type { Delivery } from './delivery.js';

/** Deliveries that a fault blocks until it is cleared. Advancing the clock doesn't release them. */
export class OnHold {
  #held: Delivery[] = [];

  /** Blocks a delivery, and removes its due time. */
  add(delivery: Delivery): void {
    delivery.due = null;
    this.#held.push(delivery);
  }

  /**
   * Removes and returns the deliveries whose faults were cleared, oldest first, and makes them due now, except those that were
   * sent by hand meanwhile.
   * @param holds whether the fault with this id still blocks
   */
  takeFree(holds: (fault: string | null) => boolean, nowMs: number): readonly Delivery[] {
    if (this.#held.length === 0) return [];
    const free = this.#held.filter(({ fault }) => !holds(fault));
    if (free.length === 0) return [];
    this.#held = this.#held.filter(({ fault }) => holds(fault));
    const wanted = free.filter(({ status }) => status === 'pending');
    for (const delivery of wanted) delivery.due = nowMs;
    return wanted;
  }

  clear(): void {
    this.#held = [];
  }
}
