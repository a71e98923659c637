import type { Engine } from '../runtime/index.js';
import { type HeldValue, Row } from '../world/index.js';

/**
 * Endpoints as retries see them: in their state at the last flush or advance of the clock. With the current state, the sent
 * data would depend on when attempts end, in real time.
 */
export class EndpointSet {
  #active = new Map<string, Row>();
  readonly #copies = new Map<string, { readonly of: HeldValue; readonly copy: Row }>();

  constructor(
    private readonly engine: Engine,
    private readonly onDefect: (error: unknown, what: string) => void,
  ) {}

  /** Returns a copy of an endpoint in its current state, which later changes don't affect. */
  copyOf(row: Row): Row {
    const { resource, id, seq, order, held, tenant } = row;
    const known = this.#copies.get(id);
    if (known?.of === held) return known.copy;
    const copy = new Row({ resource, tenant }, id, seq, order, row.value);
    this.#copies.set(id, { of: held, copy });
    return copy;
  }

  /** Returns an endpoint in its state at the last `look`; undefined if it wasn't active then. */
  active(id: string): Row | undefined {
    return this.#active.get(id);
  }

  /** Stores the current state of all active endpoints. O(endpoints). */
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
