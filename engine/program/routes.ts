import findMyWay from 'find-my-way';
import { suggest } from '../pack/index.js';
import type { BrowserLibrary, BrowserPage } from './page.js';
import type { Operation, OperationRoute, Unsupported } from './operation.js';

/** Values of the names in braces in a route, by name. */
type RouteNames = Readonly<Record<string, string>>;

/** The result of matching a call's path. `path`: values of the names in the route, percent-decoded. */
export type RouteMatch =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly path: RouteNames }
  /** Several operations are on the route; headers and parameters of the call select the first that fits. */
  | { readonly kind: 'several'; readonly operations: readonly Operation[]; readonly path: RouteNames }
  | { readonly kind: 'page'; readonly page: BrowserPage; readonly path: RouteNames }
  | { readonly kind: 'library'; readonly library: BrowserLibrary }
  /** The path has routes for other methods only: `allowed`. */
  | { readonly kind: 'wrong_method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unsupported'; readonly unsupported: Unsupported }
  /** The path isn't valid percent-encoded UTF-8. `page`: the page that the path would match if it were valid; null: none. */
  | { readonly kind: 'malformed'; readonly page: BrowserPage | null }
  | { readonly kind: 'unknown' };

type RouteTarget =
  /** A route has several operations if their `dispatch` distinguishes calls; those with the most conditions come first. */
  (
    | { readonly kind: 'operation'; readonly operations: Operation[] }
    | { readonly kind: 'page'; readonly page: BrowserPage }
    | { readonly kind: 'library'; readonly library: BrowserLibrary }
  ) & {
    /** The name at the end of the route that matches all remaining segments. */
    readonly rest?: string;
  };

const UNKNOWN: RouteMatch = { kind: 'unknown' };
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type RouteMethod = (typeof METHODS)[number];

type Tree = ReturnType<typeof findMyWay>;

interface Added {
  readonly method: RouteMethod;
  readonly path: string;
  readonly stored: RouteTarget;
  /** The first two segments of the path; null if one of them is a name. */
  readonly branch: string | null;
}

/** Matches paths that begin with two segments without percent-encoding. */
const PLAIN = /^(\/[\w.~-]+\/[\w.~-]+)(?:[/?]|$)/;

function branchOf(path: string): string | null {
  return PLAIN.exec(path)?.[1] ?? null;
}

function grown(routes: readonly Added[]): Tree {
  const tree = findMyWay(CONFIG);
  for (const { method, path, stored } of routes) tree.on(method, written(path), nothing, stored);
  return tree;
}

const NO_QUERY = {};
const CONFIG = {
  // As in Express, `/things/` matches the route `/things`.
  ignoreTrailingSlash: true,
  // The length of a path is limited by Node's limit of a request's head.
  maxParamLength: 1 << 20,
  querystringParser: () => NO_QUERY,
  // For malformed paths the router reports no match.
  onBadUrl: () => undefined,
};

/** A handler that the router requires but never calls, since matches are read from the router's store. */
const nothing = (): void => undefined;

/** Matches a path that ends with a slash, other than `/`. */
const SLASH = /^[^?#]+\/(?:[?#]|$)/;

/**
 * All routes of a vendor API in one tree: operations, pages and parts that aren't emulated. Literal segments take precedence
 * over names, independent of the order in which routes are added.
 */
export class RouteTable {
  /** All routes in the order in which they were added. Their trees are built when a call first needs them. */
  readonly #all: Added[] = [];
  readonly #outside: Unsupported[] = [];
  readonly #branches = new Map<string, Tree>();
  #whole: Tree | null = null;
  #unsupportedTree: Tree | null = null;
  readonly #owners = new Map<string, { readonly owner: string; readonly target: RouteTarget; readonly path: string }>();

  /** @param rejectsSlash whether a path with a trailing slash is unknown */
  constructor(private readonly rejectsSlash: boolean) {}

  /**
   * Adds a route. Operations share a route, if it has the same names and their `dispatch` distinguishes their calls.
   * @param owner names the route in reports of conflicts
   * @returns the owner of a conflicting route; nothing is added then
   */
  add(route: OperationRoute, target: RouteTarget, owner: string): string | undefined {
    const pattern = `${route.method} ${route.path.replace(/\{\w+(\+?)\}/g, '{$1}')}`;
    const other = this.#owners.get(pattern);
    if (other !== undefined) return other.path === route.path && share(other.target, target) ? undefined : other.owner;
    const [, rest] = /\{(\w+)\+\}$/.exec(route.path) ?? [];
    const stored: RouteTarget = rest === undefined ? target : { ...target, rest };
    this.#owners.set(pattern, { owner, target: stored, path: route.path });
    this.#all.push({ method: route.method as RouteMethod, path: route.path, stored, branch: branchOf(route.path) });
    this.#whole = null;
    this.#branches.clear();
    return undefined;
  }

  /** Adds a path prefix that isn't emulated. */
  addUnsupported(unsupported: Unsupported): void {
    this.#outside.push(unsupported);
    this.#unsupportedTree = null;
  }

  /** Returns the tree of all routes; builds it on first use. */
  get #served(): Tree {
    return (this.#whole ??= grown(this.#all));
  }

  get #unsupported(): Tree {
    if (this.#unsupportedTree !== null) return this.#unsupportedTree;
    const tree = findMyWay(CONFIG);
    for (const each of this.#outside) {
      const path = written(each.path);
      for (const at of [path, `${path}/*`]) if (tree.findRoute('GET', at) === null) tree.on('GET', at, nothing, each);
    }
    return (this.#unsupportedTree = tree);
  }

  /**
   * Finds the route of a call: usually in a small tree of routes with the same beginning, for unusual paths in the tree of all.
   */
  #find(method: RouteMethod, url: string) {
    const [, branch] = PLAIN.exec(url) ?? [];
    if (branch === undefined || this.#whole !== null) return this.#served.find(method, url);
    let tree = this.#branches.get(branch);
    if (tree === undefined) {
      const routes = this.#all.filter((each) => each.branch === branch || each.branch === null);
      if (!routes.some((each) => each.branch === branch)) return this.#served.find(method, url);
      this.#branches.set(branch, (tree = grown(routes)));
    }
    return tree.find(method, url);
  }

  /** Finds what a call's path and method match. O(length of the path). @param url with or without a query */
  match(method: string, url: string): RouteMatch {
    const known = (method === 'HEAD' ? 'GET' : method) as RouteMethod;
    const found = this.#find(known, url);
    if (found !== null) {
      const target = found.store as RouteTarget | null;
      if (target === null) return this.#malformed(known, url);
      if (this.rejectsSlash && target.kind === 'operation' && target.rest === undefined && SLASH.test(url))
        return { kind: 'unknown' };
      const path = target.rest === undefined ? (found.params as RouteNames) : renamed(found.params, target.rest);
      switch (target.kind) {
        case 'operation': {
          const { operations } = target;
          if (operations.length === 1 && operations[0].dispatch.length === 0)
            return { kind: 'operation', operation: operations[0], path };
          return { kind: 'several', operations, path };
        }
        case 'page':
          return { kind: 'page', page: target.page, path };
        case 'library':
          return { kind: 'library', library: target.library };
      }
    }
    const outside = this.#unsupported.find('GET', url);
    if (outside !== null) return { kind: 'unsupported', unsupported: outside.store as Unsupported };
    const allowed = METHODS.filter((each) => this.#served.find(each, url) !== null);
    return allowed.length > 0 ? { kind: 'wrong_method', allowed } : UNKNOWN;
  }

  /** Finds the route most similar to an unknown one, for messages; compares all routes. @param path without a query */
  near(method: string, path: string): string | undefined {
    const found = this.match(method, path);
    if (found.kind === 'wrong_method') return `${found.allowed[0]} ${path}`;
    if (found.kind !== 'unknown') return undefined;
    const given = path.split('/');
    const patterns = [...this.#owners.keys()].map((pattern) => pattern.split(' '));
    // The path lacks only the base path that all routes have.
    const behind = patterns.find(([of, to]) => of === method && to.endsWith(path) && path !== '/');
    if (behind) return behind.join(' ');
    const filled = patterns
      .map(([of, to]) => [of, to.split('/')] as const)
      .filter(([, to]) => to.length === given.length)
      .map(([of, to]) => `${of} ${to.map((part, at) => (part === '{}' ? given[at] : part)).join('/')}`);
    return suggest(`${method} ${path}`, filled);
  }

  #malformed(method: RouteMethod, url: string): RouteMatch {
    const target = this.#served.find(method, url.replace(/%/g, '%25'))?.store as RouteTarget | undefined;
    return { kind: 'malformed', page: target?.kind === 'page' ? target.page : null };
  }
}

/** Adds an operation to another one's route. @returns false if the same call would match both */
function share(target: RouteTarget, added: RouteTarget): boolean {
  if (target.kind !== 'operation' || added.kind !== 'operation') return false;
  const known = new Set(target.operations.map(conditionsOf));
  if (added.operations.some((each) => known.has(conditionsOf(each)))) return false;
  target.operations.push(...added.operations);
  target.operations.sort((a, b) => b.dispatch.length - a.dispatch.length);
  return true;
}

function conditionsOf({ dispatch }: Operation): string {
  return JSON.stringify(dispatch.map((rule) => [rule.in, rule.name, rule.is]).sort());
}

/** Renames the router's `*` to the route's own name for the remaining segments. */
function renamed(found: Readonly<Record<string, string | undefined>>, rest: string): RouteNames {
  const { '*': value = '', ...names } = found;
  return { ...names, [rest]: value } as RouteNames;
}

/** Converts a path to the router's syntax. */
function written(path: string): string {
  return path
    .replace(/:/g, '::')
    .replace(/\{(\w+)\+\}$/, '*')
    .replace(/\{(\w+)\}/g, ':$1');
}

/** Returns a route without the names in braces: `GET /repos/{owner}` as `GET /repos/{}`. */
export function routeShape(route: string): string {
  return route.replace(/\{[^}]*\}/g, '{}');
}
