/**
 * A named table of control data, such as pins, faults or durations, which only transactions change. Reads and writes are O(1).
 */
export class Register<T> {
  readonly #entries = new Map<string, T>();
  /** A number that each change increments, so that values derived from the table can be cached. */
  version = 0;

  constructor(readonly name: string) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  entries(): IterableIterator<[string, T]> {
    return this.#entries.entries();
  }

  values(): IterableIterator<T> {
    return this.#entries.values();
  }

  /** Sets an entry, or removes it (undefined). To be called by transactions only. */
  write(key: string, value: T | undefined): void {
    this.version++;
    if (value === undefined) this.#entries.delete(key);
    else this.#entries.set(key, value);
  }

  /** Returns the position of an entry in the table's order. O(position). */
  placeOf(key: string): number {
    let place = 0;
    for (const each of this.#entries.keys()) {
      if (each === key) return place;
      place++;
    }
    return -1;
  }

  /** Undoes the removal of an entry, at its earlier position. O(entries after it). */
  restore(key: string, value: T, place: number): void {
    this.version++;
    const behind = [...this.#entries].slice(place);
    for (const [each] of behind) this.#entries.delete(each);
    this.#entries.set(key, value);
    for (const [each, kept] of behind) this.#entries.set(each, kept);
  }
}
