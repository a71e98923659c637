import { type Document, list, type Method, METHODS, type Node, object, successOf } from './document.js';
import { singular, snake } from './names.js';
import { plain, typeName } from './types.js';

/** A call of the document. */
export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly item: Node;
  readonly operation: Node;
}

/** A collection of objects that the document's paths show. */
export interface Found {
  readonly name: string;
  readonly collection: string;
  /** Path of the collection, such as `/stores/{storeId}/pets`. */
  readonly path: string;
  /** Name of the path's parameter for one object. */
  idParam: string | undefined;
  readonly calls: { kind: 'create' | 'retrieve' | 'update' | 'delete' | 'list' | 'action'; name: string; call: Call }[];
}

/** The resources of a document, and the calls that belong to none. */
export function survey({ root }: Document): { readonly found: Found[]; readonly others: Call[] } {
  const calls = Object.entries(object(root['paths'])).flatMap(([path, value]) => {
    const item = object(value);
    return METHODS.filter((method) => method in item).map((method): Call => ({
      method,
      path,
      item,
      operation: object(item[method]),
    }));
  });
  const found = new Map<string, Found>();
  for (const call of calls) {
    const [, base, id] = /^(.*\/[^{}/]+)\/\{([^{}/]+)\}$/.exec(call.path) ?? [];
    if (base !== undefined) take(found, base).idParam = id;
  }
  const items = new Set(found.keys());
  const others: Call[] = [];
  for (const call of calls) if (!place(call, found, items)) others.push(call);
  for (const [path, each] of found) if (each.calls.length === 0) found.delete(path);
  return { found: [...found.values()], others };
}

function take(found: Map<string, Found>, path: string): Found {
  const known = found.get(path);
  if (known) return known;
  const last = snake(path.split('/').at(-1) ?? 'thing');
  let collection = last;
  // The same word below another path is another collection.
  const parent = path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .at(-2);
  if ([...found.values()].some((each) => each.collection === collection))
    collection = `${singular(snake(parent ?? 'other'))}_${last}`;
  while ([...found.values()].some((each) => each.collection === collection)) collection += '_2';
  const made: Found = { name: singular(collection), collection, path, idParam: undefined, calls: [] };
  found.set(path, made);
  return made;
}

/** Gives a call its place in a resource; false: it has none. */
function place(call: Call, found: Map<string, Found>, items: ReadonlySet<string>): boolean {
  const { method, path } = call;
  const [, base] = /^(.*\/[^{}/]+)\/\{[^{}/]+\}$/.exec(path) ?? [];
  if (base !== undefined) {
    const kind = { get: 'retrieve', put: 'update', patch: 'update', post: 'update', delete: 'delete' } as const;
    return add(take(found, base), kind[method], kind[method], call);
  }
  if (path.endsWith('}')) return false;
  const isCollection =
    items.has(path) || (method === 'get' && answersList(call)) || (method === 'post' && createsAt(call, found));
  if (isCollection && (method === 'get' || method === 'post')) {
    const kind = method === 'get' ? 'list' : 'create';
    return add(take(found, path), kind, kind, call);
  }
  const [, owner, , verb] = /^(.*\/[^{}/]+)\/\{([^{}/]+)\}\/([^{}/]+)$/.exec(path) ?? [];
  const resource = owner === undefined ? undefined : found.get(owner);
  if (!resource || verb === undefined) return false;
  return add(resource, 'action', snake(verb), call);
}

function add(resource: Found, kind: Found['calls'][number]['kind'], name: string, call: Call): boolean {
  const taken = (text: string): boolean => resource.calls.some((each) => each.name === text);
  if (kind === 'update' && taken(name)) {
    // PUT beside PATCH: one operation with two routes would be one place to read; each gets a name of its own here.
    resource.calls.push({ kind, name: call.method === 'put' ? 'replace' : 'modify', call });
    return true;
  }
  resource.calls.push({ kind, name: taken(name) ? `${name}_${call.method}` : name, call });
  return true;
}

function answersList({ operation }: Call): boolean {
  return listShape(successOf(operation)?.body?.schema) !== undefined;
}

/** A POST that answers 201 beside a GET of the same path, or at the top of the paths, makes an object. */
function createsAt(call: Call, found: ReadonlyMap<string, Found>): boolean {
  if (found.has(call.path)) return true;
  return call.path.split('/').length === 2 && successOf(call.operation)?.status === 201;
}

/** How a list is answered: its items' schema, and the key that holds them (undefined: the answer is the list). */
export function listShape(
  given: unknown,
): { readonly items: unknown; readonly key: string | undefined; readonly envelope: Node } | undefined {
  const { schema } = plain(given);
  if (typeName(schema) === 'array') return { items: schema['items'], key: undefined, envelope: {} };
  const properties = object(schema['properties']);
  const lists = Object.entries(properties).filter(([, each]) => typeName(plain(each).schema) === 'array');
  const isObject = lists.filter(([, each]) => typeName(plain(object(plain(each).schema)['items']).schema) === 'object');
  // An object with an id that happens to hold a list is no page.
  if (isObject.length !== 1 || 'id' in properties) return undefined;
  const [key, holder] = isObject[0];
  return { items: plain(holder).schema['items'], key, envelope: properties };
}

/** The schema of one object in an answer, and the key it is wrapped in. */
export function itemShape(
  given: unknown,
): { readonly schema: Node; readonly key: string | undefined; readonly original: unknown } | undefined {
  const { schema } = plain(given);
  const properties = Object.entries(object(schema['properties']));
  if (properties.length === 0) return undefined;
  const inner = properties.filter(([, each]) => Object.keys(object(plain(each).schema['properties'])).length > 0);
  const looksWrapped =
    inner.length === 1 && !properties.some(([name]) => /(^|_)id$|Id$/.test(name)) && properties.length <= 2;
  if (!looksWrapped) return { schema, key: undefined, original: given };
  return { schema: plain(inner[0][1]).schema, key: inner[0][0], original: inner[0][1] };
}

/** Names in a `required` list. */
export function requiredOf(schema: Node): ReadonlySet<unknown> {
  return new Set(list(schema['required']));
}
