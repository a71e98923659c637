/**
 * Static types of the expression language. Every type includes null: a null or missing member evaluates to null, so the checker
 * finds misspelt names and wrong types, not possible nulls.
 */
export type Type =
  | { readonly kind: 'any'; readonly address?: OfAddress }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly address?: OfAddress }
  | {
      readonly kind: 'string';
      readonly address?: OfAddress;
      readonly values?: readonly string[];
      /** For a reference: the resources whose ids it may be. */
      readonly refs?: readonly string[];
    }
  | { readonly kind: 'duration' }
  | { readonly kind: 'list'; readonly of: Type }
  | {
      readonly kind: 'map';
      readonly of: Type;
      /** The declared members of an object that takes others too. */
      readonly known?: ReadonlyMap<string, Type>;
    }
  | {
      readonly kind: 'object';
      readonly name?: string;
      readonly fields: ReadonlyMap<string, Type>;
      readonly resource?: string;
      /** Fields that are computed for responses alone. */
      readonly computed?: ReadonlySet<string>;
    };

/** Whether a value contains the world's address, or was computed from it (encoded, hashed, cut). */
export type OfAddress = 'part' | 'computed';

export const ANY: Type = { kind: 'any' };
/** The type of an expression whose problem was already reported: accepted everywhere, as `ANY` is. */
export const MISTAKEN: Type = { kind: 'any' };
export const NULL: Type = { kind: 'null' };
export const BOOLEAN: Type = { kind: 'boolean' };
export const NUMBER: Type = { kind: 'number' };
export const STRING: Type = { kind: 'string' };
/** The type of `base_url`. */
export const ADDRESS: Type = { kind: 'string', address: 'part' };
export const DURATION: Type = { kind: 'duration' };

/** A list type. */
export function listType(of: Type): Type {
  return { kind: 'list', of };
}

/** The type of `[]`; joined with the type of another list, the result is the other type. */
export const EMPTY_LIST: Type = listType(ANY);

/** A map type with free keys. */
export function mapType(of: Type): Type {
  return { kind: 'map', of };
}

/** An object type with these members. */
export function objectType(
  fields: Iterable<readonly [string, Type]>,
  name?: string,
  resource?: string,
): Extract<Type, { kind: 'object' }> {
  return { kind: 'object', fields: new Map(fields), name, resource };
}

/** Describes a type in messages. */
export function describeType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return type.of.kind === 'any' ? 'a list' : `a list of ${describeType(type.of)}`;
    case 'map':
      return 'a map';
    case 'object':
      return type.name ? `an object (${type.name})` : 'an object';
    case 'any':
      return 'anything';
    case 'null':
      return 'null';
    default:
      return `a ${type.kind}`;
  }
}

/** Whether a value of type `from` can be used as `to`. */
export function accepts(to: Type, from: Type): boolean {
  if (to.kind === 'any' || from.kind === 'any' || from.kind === 'null' || to.kind === 'null') return true;
  if (to.kind === 'list') return from.kind === 'list' && accepts(to.of, from.of);
  if (to.kind === 'map') {
    if (from.kind === 'map') return accepts(to.of, from.of);
    return from.kind === 'object';
  }
  if (to.kind === 'object') {
    if (from.kind === 'map') return to.resource === undefined;
    if (from.kind !== 'object') return false;
    if (to.resource !== undefined) return from.resource === to.resource;
    for (const [key, type] of from.fields) {
      const wanted = to.fields.get(key);
      if (wanted !== undefined && !accepts(wanted, type)) return false;
    }
    return true;
  }
  if (to.kind === 'string' && from.kind === 'string' && to.values && from.values) {
    return from.values.some((value) => to.values?.includes(value));
  }
  return to.kind === from.kind;
}

/** The problem of an id that is used where ids of other resources belong; undefined: none. */
export function wrongId(to: Type, from: Type): string | undefined {
  if (to.kind === 'list' && from.kind === 'list') return wrongId(to.of, from.of);
  const [wanted, given] = [refsOf(to), refsOf(from)];
  if (wanted.length === 0 || given.length === 0 || given.some((name) => wanted.includes(name))) return undefined;
  return `the id of ${named(wanted)}, not of ${named(given)}`;
}

function refsOf(type: Type): readonly string[] {
  return type.kind === 'string' ? (type.refs ?? []) : [];
}

/** Names of types joined in a sentence: `a parcel or an address`. */
function named(resources: readonly string[]): string {
  return resources.map(withArticle).join(' or ');
}

/** A noun with its article. */
export function withArticle(noun: string): string {
  return `${/^(?!us|uni|eu|one)[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Returns the narrowest type that includes both types. */
export function join(a: Type, b: Type): Type {
  if (a === b) return a;
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a === EMPTY_LIST && b.kind === 'list') return b;
  if (b === EMPTY_LIST && a.kind === 'list') return a;
  if (a.kind === 'list' && b.kind === 'list') return listType(join(a.of, b.of));
  if (a.kind === 'string' && b.kind === 'string') {
    if (a.refs && b.refs) return { kind: 'string', refs: [...new Set([...a.refs, ...b.refs])] };
    if (a.values && b.values) return { kind: 'string', values: [...new Set([...a.values, ...b.values])] };
    return ofAddress(STRING, addressIn(a) ?? addressIn(b));
  }
  if (a.kind === 'object' && b.kind === 'object') {
    if (a.resource !== undefined && a.resource === b.resource) return a;
    return mapType(ofAddress(ANY, addressIn(a) ?? addressIn(b)));
  }
  const address = addressIn(a) ?? addressIn(b);
  if ((a.kind === 'object' || a.kind === 'map') && (b.kind === 'object' || b.kind === 'map'))
    return mapType(ofAddress(ANY, address));
  return ofAddress(a.kind === b.kind ? a : ANY, address);
}

/** Whether values of a type contain the address, or were computed from it; undefined: neither, or undetermined. */
export function addressIn(type: Type): OfAddress | undefined {
  switch (type.kind) {
    case 'list':
    case 'map':
      return addressIn(type.of);
    case 'object': {
      if (type.resource !== undefined || type.name !== undefined) return undefined;
      const all = [...type.fields.values()].map(addressIn);
      return all.includes('computed') ? 'computed' : all.find((each) => each !== undefined);
    }
    case 'any':
    case 'string':
    case 'number':
      return type.address;
    default:
      return undefined;
  }
}

/** Returns a type of values that contain the address, or were computed from it. */
export function ofAddress(type: Type, address: OfAddress | undefined): Type {
  if (address === undefined) return type;
  switch (type.kind) {
    case 'list':
      return listType(ofAddress(type.of, address));
    case 'map':
      return mapType(ofAddress(type.of, address));
    case 'any':
    case 'string':
    case 'number':
      return type.address === 'computed' ? type : { ...type, address };
    default:
      return type;
  }
}
