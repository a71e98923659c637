import type { Json, JsonObject } from '../values/index.js';

/** The layout of a resource's objects: all have the same fields in the same order. */
export interface Layout {
  readonly size: number;
  /** The values of an object's fields, in the layout's order. */
  values(object: JsonObject): Json[];
  /** The object whose fields have these values. */
  object(values: readonly Json[]): JsonObject;
  /**
   * Finds the fields of an object that differ from these values.
   * @param places receives their positions, from its beginning
   * @param held receives their values
   * @returns their number
   */
  differing(object: JsonObject, values: readonly Json[], places: number[], held: Json[]): number;
}

/** The field values of an object that others differ little from. */
interface Basis {
  readonly layout: Layout;
  readonly values: readonly Json[];
}

/** Limit of differing fields. */
const ROOM = 8;

/**
 * An object stored as the positions and values of the fields in which it differs from another object. The values are members,
 * since a list would be one more heap object, and the garbage collector's work depends on the number of objects.
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

/** The object that a difference describes. */
export function objectOf({ from: { layout, values }, places, a, b, c, d, e, f, g, h }: Difference): JsonObject {
  const made = values.slice();
  const held = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < places.length; at++) made[places[at]] = held[at];
  return layout.object(made);
}

/** Objects with fewer fields take no more memory whole. */
const FEWEST_FIELDS = 13;

/** Number of lists of positions that are reused: objects are created in few ways. */
const WAYS = 8;

const foundPlaces: number[] = [];
const foundValues: Json[] = Array<Json>(ROOM).fill(null);

/**
 * Stores objects of a collection as differences: most differ from the previous one in an id and a few references. Objects that
 * differ more stay whole, and later ones are compared with them.
 */
export class Differences {
  /** The last object that stayed whole. */
  #whole: JsonObject | null = null;
  /** The object's field values, once a second object exists. */
  #basis: Basis | null = null;
  #places: readonly (readonly number[])[] = [];

  /**
   * The stored form of an object: a difference, or the object itself. O(fields).
   * @param layout called only if there are several objects
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
    // Clears values of earlier objects, so that this one doesn't keep them in memory.
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

  /** The positions that were found, as a shared list. */
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
