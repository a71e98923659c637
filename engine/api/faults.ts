import type { JsonObject } from '../expression/index.js';
import type { Operation } from '../program/index.js';
import type { Fault, Transaction, World } from '../world/index.js';

/**
 * Faults that fire. That one has fired is written with what its call leaves, which may be later: until then it counts here,
 * so that a fault for one call does not strike two.
 */
export class FaultsUnderWay {
  readonly #counts = new Map<string, number>();
  #epoch = 0;

  constructor(private readonly world: World) {}

  /** The fault that strikes a call now. */
  find({ resource, name }: Operation, params: () => JsonObject): Fault | undefined {
    return this.world.faults.find(resource.collection, name, params, ({ id }) =>
      this.#epoch === this.world.epoch ? (this.#counts.get(id) ?? 0) : 0,
    );
  }

  /**
   * Lets a fault fire once.
   * @returns what writes so into a transaction; null for one that fires until it is cleared
   */
  fire({ id, remaining }: Fault): ((transaction: Transaction) => void) | null {
    if (remaining === null) return null;
    if (this.#epoch !== this.world.epoch) this.#counts.clear();
    const epoch = (this.#epoch = this.world.epoch);
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    return (transaction) => {
      // A reset has forgotten it.
      if (epoch !== this.world.epoch) return;
      const count = this.#counts.get(id) ?? 0;
      if (count > 1) this.#counts.set(id, count - 1);
      else this.#counts.delete(id);
      const fault = this.world.faults.get(id);
      if (fault === undefined || fault.remaining === null) return;
      const left = fault.remaining - 1;
      transaction.write(this.world.faults, id, left > 0 ? { ...fault, remaining: left } : undefined);
    };
  }
}
