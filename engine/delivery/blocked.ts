import type { Delivery } from './delivery.js';

/** Deliveries that do not go out until the fault is cleared that holds them, whatever the clock does meanwhile. */
export class OnHold {
  #held: Delivery[] = [];

  /** Holds a delivery: nothing of it is due. */
  add(delivery: Delivery): void {
    delivery.due = null;
    this.#held.push(delivery);
  }

  /**
   * Those that nothing holds any more, oldest first; they are due now. One that was sent by hand meanwhile is not among them.
   * @param holds whether the fault of this id still holds
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
