import { lazy } from '../values/index.js';
import { type FactsFile, inside, type Model, parseParams, type Schema, type SourceLocation } from '../model/index.js';
import type { Facts, Operation } from '../program/index.js';
import type { Compiler } from './context.js';
import { completedSchema } from './facts-schema.js';

type DocumentedOperation = FactsFile['operations'][string];

/** What the document has, by methods and paths without the names in them. */
interface FactsIndex {
  readonly operations: ReadonlyMap<string, { readonly route: string; readonly file: DocumentedOperation }>;
  readonly routes: readonly { readonly route: string; readonly method: string; readonly pattern: RegExp }[];
}

/**
 * Links the facts of the vendor's document. Its data is read when a call first needs it, and an operation's types are parsed
 * when the operation is first called: a start doesn't pay for a large document.
 */
export class LinkedFacts implements Facts {
  readonly #place: SourceLocation;
  readonly #model: Model;
  readonly #index: () => FactsIndex;
  readonly #params = new Map<string, ReadonlyMap<string, Schema>>();
  readonly #completed = new WeakMap<ReadonlyMap<string, Schema>, ReadonlyMap<string, Schema>>();
  readonly #headers = new WeakMap<Operation, readonly string[]>();

  /** @param place of the file */
  constructor(place: SourceLocation, { model }: Compiler) {
    this.#place = place;
    this.#model = model;
    this.#index = lazy(() => indexOf((place.file.data as FactsFile).operations));
  }

  complete(operation: Operation, declared: ReadonlyMap<string, Schema>): ReadonlyMap<string, Schema> {
    let all = this.#completed.get(declared);
    if (all === undefined) {
      const documented = this.paramsOf(operation);
      const known = new Set(operation.routes.flatMap(({ names }) => names));
      all = documented === null ? declared : completedSchema(declared, documented, known);
      this.#completed.set(declared, all);
    }
    return all;
  }

  headers(operation: Operation): readonly string[] {
    let found = this.#headers.get(operation);
    if (found === undefined) {
      const read = new Set(this.#model.settings.requestHeaders.values());
      const names = (this.#find(operation)?.file.headers ?? []).map((name) => name.toLowerCase());
      this.#headers.set(operation, (found = names.filter((name) => !read.has(name))));
    }
    return found;
  }

  routeOf(method: string, path: string): string | null {
    const { basePath, otherBasePaths } = this.#model.settings;
    const other = otherBasePaths.find((base) => base !== '' && `${path}/`.startsWith(`${base}/`));
    const asked = other === undefined ? path : `${basePath}${path.slice(other.length)}`;
    const found = this.#index().routes.find((each) => each.method === method && each.pattern.test(asked));
    return found?.route ?? null;
  }

  /** Parses all types, so that every problem of the file is reported. */
  check(): void {
    for (const { route, file } of this.#index().operations.values()) this.#parsed(route, file);
  }

  /** What the document says of an operation's parameters; null: it doesn't have the operation. */
  paramsOf(operation: Operation): ReadonlyMap<string, Schema> | null {
    const found = this.#find(operation);
    return found === undefined ? null : this.#parsed(found.route, found.file);
  }

  #find({ routes }: Operation): { readonly route: string; readonly file: DocumentedOperation } | undefined {
    const { operations } = this.#index();
    for (const { method, path } of routes) {
      const found = operations.get(shapeOf(`${method} ${path}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #parsed(route: string, { params }: DocumentedOperation): ReadonlyMap<string, Schema> {
    let parsed = this.#params.get(route);
    if (parsed === undefined) {
      parsed = parseParams(params, inside(this.#place, 'operations', route, 'params'), this.#model.context);
      this.#params.set(route, parsed);
    }
    return parsed;
  }
}

function indexOf(files: FactsFile['operations']): FactsIndex {
  const operations = new Map(Object.entries(files).map(([route, file]) => [shapeOf(route), { route, file }]));
  const routes = Object.keys(files).map((route) => {
    const [method, path] = route.split(' ');
    const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '[^/]+');
    return { route, method, pattern: new RegExp(`^${escaped}/?$`) };
  });
  return { operations, routes };
}

function shapeOf(route: string): string {
  return route.replace(/\{[^}]*\}/g, '{}');
}
