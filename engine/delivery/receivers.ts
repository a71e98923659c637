import type { Engine } from '../runtime/index.js';
import { type HeldValue, Row } from '../world/index.js';

/**
 * The endpoints as retries see them: as they were at the last moment that is the same whenever attempts end (a flush, a move
 * of the clock). Asking the world at the moment of an attempt would let real time decide what is sent.
 */
export class EndpointSet {
  #active = new Map<string, Row>();
  readonly #copies = new Map<string, { readonly of: HeldValue; readonly copy: Row }>();

  constructor(
    private readonly engine: Engine,
    private readonly onDefect: (error: unknown, what: string) => void,
  ) {}

  /** An endpoint as it is now. */
  copyOf(row: Row): Row {
    const { resource, id, seq, order, held, tenant } = row;
    const known = this.#copies.get(id);
    if (known?.of === held) return known.copy;
    const copy = new Row({ resource, tenant }, id, seq, order, row.value);
    this.#copies.set(id, { of: held, copy });
    return copy;
  }

  /** An endpoint as it was; undefined: it received nothing. */
  active(id: string): Row | undefined {
    return this.#active.get(id);
  }

  /** Looks at all endpoints. O(how many there are). */
  look(): void {
    const { endpoints } = this.engine.runtime;
    this.#active = new Map();
    if (!endpoints) return;
    for (const row of endpoints.all()) {
      try {
        if (endpoints.isActive(row)) this.#active.set(row.id, this.copyOf(row));
      } catch (error) {
        this.onDefect(error, `activity of ${row.id}`);
      }
    }
  }

  clear(): void {
    this.#active.clear();
    this.#copies.clear();
  }
}
