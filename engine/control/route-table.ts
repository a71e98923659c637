import { suggest } from '../pack/index.js';
import type { ControlRoute } from './route.js';

/** The name that a path may have in one of its places. */
const NAME = ':id';

/** A path that there is: its rows, one for each method, and the name that it was asked with. */
interface Match {
  readonly rows: readonly ControlRoute[];
  readonly id: string;
}

/** The rows of the control API by their paths. A world makes it in no time, since nothing is compiled. */
export class ControlTable {
  readonly #byPath = new Map<string, ControlRoute[]>();

  constructor(routes: readonly ControlRoute[]) {
    for (const route of routes) {
      const known = this.#byPath.get(route.path);
      if (known) known.push(route);
      else this.#byPath.set(route.path, [route]);
    }
  }

  /** The path that was probably meant. */
  near(path: string): string | undefined {
    return suggest(
      path,
      [...this.#byPath.keys()].filter((each) => !each.includes(NAME)),
    );
  }

  /**
   * The rows of a path; a slash at its end does not count.
   * @throws URIError when the name in it is not percent-encoded UTF-8
   */
  find(path: string): Match | undefined {
    const wanted = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    const rows = this.#byPath.get(wanted);
    if (rows) return { rows, id: '' };
    const parts = wanted.split('/');
    for (let at = parts.length - 1; at > 0; at--) {
      const found = this.#byPath.get([...parts.slice(0, at), NAME, ...parts.slice(at + 1)].join('/'));
      if (found && parts[at] !== '') return { rows: found, id: decodeURIComponent(parts[at]) };
    }
    return undefined;
  }
}
