import type { DocumentedCall, Contract } from './contract.js';
import { type Document, objectOr, successOf } from './document.js';
import { freeName, namesIn, singular, snake } from './names.js';
import { listShape, namesWith, objectShape, requestShape, shownObject, type WrappedObject } from './shapes.js';

type PlacedKind = 'create' | 'retrieve' | 'update' | 'delete' | 'list' | 'action' | 'upsert';

/** A call that belongs to a collection. */
export interface Placed {
  readonly kind: PlacedKind;
  readonly name: string;
  readonly call: DocumentedCall;
}

/** A collection of stored objects: the document has calls that create and read them. */
export interface SurveyedResource {
  readonly name: string;
  readonly collection: string;
  /** Path of the collection, such as `/stores/{storeId}/pets`. */
  readonly path: string;
  /** Path of one object. */
  readonly itemPath: string;
  /** Path parameters that together are an object's id. */
  readonly key: readonly string[];
  /** Path parameters before the collection. */
  readonly parents: readonly string[];
  /** There is one object, or one for each parent, which no call creates. */
  readonly isSingle?: true;
  readonly calls: readonly Placed[];
}

interface Group {
  readonly itemPath: string;
  readonly base: string;
  readonly key: string[];
}

const ITEM_KINDS = { get: 'retrieve', put: 'update', patch: 'update', post: 'update', delete: 'delete' } as const;

/** Finds the resources of a document, and the calls that belong to none. */
export function survey({ document, calls }: Pick<Contract, 'document' | 'calls'>): {
  readonly found: SurveyedResource[];
  readonly others: DocumentedCall[];
} {
  const byPath = new Map<string, DocumentedCall[]>();
  for (const call of calls) byPath.set(call.path, [...(byPath.get(call.path) ?? []), call]);
  const groups = [...byPath.keys()].flatMap((path) => groupOf(path, byPath));
  const bases = new Set(groups.map(({ base }) => base));
  // A collection with create and list calls is a resource even if no call reads a single object.
  for (const path of byPath.keys())
    if (!bases.has(path) && !path.endsWith('}')) groups.push({ itemPath: `${path}/{id}`, base: path, key: ['id'] });
  const taken = new Set<string>();
  const places = new Map<DocumentedCall, Group>();
  const found: SurveyedResource[] = [];
  for (const group of groups) {
    const names = nounsAt(group.base);
    const placed = callsIn(group, byPath, document);
    const isRead = placed.some(({ kind }) => kind === 'list' || kind === 'retrieve');
    const makes = placed.some(({ kind }) => kind === 'create' || kind === 'upsert');
    const shows = placed.some(
      ({ kind, call }) =>
        kind !== 'list' &&
        kind !== 'delete' &&
        shownObject(document, responseSchema(document, call), names) !== undefined,
    );
    if (!isRead || !makes || !shows || placed.some(({ call }) => places.has(call))) continue;
    for (const { call } of placed) places.set(call, group);
    const callNames = new Set<string>();
    found.push({
      name: '',
      collection: '',
      path: group.base,
      itemPath: group.itemPath,
      key: group.key,
      parents: namesIn(group.base),
      calls: placed.map((each) => ({ ...each, name: freeName(each.name, callNames) })),
    });
  }
  for (const group of groups) found.push(...madeByOthers(group, byPath, document, places));
  for (const [path, own] of byPath) {
    const placed = singleCalls(document, path, own);
    if (placed.length === 0 || own.some((call) => places.has(call))) continue;
    for (const { call } of placed) places.set(call, { itemPath: path, base: path, key: [] });
    const common = { name: '', collection: '', path, itemPath: path, key: [], parents: namesIn(path) };
    found.push({ ...common, isSingle: true, calls: placed });
  }
  // The shortest path has the plain name; longer paths with the same word add their parents' names.
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

/** The name of a collection, with its parents' names if it is taken. */
function collectionName(base: string, taken: ReadonlySet<string>): string {
  const words = wordsOf(base);
  const last = snake(words.at(-1) ?? 'things');
  if (!taken.has(last)) return last;
  return `${singular(snake(words.at(-2) ?? 'other'))}_${last}`;
}

/** Splits a path into a collection and its key, which can have several parameters: `/repos/{owner}/{repo}`. */
function groupOf(path: string, paths: ReadonlyMap<string, unknown>): Group[] {
  const parts = path.split('/');
  let from = parts.length;
  while (from > 1 && /^\{[^{}]+\}$/.test(parts[from - 1])) from--;
  if (from === parts.length || from <= 1) return [];
  // If `/repos/{owner}` is also a path, `{owner}` has objects of its own and isn't part of the key.
  while (from < parts.length - 1 && paths.has(parts.slice(0, from + 1).join('/'))) from++;
  const key = namesIn(parts.slice(from).join('/'));
  return [{ itemPath: path, base: parts.slice(0, from).join('/'), key }];
}

/** Calls of an object that exists once, such as settings: they read and change it at one path, and none creates it. */
function singleCalls(document: Document, path: string, calls: readonly DocumentedCall[]): readonly Placed[] {
  const names = nounsAt(path);
  const read = calls.find(({ method }) => method === 'get');
  const response = read && responseSchema(document, read);
  const shown = read && shownObject(document, response, names);
  if (read === undefined || shown === undefined || shown.isList === true || path.endsWith('}')) return [];
  const isChange = (call: DocumentedCall): boolean => {
    if (call.method === 'post') {
      const name = document.nameOf(shownObject(document, responseSchema(document, call), names)?.original);
      return name !== undefined && name === document.nameOf(shown.original);
    }
    return ['put', 'patch'].includes(call.method) && sendsMembers(document, call, shown);
  };
  const changes = calls.filter(isChange);
  if (changes.length === 0) return [];
  const named = changes.map((call): Placed => ({
    kind: 'update',
    name: changes.length === 1 ? 'update' : updateName(call),
    call,
  }));
  const remove = calls.find(({ method }) => method === 'delete');
  return [
    { kind: 'retrieve', name: 'retrieve', call: read },
    ...named,
    ...(remove === undefined ? [] : [{ kind: 'delete' as const, name: 'delete', call: remove }]),
  ];
}

/** Names of a collection's objects in bodies, singular and plural: `pet` and `store_pet` for `/stores/{id}/pets`. */
export function nounsAt(base: string): readonly string[] {
  const words = wordsOf(base).map(snake);
  const last = words.at(-1);
  if (last === undefined) return [];
  const above = words.at(-2);
  const many = above === undefined ? [last] : [last, `${singular(above)}_${last}`];
  return [...new Set(many.flatMap((each) => [singular(each), each]))];
}

function callsIn(group: Group, byPath: ReadonlyMap<string, DocumentedCall[]>, document: Document): Placed[] {
  const placed: Placed[] = [];
  const names = nounsAt(group.base);
  const item = byPath.get(group.itemPath) ?? [];
  const read = item.find(({ method }) => method === 'get');
  const shown = read && itemShown(document, read, byPath.get(group.base) ?? [], names);
  for (const call of byPath.get(group.base) ?? []) {
    if (call.method === 'get' && listShape(document, responseSchema(document, call), names) !== undefined)
      placed.push({ kind: 'list', name: 'list', call });
    // Some vendors create with PUT, and create or change with POST.
    if (call.method === 'put' && shown !== undefined && createsObject(document, call, shown, names))
      placed.push({ kind: 'create', name: 'create', call });
    if (
      call.method === 'post' &&
      createsObject(document, call, shown ?? itemsOf(document, byPath.get(group.base) ?? [], names), names)
    )
      placed.push({ kind: 'create', name: 'create', call });
  }
  placed.push(...madeElsewhere(group, byPath, document, shown));
  const put = item.find(({ method }) => method === 'put');
  const makes = placed.some(({ kind }) => kind === 'create');
  for (const call of item) {
    const kind = ITEM_KINDS[call.method];
    if (call === put && !makes && objectShape(document, responseSchema(document, call), names))
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
    // POST beside a GET that returns a list creates another kind of object.
    if (calls.length !== own.length) continue;
    for (const call of own) placed.push({ kind: 'action', name: snake(path.slice(prefix.length)), call });
  }
  return placed;
}

/** The items of a collection's list, as one object. */
function itemsOf(
  document: Document,
  calls: readonly DocumentedCall[],
  names: readonly string[],
): WrappedObject | undefined {
  const list = calls.find(({ method }) => method === 'get');
  const shown = list && shownObject(document, responseSchema(document, list), names);
  return shown && { ...shown, key: undefined };
}

/** The object in the response of a call about one object; the only item of a list counts if the collection has the same items. */
function itemShown(
  document: Document,
  read: DocumentedCall,
  collection: readonly DocumentedCall[],
  names: readonly string[],
): WrappedObject | undefined {
  const shown = shownObject(document, responseSchema(document, read), names);
  if (shown?.isList !== true) return shown;
  const others = collection.flatMap((call) => shownObject(document, responseSchema(document, call), names) ?? []);
  return others.some(({ original }) => JSON.stringify(original) === JSON.stringify(shown.original)) ? shown : undefined;
}

function updateName({ method }: DocumentedCall): string {
  return method === 'put' ? 'replace' : method === 'patch' ? 'update' : 'modify';
}

/** POST and GET of another path with the same last word and the same objects, such as `/user/repos` for `/repos/{owner}/{repo}`. */
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

/**
 * Objects that no call at their own path creates, such as long-running operations: calls that return one create it, unless they belong to another
 * collection.
 */
function madeByOthers(
  group: Group,
  byPath: ReadonlyMap<string, DocumentedCall[]>,
  document: Document,
  places: Map<DocumentedCall, Group>,
): SurveyedResource[] {
  const names = nounsAt(group.base);
  const placed = callsIn(group, byPath, document);
  const read = placed.find(({ kind }) => kind === 'retrieve');
  const shown = read && shownObject(document, responseSchema(document, read.call), names);
  const own = shown && Object.keys(objectOr(shown.schema['properties']));
  if (read === undefined || own === undefined || own.length < 3 || group.key.length !== 1) return [];
  if (namesIn(group.base).length > 0 || placed.some(({ kind, call }) => kind === 'create' || places.has(call)))
    return [];
  const isSame = (call: DocumentedCall): boolean => {
    const made = shownObject(document, responseSchema(document, call), names);
    if (made === undefined || made.isList === true) return false;
    const name = document.nameOf(made.original);
    if (name !== undefined) return name === document.nameOf(shown?.original);
    return Object.keys(objectOr(made.schema['properties'])).join() === own.join();
  };
  const makes = [...byPath.values()]
    .flat()
    .filter((call) => call.method === 'post' && !places.has(call) && !call.path.startsWith(group.base) && isSame(call));
  if (makes.length === 0) return [];
  const callNames = new Set<string>(placed.map(({ name }) => name));
  const calls = [
    ...placed,
    ...makes.map((call): Placed => {
      const words = wordsOf(call.path).map(snake).slice(-2);
      return { kind: 'create', name: freeName(`create_${words.join('_')}`, callNames), call };
    }),
  ];
  for (const { call } of calls) places.set(call, group);
  return [{ name: '', collection: '', path: group.base, itemPath: group.itemPath, key: group.key, parents: [], calls }];
}

/** The schema of a call's successful response. */
export function responseSchema(document: Document, { operation }: DocumentedCall): unknown {
  return successOf(document, operation)?.body?.schema;
}

/** Whether POST at a collection creates an object: it returns one, and no report about the call. */
function createsObject(
  document: Document,
  call: DocumentedCall,
  shown: WrappedObject | undefined,
  names: readonly string[],
): boolean {
  const response = responseSchema(document, call);
  const made = shownObject(document, response, namesWith(shown?.key, names));
  if (made === undefined) return response === undefined && shown !== undefined && sendsMembers(document, call, shown);
  if (shown === undefined) return made.isList !== true;
  const keys = Object.keys(objectOr(made.schema['properties']));
  const known = objectOr(shown.schema['properties']);
  if (keys.filter((key) => key in known).length * 2 >= keys.length) return true;
  // The response may contain only some members of the object, if its id is among them.
  return keys.some((key) => key in known && /(?:^|_)id$|Id$/.test(key)) && sendsMembers(document, call, shown);
}

/** Whether a call sends members of the object; if it returns nothing, this shows that it creates one. */
function sendsMembers(document: Document, call: DocumentedCall, shown: WrappedObject): boolean {
  const sent = Object.keys(objectOr(requestShape(document, call, shown.key)?.schema['properties']));
  const known = objectOr(shown.schema['properties']);
  return sent.length > 0 && sent.filter((name) => name in known).length * 2 >= sent.length;
}
