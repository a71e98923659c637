import type { Engine } from '../runtime/index.js';
import { type HeldValue, Row } from '../world/index.js';

/**
 * The state of endpoints that retries use: from the last moment that doesn't depend on when attempts end (a flush, an advance
 * of the clock). With the current state, the sent data would depend on real time.
 */
export class EndpointSet {
  #active = new Map<string, Row>();
  readonly #copies = new Map<string, { readonly of: HeldValue; readonly copy: Row }>();

  constructor(
    private readonly engine: Engine,
    private readonly onDefect: (error: unknown, what: string) => void,
  ) {}

  /** An endpoint in its present state. */
  copyOf(row: Row): Row {
    const { resource, id, seq, order, held, tenant } = row;
    const known = this.#copies.get(id);
    if (known?.of === held) return known.copy;
    const copy = new Row({ resource, tenant }, id, seq, order, row.value);
    this.#copies.set(id, { of: held, copy });
    return copy;
  }

  /** An endpoint in its state at that moment; undefined: it was not active. */
  active(id: string): Row | undefined {
    return this.#active.get(id);
  }

  /** Reads all endpoints. O(their number). */
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
