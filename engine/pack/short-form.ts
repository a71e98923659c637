import type { ProblemCode } from '../codes.js';
import type { Json } from '../values/index.js';

/** The parser's value for a key of a flow map without a colon (`{ intent }`), which means the variable of that name. */
export const SAME = '\u0000same';

/** Keys and indexes from the top of a file. */
export type Path = readonly (string | number)[];
/** A map in a file. */
export type JsonMap = Readonly<Record<string, Json>>;

/** A problem in a short form, with its written path. */
export interface ShortProblem {
  readonly path: Path;
  readonly code: ProblemCode;
  readonly message: string;
  readonly suggestion?: string;
  readonly at?: 'key' | 'value';
  readonly severity?: 'error' | 'warning';
}

/** Maps paths of the long form to where they are written. */
export class Origins {
  readonly #written = new Map<string, Path>();

  /** Maps a path. @param long a path of the long form @param written the path in the text */
  set(long: Path, written: Path): void {
    this.#written.set(JSON.stringify(long), written);
  }

  /** The written path of a long one, from the longest prefix that was moved. */
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
