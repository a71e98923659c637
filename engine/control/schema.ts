import type { Json, JsonObject } from '../values/index.js';

/** What a value of the control API's contract is: JSON Schema, and its type for the compiler. */
export class Schema<T> {
  /** Only for the compiler. */
  declare readonly value: T;

  constructor(readonly json: JsonObject) {}

  /** The same with a description, and with further words of JSON Schema. */
  about(description: string, more: JsonObject = {}): Schema<T> {
    return this.with({ description, ...more });
  }

  /** The same with further words of JSON Schema. */
  with(words: JsonObject): Schema<T> {
    return new Schema({ ...this.json, ...words });
  }

  /** The same as a member that may be left out. */
  optional(): OptionalMember<T> {
    return new OptionalMember(this);
  }

  /** The same, or null. */
  orNull(): Schema<T | null> {
    const { type, ...rest } = this.json;
    const isPlain = typeof type === 'string' && !('properties' in rest);
    return new Schema(isPlain ? { type: [type, 'null'], ...rest } : { anyOf: [this.json, { type: 'null' }] });
  }
}

/** A member of an object that may be left out. */
class OptionalMember<T> {
  constructor(readonly schema: Schema<T>) {}
}

/** The type that a schema describes. */
export type Shown<S> = S extends Schema<infer T> ? T : S extends OptionalMember<infer T> ? T : never;

type Members = Readonly<Record<string, Schema<unknown> | OptionalMember<unknown>>>;

type ObjectOf<M extends Members> = {
  readonly [K in keyof M as M[K] extends Schema<unknown> ? K : never]: Shown<M[K]>;
} & { readonly [K in keyof M as M[K] extends Schema<unknown> ? never : K]?: Shown<M[K]> };

export const any = new Schema<Json>({});
export const string = new Schema<string>({ type: 'string' });
export const integer = new Schema<number>({ type: 'integer' });
export const number = new Schema<number>({ type: 'number' });
export const boolean = new Schema<boolean>({ type: 'boolean' });

/** An object with any members. */
export const map = new Schema<object>({ type: 'object', additionalProperties: true });

/** An object whose members are all of one kind. */
export function mapOf<T>({ json }: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return new Schema({ type: 'object', additionalProperties: json });
}

export function list<T>({ json }: Schema<T>): Schema<readonly T[]> {
  return new Schema({ type: 'array', items: json });
}

export function literal<const T extends string | boolean>(value: T): Schema<T> {
  return new Schema({ const: value });
}

/** One of some words. */
export function oneOf<const T extends string>(...values: readonly T[]): Schema<T> {
  return new Schema({ enum: values });
}

/** One of some schemas. */
export function union<T>(...schemas: readonly Schema<T>[]): Schema<T> {
  return new Schema({ oneOf: schemas.map(({ json }) => json) });
}

/** An object with these members and no others. */
export function object<M extends Members>(members: M): Schema<ObjectOf<M>> {
  return objectOf(members, false);
}

/** An object with these members; there may be others. */
export function open<M extends Members>(members: M): Schema<ObjectOf<M>> {
  return objectOf(members, true);
}

function objectOf<M extends Members>(members: M, additionalProperties: boolean): Schema<ObjectOf<M>> {
  const all = Object.entries(members);
  const required = all.flatMap(([name, each]) => (each instanceof Schema ? [name] : []));
  return new Schema({
    type: 'object',
    properties: Object.fromEntries(
      all.map(([name, each]) => [name, each instanceof Schema ? each.json : each.schema.json]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties,
  });
}

const definitions = new Map<string, JsonObject>();

/** A schema with a name of its own in the contract; wherever it is used there is a reference. */
export function named<T>(name: string, { json }: Schema<T>): Schema<T> {
  if (definitions.has(name)) throw new Error(`two schemas are named ${name}`);
  definitions.set(name, json);
  return new Schema({ $ref: `#/components/schemas/${name}` });
}

/** Every schema that has a name, by names. */
export function namedSchemas(): JsonObject {
  return Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
}
