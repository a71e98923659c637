import type { Allowances } from './allowances.js';
import type { Declarations, DeclaredSchema } from './extract.js';

/** The allowed values by JSON type. A union merges its members' shapes, so that a value's type selects the branch; only unions of objects remain. */
export interface Shape {
  /** Every value is allowed. */
  any: boolean;
  null: boolean;
  number: boolean;
  booleans: readonly boolean[];
  /** `true`: any string; otherwise the enum's values (empty: no string is allowed). */
  strings: true | ReadonlySet<string>;
  /** Shape of array elements; null if no array is allowed. */
  items: Shape | null;
  objects: readonly ObjectShape[];
}

/** The `object` of events in the API's second version. */
export const THIN_EVENT = 'v2.core.event';

/** A declared object. Fields are read on first use, because declarations refer to each other in circles. */
export class ObjectShape {
  /** The API object's name (`object` constant), null for a plain nested object. */
  readonly resource: string | null;
  /** Whether this is the deleted form (`deleted: true`). */
  readonly deleted: boolean;
  #fields: ReadonlyMap<string, Shape> | null = null;
  #readFields: () => ReadonlyMap<string, Shape>;

  constructor(
    readonly name: string,
    properties: Readonly<Record<string, DeclaredSchema>>,
    readonly required: readonly string[],
    /** Shape of the values of undeclared keys; null if they aren't allowed. */
    readonly rest: Shape | null,
    readFields: () => ReadonlyMap<string, Shape>,
  ) {
    this.resource = textOr(properties.object, null);
    this.deleted = properties.deleted?.const === true;
    this.#readFields = readFields;
  }

  get fields(): ReadonlyMap<string, Shape> {
    this.#fields ??= this.#readFields();
    return this.#fields;
  }

  /** A copy of the declaration in which `id` may be null or absent, as in the preview of an upcoming invoice. */
  withoutId(): ObjectShape {
    const fields = new Map(this.fields);
    const id = fields.get('id');
    if (id) fields.set('id', { ...id, null: true });
    const required = this.required.filter((key) => key !== 'id');
    return new ObjectShape(
      this.name,
      { object: { const: this.resource ?? undefined } },
      required,
      this.rest,
      () => fields,
    );
  }
}

const nothing: Shape = {
  any: false,
  null: false,
  number: false,
  booleans: [],
  strings: new Set(),
  items: null,
  objects: [],
};
const anything: Shape = { ...nothing, any: true };

/** The shapes of all declarations, read lazily from the generator's JSON Schemas. */
export class Shapes {
  readonly #objects = new Map<string, ObjectShape>();
  readonly #resources = new Map<string, string>();
  /** Event declarations of the API's second version by event type; the default is under the empty name. */
  readonly #thin = new Map<string, string>();

  constructor(
    readonly declarations: Declarations,
    readonly allowances: Allowances,
  ) {
    for (const [name, { properties = {} }] of Object.entries(declarations.definitions)) {
      const object = textOr(properties.object, null);
      if (object === THIN_EVENT) this.#thin.set(textOr(properties.type, ''), name);
      else if (object !== null) this.#resources.set(resourceKey(object, properties.deleted?.const === true), name);
    }
  }

  /** The declaration of an API object by its `object` constant, or of its deleted form. */
  resource(object: string, deleted: boolean): Shape | undefined {
    const name = this.#resources.get(resourceKey(object, deleted));
    return name === undefined ? undefined : this.named(name);
  }

  /** The declaration of an event of the API's second version. */
  thinEvent(type: string): Shape {
    return this.named(this.#thin.get(type) ?? this.#thin.get('') ?? THIN_EVENT);
  }

  /** Whether the declarations contain this name. */
  has(name: string): boolean {
    return name in this.declarations.definitions;
  }

  /** The shape of a named declaration. Throws if it is missing. */
  named(name: string): Shape {
    const known = this.#objects.get(name);
    if (known) return { ...nothing, objects: [known] };
    return this.#read(this.declarations.definitions[name], name);
  }

  /** The envelope of a list (`ApiList`, `ApiSearchResult`) with items of any shape. */
  envelope(kind: 'ApiList' | 'ApiSearchResult'): ObjectShape {
    const list = this.named(`Stripe.${kind}<Stripe.Charge>`).objects[0];
    const fields = new Map(list.fields).set('data', { ...nothing, items: anything });
    return new ObjectShape(
      `Stripe.${kind}`,
      { object: { const: list.resource ?? undefined } },
      list.required,
      null,
      () => fields,
    );
  }

  #read(schema: DeclaredSchema, name: string): Shape {
    if (schema.$ref !== undefined) return this.named(schema.$ref.replace('#/definitions/', ''));
    if (schema.anyOf) return schema.anyOf.map((option) => this.#read(option, name)).reduce(merged, nothing);
    switch (schema.type) {
      case undefined:
        return anything;
      case 'null':
        return { ...nothing, null: true };
      case 'number':
        return { ...nothing, number: true };
      case 'boolean':
        return { ...nothing, booleans: typeof schema.const === 'boolean' ? [schema.const] : [true, false] };
      case 'string':
        return { ...nothing, strings: this.#strings(schema, name) };
      case 'array':
        return { ...nothing, items: schema.items ? this.#read(schema.items, `${name}[]`) : anything };
      case 'object':
        return { ...nothing, objects: [this.#object(schema, name)] };
    }
  }

  #strings({ const: only, enum: values }: DeclaredSchema, name: string): true | ReadonlySet<string> {
    if (typeof only === 'string') return new Set([only]);
    return values === undefined || new Set([...values, ...(this.allowances.values[name] ?? [])]);
  }

  #object(schema: DeclaredSchema, name: string): ObjectShape {
    const generic = name.replace(/<.*/, '');
    const clientOnly = this.allowances.clientOnly[generic] ?? [];
    const { properties = {}, required = [] } = schema;
    const needed = required.filter((key) => !clientOnly.includes(key));
    const shape = new ObjectShape(name, properties, needed, this.#rest(schema, name), () => {
      const fields = new Map<string, Shape>();
      for (const [key, field] of Object.entries(properties)) {
        const never = key === 'deleted' && field.type === 'null'; // declared as `deleted?: void`
        if (!never && !clientOnly.includes(key)) fields.set(key, this.#read(field, `${name}.${key}`));
      }
      for (const key of this.allowances.keys[generic] ?? []) fields.set(key, anything);
      return fields;
    });
    if (schema === this.declarations.definitions[name]) this.#objects.set(name, shape);
    return shape;
  }

  /** An interface without members declares an object with any content, not an empty one. */
  #rest({ properties, additionalProperties: more }: DeclaredSchema, name: string): Shape | null {
    if (more) return this.#read(more, `${name}.*`);
    return properties === undefined ? anything : null;
  }
}

/** The constant value of a string member, or a default. */
function textOr<T>(member: DeclaredSchema | undefined, otherwise: T): string | T {
  return typeof member?.const === 'string' ? member.const : otherwise;
}

function merged(one: Shape, other: Shape): Shape {
  return {
    any: one.any || other.any,
    null: one.null || other.null,
    number: one.number || other.number,
    booleans: [...new Set([...one.booleans, ...other.booleans])],
    strings: one.strings === true || other.strings === true ? true : new Set([...one.strings, ...other.strings]),
    items: one.items && other.items ? merged(one.items, other.items) : (one.items ?? other.items),
    objects: [...new Set([...one.objects, ...other.objects])],
  };
}

function resourceKey(object: string, deleted: boolean): string {
  return deleted ? `${object} (deleted)` : object;
}
