import type { Delivery } from './delivery.js';

/** Deliveries that a fault reorders: they wait until later ones to the same endpoint were sent. */
export class HeldBack {
  readonly #held = new Map<string, { readonly delivery: Delivery; left: number }[]>();

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Delays a delivery until a number of others to its endpoint were sent. */
  add(delivery: Delivery, left: number): void {
    const { id } = delivery.endpoint;
    const held = this.#held.get(id) ?? [];
    held.push({ delivery, left });
    this.#held.set(id, held);
  }

  /** Counts a delivery to an endpoint. @returns the delayed deliveries that have waited for enough others, oldest first */
  passed(endpoint: string): readonly Delivery[] {
    const held = this.#held.get(endpoint);
    if (!held) return [];
    for (const each of held) each.left--;
    const rest = held.filter(({ left }) => left > 0);
    if (rest.length > 0) this.#held.set(endpoint, rest);
    else this.#held.delete(endpoint);
    return held.filter(({ left }) => left <= 0).map(({ delivery }) => delivery);
  }

  /** Removes and returns all delayed deliveries, when no others follow that they could wait for. */
  take(): readonly Delivery[] {
    const all = [...this.#held.values()].flat().map(({ delivery }) => delivery);
    this.#held.clear();
    return all.sort((a, b) => a.number - b.number);
  }
}
