import { isObject, type Json } from '../../../engine/values/index.js';
import type { Contract } from '../contract.js';
import { type Document, listOr, type Node, objectOr } from '../document.js';
import { snake } from '../names.js';
import { plain, schemaTypeName } from '../types.js';

/** Path of an object in a response: keys, and 0 for the first item of a list. */
type Place = readonly (string | number)[];

const MOST_LEVELS = 3;

/** An object in a response and the properties of its schema. */
interface Holder {
  readonly place: Place;
  readonly properties: Node;
}

/** Objects in a response by its schema, the outermost first. */
export function holdersOf(document: Document, given: unknown): readonly Holder[] {
  const found: Holder[] = [];
  let level: { readonly place: Place; readonly schema: unknown }[] = [{ place: [], schema: given }];
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { place, schema } of level) {
      const items = plain(document, schema).schema;
      if (schemaTypeName(items) === 'array') next.push({ place: [...place, 0], schema: items['items'] });
      const properties = propertiesOf(document, schema);
      if (Object.keys(properties).length === 0) continue;
      found.push({ place, properties });
      for (const [key, each] of Object.entries(properties)) next.push({ place: [...place, key], schema: each });
    }
    level = next;
  }
  return found;
}

/** Properties of a schema, including those of all alternatives. */
export function propertiesOf(document: Document, given: unknown, depth = 0): Node {
  const { schema } = plain(document, given);
  const options = depth > 3 ? [] : ['oneOf', 'anyOf'].flatMap((key) => listOr(schema[key]));
  return Object.assign(
    {},
    ...options.map((each) => propertiesOf(document, each, depth + 1)),
    objectOr(schema['properties']),
  ) as Node;
}

/** The object of a response with the most members of the request; undefined if it shares none. */
function holderOf(document: Document, schema: unknown, sent: Json): Holder | undefined {
  const names = Object.keys(isObject(sent) ? sent : {}).map(snake);
  const shared = ({ properties }: Holder): number => {
    const known = new Set(Object.keys(properties).map(snake));
    return names.filter((name) => known.has(name)).length;
  };
  return holdersOf(document, schema)
    .map((holder) => ({ holder, count: shared(holder) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)[0]?.holder;
}

/** The object in a request, without a wrapper key or a list around it. */
function unwrapped(sent: Json): Json {
  if (Array.isArray(sent)) return sent.length === 1 ? unwrapped(sent[0] as Json) : sent;
  const [only, ...others] = Object.values(isObject(sent) ? sent : {});
  return only !== undefined && others.length === 0 && (isObject(only) || Array.isArray(only)) ? unwrapped(only) : sent;
}

/**
 * The reason why a response lacks values of the request that its schema has a member for; null if it has all.
 * @param sent values that the client needs back
 */
export function missingOf(contract: Contract, schema: unknown, sent: Json, body: Json): string | null {
  for (const each of [sent, unwrapped(sent)]) {
    const holder = holderOf(contract.document, schema, each);
    if (holder === undefined) continue;
    const got = at(body, holder.place);
    return isObject(got)
      ? difference(contract, holder.properties, each, got, '')
      : `the response has no object at ${holder.place.join('.') || 'its top'}`;
  }
  return null;
}

function difference(
  contract: Contract,
  properties: Node,
  sent: Json,
  got: Readonly<Record<string, Json>>,
  path: string,
): string | null {
  const byName = new Map(Object.keys(properties).map((name) => [snake(name), name]));
  for (const [name, value] of Object.entries(isObject(sent) ? sent : {})) {
    const own = byName.get(snake(name));
    const property = own === undefined ? undefined : properties[own];
    if (own === undefined || plain(contract.document, property).schema['writeOnly'] === true || value === null)
      continue;
    const there = got[own];
    const said = `${path}${own}`;
    const inside = propertiesOf(contract.document, property);
    if (isObject(value) && Object.keys(inside).length > 0) {
      if (there === undefined || there === null) {
        if (demands(contract, property, value)) return `${said} is missing`;
      } else if (isObject(there)) {
        const inner = difference(contract, inside, value, there, `${said}.`);
        if (inner !== null) return inner;
      }
      continue;
    }
    const asList = demands(contract, property, [value]);
    if (!demands(contract, property, value) && !asList) continue;
    if (!isSame(value, there) && !(asList && isSame([value], there)))
      return `${said} is ${short(there)}, not ${short(value)}`;
  }
  return null;
}

/** Whether a response's schema accepts a value as it was sent. */
function demands(contract: Contract, property: unknown, value: Json): boolean {
  return contract.errors(property, value).length === 0;
}

/** Equality that ignores additional members and the format of times. */
function isSame(sent: Json, got: Json | undefined): boolean {
  if (got === undefined) return false;
  if (Array.isArray(sent))
    return (
      Array.isArray(got) &&
      got.length === sent.length &&
      sent.every((each, index) => isSame(each as Json, got[index] as Json))
    );
  if (isObject(sent)) return isObject(got) && Object.entries(sent).every(([name, each]) => isSame(each, got[name]));
  if (sent === got) return true;
  if (typeof sent === 'string' && typeof got === 'string' && /^\d{4}-\d\d-\d\d/.test(sent))
    return Date.parse(sent) === Date.parse(got);
  return false;
}

/** The value at a path in a response. */
function at(value: Json | undefined, place: Place): Json | undefined {
  return place.reduce<Json | undefined>(
    (held, key) =>
      typeof held === 'object' && held !== null ? (held as Record<string | number, Json>)[key] : undefined,
    value,
  );
}

const short = (value: Json | undefined): string => JSON.stringify(value ?? null).slice(0, 60);
