import type { Delivery } from './delivery.js';

/** Deliveries that later ones of their endpoint overtake. */
export class HeldBack {
  readonly #held = new Map<string, { readonly delivery: Delivery; left: number }[]>();

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Holds back a delivery until a number of others of its endpoint were sent. */
  add(delivery: Delivery, left: number): void {
    const { id } = delivery.endpoint;
    const held = this.#held.get(id) ?? [];
    held.push({ delivery, left });
    this.#held.set(id, held);
  }

  /** Called after a delivery to an endpoint: returns those that have waited long enough, oldest first. */
  passed(endpoint: string): readonly Delivery[] {
    const held = this.#held.get(endpoint);
    if (!held) return [];
    for (const each of held) each.left--;
    const rest = held.filter(({ left }) => left > 0);
    if (rest.length > 0) this.#held.set(endpoint, rest);
    else this.#held.delete(endpoint);
    return held.filter(({ left }) => left <= 0).map(({ delivery }) => delivery);
  }

  /** Returns all: nothing follows that could overtake them. */
  take(): readonly Delivery[] {
    const all = [...this.#held.values()].flat().map(({ delivery }) => delivery);
    this.#held.clear();
    return all.sort((a, b) => a.number - b.number);
  }
}
