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

/** What a difference has room for. */
const ROOM = 8;

/**
 * An object as the places of the fields in which it differs, and what they hold. The values are fields, since a list would be
 * an object more: collections of garbage cost what there are objects.
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

/** The object that a difference stands for. */
export function objectOf({ from: { layout, values }, places, a, b, c, d, e, f, g, h }: Difference): JsonObject {
  const made = values.slice();
  const held = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < places.length; at++) made[places[at]] = held[at];
  return layout.object(made);
}

/** Objects of fewer fields take no more memory whole. */
const FEWEST_FIELDS = 13;

/** Lists of places that are remembered: objects are made in few ways. */
const WAYS = 8;

const foundPlaces: number[] = [];
const foundValues: Json[] = Array<Json>(ROOM).fill(null);

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
    const form = layout();
    if (form.size < FEWEST_FIELDS) return object;
    const basis = (this.#basis ??= { layout: form, values: form.values(this.#whole) });
    const count = form.differing(object, basis.values, foundPlaces, foundValues);
    if (count > ROOM) {
      this.#basis = null;
      return (this.#whole = object);
    }
    const found = foundValues;
    // What others held does not stay with this one.
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

  /** The places that were found, as a list that others share. */
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
