import type { Json, JsonObject } from '../values/index.js';

/** A JSON Schema in the control API's contract, with its TypeScript type. */
export class ContractSchema<T> {
  /** The type that the schema describes, for the compiler only. */
  declare readonly value: T;

  constructor(readonly json: JsonObject) {}

  /** Makes a copy with a description, and with further keywords of JSON Schema. */
  about(description: string, more: JsonObject = {}): ContractSchema<T> {
    return this.with({ description, ...more });
  }

  /** Makes a copy with further keywords of JSON Schema. */
  with(words: JsonObject): ContractSchema<T> {
    return new ContractSchema({ ...this.json, ...words });
  }

  /** Makes an optional member of an object with this schema. */
  optional(): OptionalMember<T> {
    return new OptionalMember(this);
  }

  /** Makes a schema that also allows null. */
  orNull(): ContractSchema<T | null> {
    const { type, ...rest } = this.json;
    const isPlain = typeof type === 'string' && !('properties' in rest);
    return new ContractSchema(isPlain ? { type: [type, 'null'], ...rest } : { anyOf: [this.json, { type: 'null' }] });
  }
}

/** An optional member of an object. */
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

/** An object whose members share one schema. */
export function mapOf<T>({ json }: ContractSchema<T>): ContractSchema<Readonly<Record<string, T>>> {
  return new ContractSchema({ type: 'object', additionalProperties: json });
}

export function list<T>({ json }: ContractSchema<T>): ContractSchema<readonly T[]> {
  return new ContractSchema({ type: 'array', items: json });
}

export function literal<const T extends string | boolean>(value: T): ContractSchema<T> {
  return new ContractSchema({ const: value });
}

/** A schema of one of several words. */
export function oneOf<const T extends string>(...values: readonly T[]): ContractSchema<T> {
  return new ContractSchema({ enum: values });
}

/** A schema of values that one of several schemas describes. */
export function union<T>(...schemas: readonly ContractSchema<T>[]): ContractSchema<T> {
  return new ContractSchema({ oneOf: schemas.map(({ json }) => json) });
}

/** An object with these members and no others. */
export function object<M extends Members>(members: M): ContractSchema<ObjectOf<M>> {
  return objectOf(members, false);
}

/** An object with these members and any others. */
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

/** A named schema of the contract; uses become references. */
export function named<T>(name: string, { json }: ContractSchema<T>): ContractSchema<T> {
  if (definitions.has(name)) throw new Error(`two schemas are named ${name}`);
  definitions.set(name, json);
  return new ContractSchema({ $ref: `#/components/schemas/${name}` });
}

/** All named schemas, by name. */
export function namedSchemas(): JsonObject {
  return Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
}
