import { equal, type Json, type JsonObject } from '../values/index.js';
import type { Table, Type } from '../expression/index.js';
import type { SourceLocation } from './diagnostics.js';

/**
 * A constant table with an index per looked-up column, made on first use. A class, since V8 is slow to read object literals
 * with getters.
 */
export class PackTable implements Table {
  readonly #indexes = new Map<string, Map<Json, JsonObject>>();

  /** @param check reports invalid rows */
  constructor(
    readonly name: string,
    readonly row: Type,
    readonly columns: ReadonlyMap<string, Type>,
    readonly place: SourceLocation,
    /** The column with unique values; undefined: none is declared. */
    readonly key: string | undefined,
    private readonly read: () => readonly JsonObject[],
    readonly check: () => void,
  ) {}

  /** The rows of the table, read and checked on first use. */
  get rows(): readonly JsonObject[] {
    return this.read();
  }

  find(column: string, value: Json): Json {
    if (typeof value === 'object' && value !== null) return this.rows.find((row) => equal(row[column], value)) ?? null;
    let index = this.#indexes.get(column);
    if (index === undefined) {
      index = new Map();
      for (const row of this.rows) if (!index.has(row[column])) index.set(row[column], row);
      this.#indexes.set(column, index);
    }
    return index.get(value) ?? null;
  }
}
