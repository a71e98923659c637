import type { Json, JsonObject } from '../values/index.js';

/** How the objects of a resource are laid out: all have the same fields in the same order. */
export interface Layout {
  readonly size: number;
  /** What the fields of an object hold. */
  values(object: JsonObject): Json[];
  /** The object whose fields hold these values. */
  object(values: readonly Json[]): JsonObject;
  /**
   * Finds the fields of an object that don't hold these values.
   * @param places receives where they are, from its beginning on
   * @param held receives what they hold
   * @returns how many there are
   */
  differing(object: JsonObject, values: readonly Json[], places: number[], held: Json[]): number;
}

/** What the fields of one object hold, from which others differ in little. */
interface Basis {
  readonly layout: Layout;
  readonly values: readonly Json[];
}

/** An object as the places of the fields in which it differs, and what they hold. One list, since each heap object costs. */
export type Difference = readonly [from: Basis, places: readonly number[], ...held: Json[]];

export function isDifference(held: object | null): held is Difference {
  return Array.isArray(held);
}

/** The object that a difference stands for. */
export function objectOf(difference: Difference): JsonObject {
  const [{ layout, values }, places] = difference;
  const made = values.slice();
  for (let at = 0; at < places.length; at++) made[places[at]] = difference[at + 2] as Json;
  return layout.object(made);
}

/** A list with what it refers to takes as much memory as so many fields. */
const COSTS = 8;

/** Lists of places that are remembered: objects are made in few ways. */
const WAYS = 8;

const foundPlaces: number[] = [];
const foundValues: Json[] = [];

/**
 * Keeps objects of a collection as differences: most differ from the one before in an id and a few references. Objects that
 * differ in more stay whole, and the next ones differ from them.
 */
export class Differences {
  /** The last one that stayed whole. */
  #whole: JsonObject | null = null;
  /** What it holds, once there is another one. */
  #basis: Basis | null = null;
  #places: readonly (readonly number[])[] = [];

  /** What to keep of an object. O(fields). @param layout is asked for only where there are several objects */
  of(object: JsonObject, layout: () => Layout): JsonObject | Difference {
    if (this.#whole === null) return (this.#whole = object);
    const basis = (this.#basis ??= basisOf(this.#whole, layout()));
    const count = basis.layout.differing(object, basis.values, foundPlaces, foundValues);
    if (count * 2 + COSTS > basis.layout.size) {
      this.#basis = null;
      return (this.#whole = object);
    }
    const kept = new Array<unknown>(count + 2);
    kept[0] = basis;
    kept[1] = this.#remembered(count);
    for (let at = 0; at < count; at++) kept[at + 2] = foundValues[at];
    return kept as unknown as Difference;
  }

  /** The places that were found, as a list that others share. */
  #remembered(count: number): readonly number[] {
    for (const places of this.#places) if (places.length === count && isBeginning(places, foundPlaces)) return places;
    const made = foundPlaces.slice(0, count);
    this.#places = [made, ...this.#places].slice(0, WAYS);
    return made;
  }
}

function basisOf(object: JsonObject, layout: Layout): Basis {
  return { layout, values: layout.values(object) };
}

function isBeginning(list: readonly number[], of: readonly number[]): boolean {
  for (let at = 0; at < list.length; at++) if (list[at] !== of[at]) return false;
  return true;
}
