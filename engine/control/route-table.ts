import { suggest } from '../pack/index.js';
import type { ControlRoute } from './route.js';

/** The placeholder for a name in a path. */
const NAME = ':id';

/** A matched path: its routes, one for each method, and the name in it. */
interface Match {
  readonly rows: readonly ControlRoute[];
  readonly id: string;
}

/** The routes of the control API by path. Cheap to make, since nothing is compiled. */
export class ControlTable {
  readonly #byPath = new Map<string, ControlRoute[]>();

  constructor(routes: readonly ControlRoute[]) {
    for (const route of routes) {
      const known = this.#byPath.get(route.path);
      if (known) known.push(route);
      else this.#byPath.set(route.path, [route]);
    }
  }

  /** Suggests a known path that is similar. */
  near(path: string): string | undefined {
    return suggest(
      path,
      [...this.#byPath.keys()].filter((each) => !each.includes(NAME)),
    );
  }

  /** The routes of a path; a trailing slash is ignored. @throws URIError if the name isn't percent-encoded UTF-8 */
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
