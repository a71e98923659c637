import type { Allowances } from './allowances.js';
import type { Declarations, DeclaredObject, DeclaredValue } from './extract.js';

/** The allowed values by JSON type. A union merges its members' shapes, so that a value's type selects the branch; only unions of objects remain. */
export interface Shape {
  /** Whether every value is allowed. */
  any: boolean;
  null: boolean;
  number: boolean;
  booleans: readonly boolean[];
  /** Allowed strings: `true` for any string, otherwise the enum's values (empty: no string is allowed). */
  strings: true | ReadonlySet<string>;
  /** Shape of array elements; null if no array is allowed. */
  items: Shape | null;
  objects: readonly ObjectShape[];
}

/** The `object` of events in the API's second version. */
export const THIN_EVENT = 'v2.core.event';

/** A declared object. Fields are read on first use, because declarations refer to each other in circles. */
export class ObjectShape {
  #fields: ReadonlyMap<string, Shape> | null = null;

  constructor(
    readonly name: string,
    /** The API object's name (`object` constant), null for a plain nested object. */
    readonly resource: string | null,
    /** Whether the declaration is the deleted form (`deleted: true`) of the object. */
    readonly deleted: boolean,
    readonly required: readonly string[],
    /** Shape of the values of undeclared keys; null if they aren't allowed. */
    readonly rest: Shape | null,
    private readonly readFields: () => ReadonlyMap<string, Shape>,
  ) {}

  get fields(): ReadonlyMap<string, Shape> {
    this.#fields ??= this.readFields();
    return this.#fields;
  }

  /** Copies the declaration, and replaces the shape of one field. */
  withField(key: string, shape: Shape, required = this.required): ObjectShape {
    const fields = () => new Map(this.fields).set(key, shape);
    return new ObjectShape(this.name, this.resource, this.deleted, required, this.rest, fields);
  }

  /** Copies the declaration so that `id` may be null or absent, as in the preview of an upcoming invoice. */
  withoutId(): ObjectShape {
    const id = this.fields.get('id');
    const required = this.required.filter((key) => key !== 'id');
    return id ? this.withField('id', { ...id, null: true }, required) : this;
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

/** The shapes of all declarations, read on first use. */
export class Shapes {
  readonly #objects = new Map<string, ObjectShape>();
  readonly #resources = new Map<string, string>();
  /** Event declarations of the API's second version by event type; the default is under the empty name. */
  readonly #thin = new Map<string, string>();

  constructor(
    readonly declarations: Declarations,
    readonly allowances: Allowances,
  ) {
    for (const [name, { fields }] of Object.entries(declarations.definitions)) {
      const object = constantOf(fields['object']);
      if (object === THIN_EVENT) this.#thin.set(constantOf(fields['type']) ?? '', name);
      else if (object !== null) this.#resources.set(resourceKey(object, isDeleted(fields)), name);
    }
  }

  /** Returns the declaration of an API object by its `object` constant, or of its deleted form. */
  resource(object: string, deleted: boolean): Shape | undefined {
    const name = this.#resources.get(resourceKey(object, deleted));
    return name === undefined ? undefined : this.named(name);
  }

  /** Returns the declaration of an event of the API's second version. */
  thinEvent(type: string): Shape {
    return this.named(this.#thin.get(type) ?? this.#thin.get('') ?? THIN_EVENT);
  }

  /** Whether the declarations contain this name. */
  has(name: string): boolean {
    return name in this.declarations.definitions;
  }

  /** Returns the shape of a named declaration. @throws Error if there is none */
  named(name: string): Shape {
    const known = this.#objects.get(name) ?? this.#object(this.declarations.definitions[name], name);
    this.#objects.set(name, known);
    return { ...nothing, objects: [known] };
  }

  /** Returns the envelope of a list (`ApiList`, `ApiSearchResult`) with items of any shape. */
  envelope(kind: 'ApiList' | 'ApiSearchResult'): ObjectShape {
    const [list] = this.named(`Stripe.${kind}<Stripe.Charge>`).objects;
    return list.withField('data', { ...nothing, items: anything });
  }

  #read({ strings = [], items, objects = [], ...plain }: DeclaredValue, name: string): Shape {
    const more = strings === true || strings.length === 0 ? [] : (this.allowances.values[name] ?? []);
    return {
      ...nothing,
      ...plain,
      strings: strings === true || new Set([...strings, ...more]),
      items: items ? this.#read(items, `${name}[]`) : null,
      objects: objects.flatMap((each) =>
        typeof each === 'string' ? this.named(each).objects : this.#object(each, name),
      ),
    };
  }

  #object({ fields, required, rest }: DeclaredObject, name: string): ObjectShape {
    const generic = name.replace(/<.*/, '');
    const clientOnly = this.allowances.clientOnly[generic] ?? [];
    const needed = required.filter((key) => !clientOnly.includes(key));
    const others = rest && this.#read(rest, `${name}.*`);
    return new ObjectShape(name, constantOf(fields['object']), isDeleted(fields), needed, others, () => {
      const shapes = new Map<string, Shape>();
      for (const [key, field] of Object.entries(fields)) {
        const never = key === 'deleted' && field.null === true; // The client declares an absent `deleted` as `deleted?: void`.
        if (!never && !clientOnly.includes(key)) shapes.set(key, this.#read(field, `${name}.${key}`));
      }
      for (const key of this.allowances.keys[generic] ?? []) shapes.set(key, anything);
      return shapes;
    });
  }
}

/** Returns the one string that a member may be; null if it may be others. */
function constantOf(member: DeclaredValue | undefined): string | null {
  const { strings, null: isNull } = member ?? {};
  return Array.isArray(strings) && strings.length === 1 && isNull !== true ? String(strings[0]) : null;
}

/** Whether an object is the deleted form of a resource: `deleted: true`. */
function isDeleted({ deleted }: DeclaredObject['fields']): boolean {
  return deleted?.booleans?.length === 1 && deleted.booleans[0];
}

function resourceKey(object: string, deleted: boolean): string {
  return deleted ? `${object} (deleted)` : object;
}
