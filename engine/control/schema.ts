import type { Json, JsonObject } from '../values/index.js';

/** What a value of the control API's contract is: JSON Schema, and its type for the compiler. */
export class ContractSchema<T> {
  /** Only for the compiler. */
  declare readonly value: T;

  constructor(readonly json: JsonObject) {}

  /** The same with a description, and with further words of JSON Schema. */
  about(description: string, more: JsonObject = {}): ContractSchema<T> {
    return this.with({ description, ...more });
  }

  /** The same with further words of JSON Schema. */
  with(words: JsonObject): ContractSchema<T> {
    return new ContractSchema({ ...this.json, ...words });
  }

  /** The same as a member that may be left out. */
  optional(): OptionalMember<T> {
    return new OptionalMember(this);
  }

  /** The same, or null. */
  orNull(): ContractSchema<T | null> {
    const { type, ...rest } = this.json;
    const isPlain = typeof type === 'string' && !('properties' in rest);
    return new ContractSchema(isPlain ? { type: [type, 'null'], ...rest } : { anyOf: [this.json, { type: 'null' }] });
  }
}

/** A member of an object that may be left out. */
class OptionalMember<T> {
  constructor(readonly schema: ContractSchema<T>) {}
}

/** The type that a schema describes. */
export type Shown<S> = S extends ContractSchema<infer T> ? T : S extends OptionalMember<infer T> ? T : never;

type Members = Readonly<Record<string, ContractSchema<unknown> | OptionalMember<unknown>>>;

type ObjectOf<M extends Members> = {
  readonly [K in keyof M as M[K] extends ContractSchema<unknown> ? K : never]: Shown<M[K]>;
} & { readonly [K in keyof M as M[K] extends ContractSchema<unknown> ? never : K]?: Shown<M[K]> };

export const any = new ContractSchema<Json>({});
export const string = new ContractSchema<string>({ type: 'string' });
export const integer = new ContractSchema<number>({ type: 'integer' });
export const number = new ContractSchema<number>({ type: 'number' });
export const boolean = new ContractSchema<boolean>({ type: 'boolean' });

/** An object with any members. */
export const map = new ContractSchema<object>({ type: 'object', additionalProperties: true });

/** An object whose members are all of one kind. */
export function mapOf<T>({ json }: ContractSchema<T>): ContractSchema<Readonly<Record<string, T>>> {
  return new ContractSchema({ type: 'object', additionalProperties: json });
}

export function list<T>({ json }: ContractSchema<T>): ContractSchema<readonly T[]> {
  return new ContractSchema({ type: 'array', items: json });
}

export function literal<const T extends string | boolean>(value: T): ContractSchema<T> {
  return new ContractSchema({ const: value });
}

/** One of some words. */
export function oneOf<const T extends string>(...values: readonly T[]): ContractSchema<T> {
  return new ContractSchema({ enum: values });
}

/** One of some schemas. */
export function union<T>(...schemas: readonly ContractSchema<T>[]): ContractSchema<T> {
  return new ContractSchema({ oneOf: schemas.map(({ json }) => json) });
}

/** An object with these members and no others. */
export function object<M extends Members>(members: M): ContractSchema<ObjectOf<M>> {
  return objectOf(members, false);
}

/** An object with these members; there may be others. */
export function open<M extends Members>(members: M): ContractSchema<ObjectOf<M>> {
  return objectOf(members, true);
}

function objectOf<M extends Members>(members: M, additionalProperties: boolean): ContractSchema<ObjectOf<M>> {
  const all = Object.entries(members);
  const required = all.flatMap(([name, each]) => (each instanceof ContractSchema ? [name] : []));
  return new ContractSchema({
    type: 'object',
    properties: Object.fromEntries(
      all.map(([name, each]) => [name, each instanceof ContractSchema ? each.json : each.schema.json]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties,
  });
}

const definitions = new Map<string, JsonObject>();

/** A schema with a name of its own in the contract; wherever it is used there is a reference. */
export function named<T>(name: string, { json }: ContractSchema<T>): ContractSchema<T> {
  if (definitions.has(name)) throw new Error(`two schemas are named ${name}`);
  definitions.set(name, json);
  return new ContractSchema({ $ref: `#/components/schemas/${name}` });
}

/** Every schema that has a name, by names. */
export function namedSchemas(): JsonObject {
  return Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
}
