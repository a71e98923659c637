import type { DocumentedCall } from './contract.js';
import { documentBody, type Document, listOr, type Node, objectOr } from './document.js';
import { snake } from './names.js';
import { plain, schemaTypeName } from './types.js';
import { alternatives, together } from './unions.js';

/** Names of members beside an object or list that aren't part of it. */
export const BESIDE =
  /^(?:errors?|warnings?|messages?|links?|_links|included|meta|metadata|pagination|page_?info|paging|notices|violations|validation_?errors|object_?related|deprecations)$/i;

interface ListShape {
  readonly items: unknown;
  readonly key: string | undefined;
  readonly envelope: Node;
}

/** Keys that can contain an object: the one in other calls, then the object's names. */
export function namesWith(key: string | undefined, names: readonly string[]): readonly string[] {
  return key === undefined ? names : [key, ...names];
}

/** Finds the items of a list response: their schema and key (undefined if the response is the list itself). @param names of the items */
export function listShape(document: Document, given: unknown, names: readonly string[] = []): ListShape | undefined {
  const { schema } = plain(document, given);
  const holds = (value: unknown): boolean => {
    const items = objectOr(plain(document, value).schema)['items'];
    return items !== undefined && Object.keys(objectOr(together(document, items).schema['properties'])).length > 0;
  };
  if (schemaTypeName(schema) === 'array')
    return holds(given) ? { items: schema['items'], key: undefined, envelope: {} } : undefined;
  const options = alternatives(schema);
  if (options.length > 0 && !('properties' in schema))
    return options.map((each) => listShape(document, each, names)).find((each) => each !== undefined);
  const properties = objectOr(schema['properties']);
  const all = Object.entries(properties).filter(
    ([, each]) => schemaTypeName(plain(document, each).schema) === 'array' && holds(each),
  );
  const others = all.length > 1 ? all.filter(([name]) => !BESIDE.test(name)) : all;
  const named = others.length > 1 ? others.filter(([name]) => names.includes(snake(name))) : [];
  const lists = named.length === 1 ? named : others;
  // An object with an id and a list member is no page, and neither is an object beside its errors.
  if (lists.length !== 1 || 'id' in properties || BESIDE.test(lists[0][0])) return undefined;
  const [key, holder] = lists[0];
  return { items: plain(document, holder).schema['items'], key, envelope: properties };
}

/** An object in a request or response, and the key that wraps it. */
export interface WrappedObject {
  readonly schema: Node;
  readonly key: string | undefined;
  readonly original: unknown;
  /** It is the only item of a list. */
  readonly isList?: true;
}

/**
 * The object in the response of a call about one object, which can be the only item of a list.
 * @param names keys that can contain it, most likely first
 */
export function shownObject(
  document: Document,
  given: unknown,
  names: readonly string[] = [],
): WrappedObject | undefined {
  const object = objectShape(document, given, names);
  const list = object === undefined && given !== undefined ? listShape(document, given, names) : undefined;
  if (list === undefined) return object;
  return { schema: together(document, list.items).schema, key: list.key, original: list.items, isList: true };
}

/** Path of the object in a request, for expressions. */
export function placeInRequest({ key, isList }: Pick<WrappedObject, 'key' | 'isList'>): string | undefined {
  return key === undefined ? undefined : `${key}${isList === true ? '[0]' : ''}`;
}

/**
 * The schema of the object in a body. Alternatives that are such objects are merged; else the first that wraps one is used.
 * @param names keys that can contain it, most likely first
 */
export function objectShape(
  document: Document,
  given: unknown,
  names: readonly string[] = [],
): WrappedObject | undefined {
  if (given === undefined) return undefined;
  const { schema: own } = plain(document, given);
  const options = alternatives(own);
  if (options.length > 0 && !('properties' in own)) {
    const shapes = options.flatMap((each) => objectShape(document, each, names) ?? []);
    const wrapping = shapes.find(({ key }) => key !== undefined);
    if (wrapping !== undefined || shapes.length === 0) return wrapping;
  }
  const { schema } = together(document, given);
  const properties = Object.entries(objectOr(schema['properties']));
  if (properties.length === 0) return undefined;
  const inner = properties.filter(
    ([name, each]) =>
      !BESIDE.test(name) && Object.keys(objectOr(together(document, each).schema['properties'])).length > 0,
  );
  const called = names
    .map((own) => inner.find(([name]) => name === own || snake(name) === own))
    .find((each) => each !== undefined);
  // A member named after the collection is its object, whatever is beside it: `{server, action, next_actions}`.
  if (called !== undefined && !properties.some(([name]) => isIdOf(snake(name), names)))
    return { schema: together(document, called[1]).schema, key: called[0], original: called[1] };
  if (listShape(document, given, names) !== undefined) return undefined;
  const others = properties.filter(([name]) => !BESIDE.test(name));
  const hasId = properties.some(([name]) => /(^|_)id$|Id$|ID$/.test(name));
  const within =
    called ??
    inner.find(([name]) => name === 'data') ??
    (inner.length === 1 && others.length <= 2 ? inner[0] : undefined);
  if (hasId || within === undefined || others.length > 4) return { schema, key: undefined, original: given };
  return { schema: together(document, within[1]).schema, key: within[0], original: within[1] };
}

const isIdOf = (name: string, names: readonly string[]): boolean =>
  name === 'id' || names.some((each) => name === `${each}_id`);

/** The object in a request, unwrapped if responses use the same wrapper. */
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

/** Names in a schema's `required` list. */
export function requiredNames(schema: Node): ReadonlySet<unknown> {
  return new Set(listOr(schema['required']));
}
