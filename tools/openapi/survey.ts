import type { DocumentedCall, Contract } from './contract.js';
import { documentBody, type Document, listOr, type Node, objectOr, successOf } from './document.js';
import { freeName, namesIn, singular, snake } from './names.js';
import { plain, schemaTypeName } from './types.js';
import { alternatives, together } from './unions.js';

type PlacedKind = 'create' | 'retrieve' | 'update' | 'delete' | 'list' | 'action' | 'upsert';

/** A call that belongs to a collection. */
export interface Placed {
  readonly kind: PlacedKind;
  readonly name: string;
  readonly call: DocumentedCall;
}

/** A collection of objects with a life of their own: the document shows how they are made and how they are read. */
export interface SurveyedResource {
  readonly name: string;
  readonly collection: string;
  /** Path of the collection, such as `/stores/{storeId}/pets`. */
  readonly path: string;
  /** Path of one object. */
  readonly itemPath: string;
  /** Names in the path that together are an object's id. */
  readonly key: readonly string[];
  /** Names in the path before the collection. */
  readonly parents: readonly string[];
  readonly calls: readonly Placed[];
}

interface Group {
  readonly itemPath: string;
  readonly base: string;
  readonly key: string[];
}

const ITEM_KINDS = { get: 'retrieve', put: 'update', patch: 'update', post: 'update', delete: 'delete' } as const;

/** The resources of a document, and the calls that belong to none. */
export function survey({ document, calls }: Pick<Contract, 'document' | 'calls'>): {
  readonly found: SurveyedResource[];
  readonly others: DocumentedCall[];
} {
  const byPath = new Map<string, DocumentedCall[]>();
  for (const call of calls) byPath.set(call.path, [...(byPath.get(call.path) ?? []), call]);
  const groups = [...byPath.keys()].flatMap((path) => groupOf(path, byPath));
  const bases = new Set(groups.map(({ base }) => base));
  // What is made and listed has a lifecycle, though no call shows a single one.
  for (const path of byPath.keys())
    if (!bases.has(path) && !path.endsWith('}')) groups.push({ itemPath: `${path}/{id}`, base: path, key: ['id'] });
  const taken = new Set<string>();
  const places = new Map<DocumentedCall, Group>();
  const found: SurveyedResource[] = [];
  for (const group of groups) {
    const placed = callsIn(group, byPath, document);
    const isRead = placed.some(({ kind }) => kind === 'list' || kind === 'retrieve');
    const makes = placed.some(({ kind }) => kind === 'create' || kind === 'upsert');
    const shows = placed.some(
      ({ kind, call }) =>
        kind !== 'list' && kind !== 'delete' && shownObject(document, responseSchema(document, call)) !== undefined,
    );
    if (!isRead || !makes || !shows || placed.some(({ call }) => places.has(call))) continue;
    for (const { call } of placed) places.set(call, group);
    const names = new Set<string>();
    found.push({
      name: '',
      collection: '',
      path: group.base,
      itemPath: group.itemPath,
      key: group.key,
      parents: namesIn(group.base),
      calls: placed.map((each) => ({ ...each, name: freeName(each.name, names) })),
    });
  }
  // What is nearest to the root has the plain name; below other paths it is called by them too.
  const collections = new Map<string, string>();
  for (const { path } of [...found].sort((a, b) => wordsOf(a.path).length - wordsOf(b.path).length))
    collections.set(path, freeName(collectionName(path, taken), taken));
  const named = found.map((each) => {
    const collection = collections.get(each.path) ?? '';
    return { ...each, collection, name: singular(collection) };
  });
  return {
    found: named.map((each) => ({ ...each, name: uniqueName(each, named) })),
    others: calls.filter((call) => !places.has(call)),
  };
}

function uniqueName({ name, collection }: SurveyedResource, all: readonly SurveyedResource[]): string {
  return all.some((other) => other.collection !== collection && other.name === name) ? collection : name;
}

function wordsOf(base: string): string[] {
  return base.split('/').filter((part) => part !== '' && !part.includes('{'));
}

/** The same word below another path is another collection. */
function collectionName(base: string, taken: ReadonlySet<string>): string {
  const words = wordsOf(base);
  const last = snake(words.at(-1) ?? 'things');
  if (!taken.has(last)) return last;
  return `${singular(snake(words.at(-2) ?? 'other'))}_${last}`;
}

/** A path that ends with one name, or with several that together are a key: `/repos/{owner}/{repo}`. */
function groupOf(path: string, paths: ReadonlyMap<string, unknown>): Group[] {
  const parts = path.split('/');
  let from = parts.length;
  while (from > 1 && /^\{[^{}]+\}$/.test(parts[from - 1])) from--;
  if (from === parts.length || from <= 1) return [];
  // `/repos/{owner}` beside `/repos/{owner}/{repo}`: the first name has objects of its own.
  while (from < parts.length - 1 && paths.has(parts.slice(0, from + 1).join('/'))) from++;
  const key = namesIn(parts.slice(from).join('/'));
  return [{ itemPath: path, base: parts.slice(0, from).join('/'), key }];
}

function callsIn(group: Group, byPath: ReadonlyMap<string, DocumentedCall[]>, document: Document): Placed[] {
  const placed: Placed[] = [];
  const item = byPath.get(group.itemPath) ?? [];
  const read = item.find(({ method }) => method === 'get');
  const shown = read && itemShown(document, read, byPath.get(group.base) ?? []);
  for (const call of byPath.get(group.base) ?? []) {
    if (call.method === 'get' && listShape(document, responseSchema(document, call)) !== undefined)
      placed.push({ kind: 'list', name: 'list', call });
    // Some vendors create with PUT, and create or change with POST.
    if (call.method === 'put' && shown !== undefined && createsObject(document, call, shown))
      placed.push({ kind: 'create', name: 'create', call });
    if (
      call.method === 'post' &&
      createsObject(document, call, shown ?? itemsOf(document, byPath.get(group.base) ?? []))
    )
      placed.push({ kind: 'create', name: 'create', call });
  }
  placed.push(...madeElsewhere(group, byPath, document, shown));
  const put = item.find(({ method }) => method === 'put');
  const makes = placed.some(({ kind }) => kind === 'create');
  for (const call of item) {
    const kind = ITEM_KINDS[call.method];
    if (call === put && !makes && objectShape(document, responseSchema(document, call)))
      placed.push({ kind: 'upsert', name: 'put', call });
    else if (kind !== 'retrieve' || shown !== undefined)
      placed.push({
        kind,
        name:
          kind === 'update' && item.some((other) => other !== call && ITEM_KINDS[other.method] === 'update')
            ? updateName(call)
            : kind,
        call,
      });
  }
  const prefix = `${group.itemPath}/`;
  for (const [path, calls] of byPath) {
    if (!path.startsWith(prefix) || /[{/]/.test(path.slice(prefix.length))) continue;
    if ([...byPath.keys()].some((other) => other.startsWith(`${path}/{`))) continue;
    const own = calls.filter(({ method }) => method === 'post' || method === 'put');
    // A POST beside a GET of a list makes something else.
    if (calls.length !== own.length) continue;
    for (const call of own) placed.push({ kind: 'action', name: snake(path.slice(prefix.length)), call });
  }
  return placed;
}

/** What the items of a collection's list are, as one of them. */
function itemsOf(document: Document, calls: readonly DocumentedCall[]): WrappedObject | undefined {
  const list = calls.find(({ method }) => method === 'get');
  const shown = list && shownObject(document, responseSchema(document, list));
  return shown && { ...shown, key: undefined };
}

/** What a call at one object's path shows; a list of one only where the collection has the same items. */
function itemShown(
  document: Document,
  read: DocumentedCall,
  collection: readonly DocumentedCall[],
): WrappedObject | undefined {
  const shown = shownObject(document, responseSchema(document, read));
  if (shown?.isList !== true) return shown;
  const others = collection.flatMap((call) => shownObject(document, responseSchema(document, call)) ?? []);
  return others.some(({ original }) => JSON.stringify(original) === JSON.stringify(shown.original)) ? shown : undefined;
}

function updateName({ method }: DocumentedCall): string {
  return method === 'put' ? 'replace' : method === 'patch' ? 'update' : 'modify';
}

/** POST and GET of another path with the same last word, which show the same objects: `/user/repos` of `/repos/{owner}/{repo}`. */
function madeElsewhere(
  group: Group,
  byPath: ReadonlyMap<string, DocumentedCall[]>,
  document: Document,
  shown: WrappedObject | undefined,
): Placed[] {
  const word = group.base.split('/').at(-1);
  const name = shown && document.nameOf(shown.original);
  if (name === undefined || byPath.has(group.base)) return [];
  return [...byPath].flatMap(([path, calls]) => {
    if (path.split('/').at(-1) !== word) return [];
    const creates = calls.filter(
      (call) =>
        call.method === 'post' &&
        document.nameOf(objectShape(document, responseSchema(document, call))?.original) === name,
    );
    return creates.map((call): Placed => ({
      kind: 'create',
      name: `create_at_${snake(path.split('/').at(-2) ?? 'root')}`,
      call,
    }));
  });
}

/** What a call returns when all is well. */
export function responseSchema(document: Document, { operation }: DocumentedCall): unknown {
  return successOf(document, operation)?.body?.schema;
}

/** A POST at a collection makes an object where it returns one, other than a report about the call. */
function createsObject(document: Document, call: DocumentedCall, shown: WrappedObject | undefined): boolean {
  const response = responseSchema(document, call);
  const made = shownObject(document, response, shown?.key);
  if (made === undefined) return response === undefined && shown !== undefined && sendsMembers(document, call, shown);
  if (shown === undefined) return made.isList !== true;
  const keys = Object.keys(objectOr(made.schema['properties']));
  const known = objectOr(shown.schema['properties']);
  if (keys.filter((key) => key in known).length * 2 >= keys.length) return true;
  // It may return less of the object, as long as it says which it is.
  return keys.some((key) => key in known && /(?:^|_)id$|Id$/.test(key)) && sendsMembers(document, call, shown);
}

/** Members that come beside an object or a list and are neither. */
export const BESIDE =
  /^(?:errors?|warnings?|messages?|links?|_links|included|meta|metadata|pagination|page_?info|paging|notices|violations|validation_?errors|object_?related|deprecations)$/i;

interface ListShape {
  readonly items: unknown;
  readonly key: string | undefined;
  readonly envelope: Node;
}

/** A call that returns nothing makes an object where it sends members of one. */
function sendsMembers(document: Document, call: DocumentedCall, shown: WrappedObject): boolean {
  const sent = Object.keys(objectOr(requestShape(document, call, shown.key)?.schema['properties']));
  const known = objectOr(shown.schema['properties']);
  return sent.length > 0 && sent.filter((name) => name in known).length * 2 >= sent.length;
}

/** How a list is returned: its items' schema, and the key that holds them (undefined: the response is the list). */
export function listShape(document: Document, given: unknown): ListShape | undefined {
  const { schema } = plain(document, given);
  const holds = (value: unknown): boolean => {
    const items = objectOr(plain(document, value).schema)['items'];
    return items !== undefined && Object.keys(objectOr(together(document, items).schema['properties'])).length > 0;
  };
  if (schemaTypeName(schema) === 'array')
    return holds(given) ? { items: schema['items'], key: undefined, envelope: {} } : undefined;
  const options = alternatives(schema);
  if (options.length > 0 && !('properties' in schema))
    return options.map((each) => listShape(document, each)).find((each) => each !== undefined);
  const properties = objectOr(schema['properties']);
  const all = Object.entries(properties).filter(
    ([, each]) => schemaTypeName(plain(document, each).schema) === 'array' && holds(each),
  );
  const lists = all.length > 1 ? all.filter(([name]) => !BESIDE.test(name)) : all;
  // An object with an id that happens to hold a list is no page, and an object beside its errors is none either.
  if (lists.length !== 1 || 'id' in properties || BESIDE.test(lists[0][0])) return undefined;
  const [key, holder] = lists[0];
  return { items: plain(document, holder).schema['items'], key, envelope: properties };
}

/** One object in a response or a request, and the key it is wrapped in. */
interface WrappedObject {
  readonly schema: Node;
  readonly key: string | undefined;
  readonly original: unknown;
  /** It is the only item of a list. */
  readonly isList?: true;
}

/** The object that a call about one shows: in a list of one where the document has it so. */
export function shownObject(document: Document, given: unknown, wrapper?: string): WrappedObject | undefined {
  const object = objectShape(document, given, wrapper);
  const list = object === undefined && given !== undefined ? listShape(document, given) : undefined;
  if (list === undefined) return object;
  return { schema: together(document, list.items).schema, key: list.key, original: list.items, isList: true };
}

/** How steps read what a request has. */
export function placeInRequest({ key, isList }: Pick<WrappedObject, 'key' | 'isList'>): string | undefined {
  return key === undefined ? undefined : `${key}${isList === true ? '[0]' : ''}`;
}

/**
 * The schema of one object in a body; of alternatives, all that are such objects together, else the first that wraps one.
 * @param wrapper the key that holds the object elsewhere
 */
function objectShape(document: Document, given: unknown, wrapper?: string): WrappedObject | undefined {
  if (given === undefined) return undefined;
  const { schema: own } = plain(document, given);
  const options = alternatives(own);
  if (options.length > 0 && !('properties' in own)) {
    const shapes = options.flatMap((each) => objectShape(document, each, wrapper) ?? []);
    const wrapping = shapes.find(({ key }) => key !== undefined);
    if (wrapping !== undefined || shapes.length === 0) return wrapping;
  }
  const { schema } = together(document, given);
  const properties = Object.entries(objectOr(schema['properties']));
  if (properties.length === 0 || listShape(document, given) !== undefined) return undefined;
  const inner = properties.filter(
    ([name, each]) =>
      !BESIDE.test(name) && Object.keys(objectOr(together(document, each).schema['properties'])).length > 0,
  );
  const others = properties.filter(([name]) => !BESIDE.test(name));
  const hasId = properties.some(([name]) => /(^|_)id$|Id$|ID$/.test(name));
  const within =
    inner.find(([name]) => name === wrapper) ??
    inner.find(([name]) => name === 'data') ??
    (inner.length === 1 && others.length <= 2 ? inner[0] : undefined);
  if (hasId || within === undefined || others.length > 4) return { schema, key: undefined, original: given };
  return { schema: together(document, within[1]).schema, key: within[0], original: within[1] };
}

/** The object in a request, unwrapped where the vendor wraps what it returns in the same key. */
export function requestShape(
  document: Document,
  call: DocumentedCall,
  wrapper: string | undefined,
): WrappedObject | undefined {
  const body = documentBody(document, call.operation['requestBody']);
  if (body === undefined) return undefined;
  const { schema } = together(document, body.schema);
  if (schemaTypeName(schema) === 'array') {
    const items = together(document, schema['items']).schema;
    return 'properties' in items
      ? { schema: items, key: 'items', original: schema['items'], isList: true }
      : { schema, key: undefined, original: body.schema };
  }
  const [only, ...others] = Object.entries(objectOr(schema['properties'])).filter(
    ([name]) => !BESIDE.test(name) && !/idempotency/i.test(name),
  );
  const key = wrapper ?? (only !== undefined && others.length === 0 ? only[0] : undefined);
  const inside = key === undefined ? undefined : objectOr(schema['properties'])[key];
  const within = inside === undefined ? {} : together(document, inside).schema;
  if (inside !== undefined && Object.keys(objectOr(within['properties'])).length > 0)
    return { schema: within, key, original: inside };
  const items = together(document, objectOr(plain(document, inside).schema)['items']).schema;
  if (inside !== undefined && others.length === 0 && Object.keys(objectOr(items['properties'])).length > 0)
    return { schema: items, key, original: inside, isList: true };
  return { schema, key: undefined, original: body.schema };
}

/** Names in a `required` list. */
export function requiredNames(schema: Node): ReadonlySet<unknown> {
  return new Set(listOr(schema['required']));
}
