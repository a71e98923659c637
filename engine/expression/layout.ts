import { COPIES_PER_PLACE, type Copier, takeCopier } from './copiers.js';
import type { Json, JsonObject } from './host.js';

/** Copies of copies that are made before an object is built anew. */
const OLDEST = 8;

const layouts = new Map<string, Layout>();

/**
 * The layout of objects with these keys in this order; the same for the same keys.
 * @param use tells apart what is copied for different ends
 */
export function layoutOf(keys: readonly string[], use = ''): Layout {
  const name = JSON.stringify([use, keys]);
  let layout = layouts.get(name);
  if (layout === undefined) layouts.set(name, (layout = new Layout(keys)));
  return layout;
}

/**
 * Makes and copies objects with the same keys. Objects grown key by key turn into hash tables, which are slow to read, copy
 * and write out; these start complete. For V8 a copy has a layout of its own, so objects know their age: how many copies lie
 * between them and one that was made.
 */
export class Layout {
  /** One copier for some ages each. */
  readonly #copiers: Copier[] = [];
  #make: (() => Record<string, Json>) | null = null;

  constructor(private readonly keys: readonly string[]) {}

  /**
   * A function that makes objects which start as the given values, null where there is none.
   * O(keys) at the price of copying memory.
   */
  maker(start: JsonObject = {}): () => Record<string, Json> {
    let blank: Record<string, Json> | undefined;
    let copy: Copier;
    return () => {
      if (blank === undefined) {
        blank = this.#blank();
        for (const key of this.keys) blank[key] = start[key] ?? null;
        copy = this.#copier(0);
      }
      return copy(blank);
    };
  }

  /** An object whose every key is null. */
  make(): Record<string, Json> {
    return (this.#make ??= this.maker())();
  }

  /** A copy of an object of this layout. */
  copy(object: JsonObject, age: number): Record<string, Json> {
    if (age < OLDEST) return this.#copier(age + 1)(object);
    const made = this.make();
    for (const key of Object.keys(object)) made[key] = object[key];
    return made;
  }

  /** The age of a copy of an object of some age. */
  static ageOfCopy(age: number): number {
    return age < OLDEST ? age + 1 : 0;
  }

  #copier(age: number): Copier {
    const at = Math.floor(age / COPIES_PER_PLACE);
    return (this.#copiers[at] ??= takeCopier());
  }

  /** An object whose every key has held values of all kinds, so that none of them is news to V8. */
  #blank(): Record<string, Json> {
    const blank = JSON.parse(`{${this.keys.map((key) => `${JSON.stringify(key)}:null`).join(',')}}`) as Record<
      string,
      Json
    >;
    for (const key of this.keys) for (const value of [1, 'text', 0.5, null]) blank[key] = value;
    return blank;
  }
}
