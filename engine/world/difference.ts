import type { Json, JsonObject } from '../values/index.js';

/** The fields of a resource's objects, which are the same, in the same order, for all objects. */
export interface Layout {
  readonly size: number;
  /** Returns the values of an object's fields, in the layout's order. */
  values(object: JsonObject): Json[];
  /** Builds the object with the given field values. */
  object(values: readonly Json[]): JsonObject;
  /**
   * Finds the fields of an object that differ from given values.
   * @param places receives the positions of differing fields, from index 0 on
   * @param held receives the object's values of these fields
   * @returns the number of differing fields
   */
  differing(object: JsonObject, values: readonly Json[], places: number[], held: Json[]): number;
}

/** The field values of an object with which others are compared. */
interface Basis {
  readonly layout: Layout;
  readonly values: readonly Json[];
}

/** Maximum number of fields in which an object stored as a difference may differ. */
const ROOM = 8;

/**
 * An object, stored as the positions and values of fields in which it differs from another object. Members store the values,
 * since a list would be one more heap object, and garbage collection takes longer with more objects.
 */
export class Difference {
  constructor(
    readonly from: Basis,
    readonly places: readonly number[],
    readonly a: Json,
    readonly b: Json,
    readonly c: Json,
    readonly d: Json,
    readonly e: Json,
    readonly f: Json,
    readonly g: Json,
    readonly h: Json,
  ) {}
}

/** Restores the object that a difference describes. */
export function objectOf({ from: { layout, values }, places, a, b, c, d, e, f, g, h }: Difference): JsonObject {
  const made = values.slice();
  const held = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < places.length; at++) made[places[at]] = held[at];
  return layout.object(made);
}

/** Minimum number of fields of objects that are stored as differences; smaller ones take no more memory whole. */
const FEWEST_FIELDS = 13;

/** Number of lists of positions that are shared: most objects differ in one of few sets of fields. */
const WAYS = 8;

const foundPlaces: number[] = [];
const foundValues: Json[] = Array<Json>(ROOM).fill(null);

/**
 * Stores a collection's objects as differences, since most differ from others in an id and a few references only. An object
 * that differs in more is stored whole, and later objects are compared with it.
 */
export class Differences {
  /** The newest object that is stored whole, with which new ones are compared. */
  #whole: JsonObject | null = null;
  /** The field values of `#whole`, computed when a second object exists. */
  #basis: Basis | null = null;
  #places: readonly (readonly number[])[] = [];

  /**
   * Returns the form in which an object is stored: a difference, or the object itself. O(fields).
   * @param layout called only for the second and later objects
   */
  of(object: JsonObject, layout: () => Layout): JsonObject | Difference {
    if (this.#whole === null) return (this.#whole = object);
    const form = layout();
    if (form.size < FEWEST_FIELDS) return object;
    const basis = (this.#basis ??= { layout: form, values: form.values(this.#whole) });
    const count = form.differing(object, basis.values, foundPlaces, foundValues);
    if (count > ROOM) {
      this.#basis = null;
      return (this.#whole = object);
    }
    const found = foundValues;
    // Drops values of an earlier object, which would otherwise stay in memory.
    for (let at = count; at < ROOM; at++) found[at] = null;
    const places = this.#remembered(count);
    return new Difference(
      basis,
      places,
      found[0],
      found[1],
      found[2],
      found[3],
      found[4],
      found[5],
      found[6],
      found[7],
    );
  }

  /** Returns the list of the first `count` positions found; equal lists are shared. */
  #remembered(count: number): readonly number[] {
    for (const places of this.#places) if (places.length === count && isBeginning(places, foundPlaces)) return places;
    const made = foundPlaces.slice(0, count);
    this.#places = [made, ...this.#places].slice(0, WAYS);
    return made;
  }
}

function isBeginning(list: readonly number[], of: readonly number[]): boolean {
  for (let at = 0; at < list.length; at++) if (list[at] !== of[at]) return false;
  return true;
}
