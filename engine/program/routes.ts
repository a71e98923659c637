import findMyWay from 'find-my-way';
import { suggest } from '../pack/index.js';
import type { BrowserLibrary } from './browser.js';
import type { Operation, OperationRoute, Unsupported } from './operation.js';
import type { BrowserPage } from './page.js';

/** Values of the names in a route. */
type RouteNames = Readonly<Record<string, string>>;

/** The result of matching a call. `path` has the values of names in the route, percent-decoded. */
export type RouteMatch =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly path: RouteNames }
  /** Several operations share the route; other parts of the call decide between them, in order. */
  | { readonly kind: 'several'; readonly operations: readonly Operation[]; readonly path: RouteNames }
  | { readonly kind: 'page'; readonly page: BrowserPage; readonly path: RouteNames }
  | { readonly kind: 'library'; readonly library: BrowserLibrary }
  /** The path exists only for other methods, which are listed. */
  | { readonly kind: 'wrong_method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unsupported'; readonly unsupported: Unsupported }
  /** The path isn't valid percent-encoded UTF-8; `page` is the page that it would match otherwise. */
  | { readonly kind: 'malformed'; readonly page: BrowserPage | null }
  | { readonly kind: 'unknown' };

type RouteTarget =
  /** Several if `dispatch` distinguishes them: those with the most conditions first. */
  (
    | { readonly kind: 'operation'; readonly operations: Operation[] }
    | { readonly kind: 'page'; readonly page: BrowserPage }
    | { readonly kind: 'library'; readonly library: BrowserLibrary }
  ) & {
    /** The name that matches all further segments. */
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
  /** The first two segments; null if one of them is a name. */
  readonly branch: string | null;
}

/** Two segments without encoding, and the rest. */
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
  // As in Express: `/things/` is `/things`.
  ignoreTrailingSlash: true,
  // The length of a path is limited by Node's limit of a request's head.
  maxParamLength: 1 << 20,
  querystringParser: () => NO_QUERY,
  // Returns a match without a store.
  onBadUrl: () => undefined,
};

/** The library's handlers are never called: the match is in the store. */
const nothing = (): void => undefined;

/** A trailing slash of a path other than `/`. */
const SLASH = /^[^?#]+\/(?:[?#]|$)/;

/**
 * All routes of a vendor API in one tree: operations, pages and parts that aren't emulated. Literal segments take precedence
 * over names, independent of the order in which routes are added.
 */
export class RouteTable {
  /** All routes in order; trees are built when a call needs them. */
  readonly #all: Added[] = [];
  readonly #outside: Unsupported[] = [];
  readonly #branches = new Map<string, Tree>();
  #whole: Tree | null = null;
  #unsupportedTree: Tree | null = null;
  readonly #owners = new Map<string, { readonly owner: string; readonly target: RouteTarget; readonly path: string }>();

  /** @param rejectsSlash a trailing slash makes a path unknown */
  constructor(private readonly rejectsSlash: boolean) {}

  /**
   * Adds a route. Operations with the same names in it share one if their `dispatch` distinguishes their calls.
   * @param owner names the route in reports of conflicts
   * @returns the owner of the conflicting route; then nothing is added
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

  /** The tree of all routes. */
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
   * Finds the route of a call: most in a small tree of the routes with the same beginning, unusual paths in the tree of all
   * routes.
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

  /** O(length of the path). @param url with or without a query */
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

  /** The known route closest to one that isn't served, for messages; compares all routes. @param path without a query */
  near(method: string, path: string): string | undefined {
    const found = this.match(method, path);
    if (found.kind === 'wrong_method') return `${found.allowed[0]} ${path}`;
    if (found.kind !== 'unknown') return undefined;
    const given = path.split('/');
    const patterns = [...this.#owners.keys()].map((pattern) => pattern.split(' '));
    // A path without the common base path.
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

/** Adds an operation to a route. @returns false if a call could match another operation too */
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

/** Replaces the library's name `*`. */
function renamed(found: Readonly<Record<string, string | undefined>>, rest: string): RouteNames {
  const { '*': value = '', ...names } = found;
  return { ...names, [rest]: value } as RouteNames;
}

/** A path in the library's syntax. */
function written(path: string): string {
  return path
    .replace(/:/g, '::')
    .replace(/\{(\w+)\+\}$/, '*')
    .replace(/\{(\w+)\}/g, ':$1');
}

/** A route without the names in it: `GET /repos/{owner}` as `GET /repos/{}`. */
export function routeShape(route: string): string {
  return route.replace(/\{[^}]*\}/g, '{}');
}
