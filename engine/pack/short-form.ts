import type { ProblemCode } from '../codes.js';
import type { Json } from '../values/index.js';

/** The parser's value for a key of a flow map without a colon (`{ intent }`), which means the variable of that name. */
export const SAME = '\u0000same';

/** Keys and indexes that lead from the top of a file to a value. */
export type Path = readonly (string | number)[];
/** A map in a file's data. */
export type JsonMap = Readonly<Record<string, Json>>;

/** A problem in a short form, with the path at which that form is in the file. */
export interface ShortProblem {
  readonly path: Path;
  readonly code: ProblemCode;
  readonly message: string;
  readonly suggestion?: string;
  readonly at?: 'key' | 'value';
  readonly severity?: 'error' | 'warning';
}

/** For paths of the long form, the paths at which the same parts are in the file. */
export class Origins {
  readonly #written = new Map<string, Path>();

  /** Records one pair of paths. @param long a path of the long form @param written the path in the file */
  set(long: Path, written: Path): void {
    this.#written.set(JSON.stringify(long), written);
  }

  /** Converts a path of the long form to the path in the file, by its longest recorded prefix. */
  of(long: Path): Path {
    for (let length = this.#written.size === 0 ? 0 : long.length; length > 0; length--) {
      const written = this.#written.get(JSON.stringify(long.slice(0, length)));
      if (written !== undefined) return [...written, ...long.slice(length)];
    }
    return long;
  }
}

/** Whether a value in a file is a map. */
export function isJsonMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
