import { lazy } from '../values/index.js';
import {
  type FactsFile,
  inside,
  keyIn,
  type Model,
  parseParams,
  rejectsUnknown,
  type Schema,
  type SourceLocation,
} from '../model/index.js';
import { type ApiVersions, type Facts, type Operation, routeShape, type Version } from '../program/index.js';
import type { Compiler } from './context.js';
import { enforced } from './facts-differs.js';
import { completedSchema, withOpenObjects } from './facts-schema.js';

/** An operation of the document. */
interface Documented {
  readonly route: string;
  readonly file: FactsFile['operations'][string];
  readonly place: SourceLocation;
}

/** The document's operations of one version, by method and path with the names in it left out. */
type Operations = ReadonlyMap<string, Documented>;

/** A route of the document with the parameters of its calls. */
interface DocumentedRoute {
  readonly route: string;
  readonly method: string;
  readonly pattern: RegExp;
}

/**
 * Links the facts of the vendor's document. Its data is read when a call first needs it, and an operation's types are parsed
 * when the operation is first called, so that a large document doesn't slow down the start.
 */
export class LinkedFacts implements Facts {
  readonly #place: SourceLocation;
  readonly #model: Model;
  readonly #versions: ApiVersions | null;
  /** Undeclared parameters that expressions read. */
  readonly #read: ReadonlySet<string>;
  /** The document's operations: in its first version, then in each later version that changes any of them. */
  readonly #levels: () => readonly Operations[];
  readonly #levelOf: () => ReadonlyMap<string, number>;
  readonly #routes: () => readonly DocumentedRoute[];
  readonly #params = new WeakMap<Documented, ReadonlyMap<string, Schema>>();
  readonly #completed: WeakMap<ReadonlyMap<string, Schema>, ReadonlyMap<string, Schema>>[] = [];
  readonly #headers = new WeakMap<Operation, readonly string[]>();
  readonly #returned = new WeakMap<Operation, ReadonlyMap<string, string>>();

  /** @param place location of the file */
  constructor(place: SourceLocation, { model }: Compiler, versions: ApiVersions | null) {
    this.#place = place;
    this.#model = model;
    this.#versions = versions;
    this.#levels = lazy(() => levelsOf(this.file, place));
    this.#levelOf = lazy(() => this.#linkLevels());
    const { requestParams, idempotency } = model.settings;
    this.#read = new Set([
      ...requestParams.map(([, name]) => name),
      ...(idempotency?.param == null ? [] : [idempotency.param]),
    ]);
    this.#routes = lazy(() => routesOf(this.#levels()));
  }

  get file(): FactsFile {
    return this.#place.file.data as FactsFile;
  }

  complete(
    operation: Operation,
    declared: ReadonlyMap<string, Schema>,
    version?: Version,
  ): ReadonlyMap<string, Schema> {
    const level = this.#level(version);
    const completed = (this.#completed[level] ??= new WeakMap());
    let all = completed.get(declared);
    if (all === undefined) {
      const documented = this.paramsOf(operation, version);
      const known = new Set(operation.routes.flatMap(({ names }) => names));
      all = documented === null ? declared : completedSchema(declared, documented, { known, read: this.#read });
      completed.set(declared, all);
    }
    return all;
  }

  headers(operation: Operation): readonly string[] {
    let found = this.#headers.get(operation);
    if (found === undefined) {
      const read = new Set(this.#model.settings.requestHeaders.values());
      const { file } = this.#find(operation, this.#level()) ?? {};
      const names = (file?.headers ?? []).map((name) => name.toLowerCase());
      this.#headers.set(operation, (found = names.filter((name) => !read.has(name))));
    }
    return found;
  }

  returnsOthers(operation: Operation): boolean {
    return this.#returnedBy(operation).size > 0;
  }

  returned(operation: Operation, range: string): string | null {
    return this.#returnedBy(operation).get(plainType(range)) ?? null;
  }

  #returnedBy(operation: Operation): ReadonlyMap<string, string> {
    let types = this.#returned.get(operation);
    if (types === undefined) {
      const { returns = [] } = this.#find(operation, this.#level())?.file ?? {};
      this.#returned.set(operation, (types = new Map(returns.map((type) => [plainType(type), type]))));
    }
    return types;
  }

  routeOf(method: string, path: string): string | null {
    const { basePath, otherBasePaths, anyMethod } = this.#model.settings;
    const other = otherBasePaths.find((base) => base !== '' && `${path}/`.startsWith(`${base}/`));
    const asked = other === undefined ? path : `${basePath}${path.slice(other.length)}`;
    const found = this.#routes().find((each) => (anyMethod || each.method === method) && each.pattern.test(asked));
    return found?.route ?? null;
  }

  hasMember(type: string, member: string): boolean {
    return this.#members().get(type)?.has(member) === true;
  }

  hasType(type: string): boolean {
    return this.#members().has(type);
  }

  readonly #members = lazy(() => membersOf(this.file.graphql ?? {}));

  /** Parses all types, so that every problem of the file is reported. */
  check(): void {
    this.#levelOf();
    for (const level of this.#levels()) for (const each of level.values()) this.#parsed(each);
    for (const [n, { operations = [] }] of (this.file.differs ?? []).entries())
      for (const [at, route] of operations.entries())
        if (!this.#levels().some((level) => level.has(routeShape(route))))
          this.#model.diagnostics.unknown(
            inside(this.#place, 'differs', n, 'operations', at),
            'operation',
            route,
            this.#routes().map((each) => each.route),
          );
    const searches = this.#model.resources.flatMap((each) => Object.keys(each.file.searches ?? {}));
    for (const name of Object.keys(this.file.searches ?? {}))
      this.#model.diagnostics.known(keyIn(this.#place, 'searches', name), 'search', name, searches);
  }

  /** The document's parameters of an operation; null if the document doesn't have the operation. */
  paramsOf(operation: Operation, version?: Version): ReadonlyMap<string, Schema> | null {
    const found = this.#find(operation, this.#level(version));
    return found === undefined ? null : this.#parsed(found);
  }

  /** The document's route of an operation; null if the document doesn't have the operation. */
  routeOfOperation(operation: Operation): string | null {
    return this.#find(operation, this.#level())?.route ?? null;
  }

  #level(version: Version | undefined = this.#versions?.current): number {
    return version === undefined ? 0 : (this.#levelOf().get(version.name) ?? 0);
  }

  /** For each version of the pack, the number of document versions that apply. */
  #linkLevels(): ReadonlyMap<string, number> {
    const files = Object.keys(this.file.versions ?? {});
    const names = this.#versions?.all.map(({ name }) => name) ?? [];
    for (const name of files)
      this.#model.diagnostics.known(keyIn(this.#place, 'versions', name), 'version', name, names);
    let level = 0;
    return new Map(names.map((name) => [name, files[level] === name ? ++level : level]));
  }

  #find({ routes, documented }: Operation, level: number): Documented | undefined {
    if (!documented) return undefined;
    const operations = this.#levels()[level];
    for (const { method, path } of routes) {
      const found = operations.get(routeShape(`${method} ${path}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #parsed(documented: Documented): ReadonlyMap<string, Schema> {
    let parsed = this.#params.get(documented);
    if (parsed === undefined) {
      const { route, file, place } = documented;
      const params = enforced(file.params ?? {}, route, this.file.differs ?? []);
      const { context, settings } = this.#model;
      const schemas = parseParams(params, inside(place, 'params'), context);
      // If undocumented parameters are accepted, so are undocumented members of objects.
      parsed = rejectsUnknown(settings, route.slice(route.indexOf(' ') + 1)) ? schemas : withOpenObjects(schemas);
      this.#params.set(documented, parsed);
    }
    return parsed;
  }
}

/** Returns the operations of the document's first version, then those of each later version that changes any. */
function levelsOf({ operations, versions = {} }: FactsFile, place: SourceLocation): readonly Operations[] {
  const at = (files: FactsFile['operations'], above: SourceLocation): [string, Documented][] =>
    Object.entries(files).map(([route, file]) => [routeShape(route), { route, file, place: inside(above, route) }]);
  const levels = [new Map(at(operations, inside(place, 'operations')))];
  for (const [name, { operations: changed = {}, gone = [] }] of Object.entries(versions)) {
    const level = new Map([
      ...levels[levels.length - 1],
      ...at(changed, inside(place, 'versions', name, 'operations')),
    ]);
    for (const route of gone) level.delete(routeShape(route));
    levels.push(level);
  }
  return levels;
}

function routesOf(levels: readonly Operations[]): readonly DocumentedRoute[] {
  const routes = new Set(levels.flatMap((level) => [...level.values()].map(({ route }) => route)));
  return [...routes].map((route) => {
    const [method, path] = route.split(' ');
    const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '[^/]+');
    return { route, method, pattern: new RegExp(`^${escaped}/?$`) };
  });
}

/** Removes suffix and version of a media type, since vendors' documents differ in both. */
function plainType(type: string): string {
  return type
    .toLowerCase()
    .replace(/\+[\w-]+$/, '')
    .replace(/\.v\d+(?=\.|$)/g, '');
}

/** Names of members by type: `issues(first,after)` is a field with two arguments. */
function membersOf(types: NonNullable<FactsFile['graphql']>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    Object.entries(types).map(([type, members]) => [
      type,
      new Set(
        members.flatMap((member) => {
          const [name, args] = member.replace(')', '').split('(');
          return args === undefined ? [name] : [name, ...args.split(',').map((arg) => `${name}(${arg})`)];
        }),
      ),
    ]),
  );
}
