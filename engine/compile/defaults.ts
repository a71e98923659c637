import {
  type Frame,
  FrameLayout,
  frameOf,
  isObject,
  type Json,
  type JsonObject,
  layoutOf,
  Scope,
} from '../expression/index.js';
import {
  blank,
  hasTemplate,
  inside,
  type Model,
  neutral,
  type Place,
  type ResourceDef,
  type Schema,
} from '../model/index.js';
import { type Execution, lazy, type StoredField, type StoredObject } from '../program/index.js';
import { always, type MaybeConstant, splitConstants } from './constants.js';

/** Gives the value of a field that nothing else decided. */
export type Default = ((frame: Frame) => Json) & MaybeConstant;

/** Fills in what a value of an object type leaves out. */
export type Complete = (value: Json, frame: Frame) => Json;

/** The defaults of a resource's fields. Expressions in them see the object so far as `self`, and `now`. */
export class ObjectDefaults {
  readonly #layout = new FrameLayout();
  readonly #scope = new Scope(this.#layout);
  readonly #self: number;

  constructor(
    private readonly model: Model,
    private readonly def: ResourceDef,
  ) {
    this.#self = this.#scope.declare('self', def.type, true).slot;
  }

  /** How an object comes about that no step makes. */
  readonly stored = lazy((): StoredObject => ({
    frame: (execution, made) => this.frame(execution, made),
    fields: [...this.def.schema.fields]
      .filter(([, schema]) => schema.view === undefined)
      .map(([name, schema]): StoredField => ({
        name,
        schema,
        complete: this.completion(schema, schema.place),
        absent:
          name === this.def.status
            ? always(this.def.machine?.initial ?? null)
            : (this.of(schema, schema.place) ?? always(blank(schema))),
      })),
  }));

  /** A frame over the object that is being made. */
  frame(execution: Execution, made: JsonObject): Frame {
    const frame = frameOf(execution, this.#layout.size);
    frame[this.#self] = { value: made };
    return frame;
  }

  /** The default of a field; undefined when it must be given. */
  of(schema: Schema, place: Place): Default | undefined {
    if (schema.default !== undefined && hasTemplate(schema.default)) {
      return this.model.linking.template(inside(place, 'default'), schema.default, this.#scope, this.model.env).run;
    }
    if (
      schema.kind === 'object' &&
      schema.fields &&
      !schema.nullable &&
      !schema.optional &&
      schema.default === undefined
    ) {
      const constant = neutral(schema);
      if (constant !== undefined && !anyTemplate(schema)) return always(constant);
      const complete = this.completion(schema, place);
      return complete ? (frame) => complete({}, frame) : undefined;
    }
    const value = neutral(schema);
    return value === undefined ? undefined : always(value);
  }

  /** What completes values of a type; undefined when there is nothing to complete. */
  completion(schema: Schema, place: Place): Complete | undefined {
    if (schema.kind === 'array' && schema.items) {
      const complete = this.completion(schema.items, inside(place, 'items'));
      return (
        complete &&
        ((value, frame) =>
          Array.isArray(value) ? (value as readonly Json[]).map((item) => complete(item, frame)) : value)
      );
    }
    if (schema.kind !== 'object' || !schema.fields) return undefined;
    const fields = [...schema.fields]
      .filter(([, field]) => field.view === undefined)
      .map(([name, field]) => {
        const at = inside(place, 'fields', name);
        return [name, this.of(field, at), this.completion(field, at)] as const;
      });
    const completions = new Map(fields.map(([name, , complete]) => [name, complete]));
    const { constants, others } = splitConstants(fields.map(([name, fallback]) => [name, fallback ?? always(null)]));
    const layout = layoutOf(fields.map(([name]) => name)).maker(constants);
    return (value, frame) => {
      if (!isObject(value)) return value;
      const made = layout();
      for (const key of Object.keys(value)) {
        const given = value[key] as Json | undefined;
        if (given === undefined) continue;
        const complete = completions.get(key);
        if (complete) made[key] = complete(given, frame);
        else if (completions.has(key) || (schema.open && !(key in made))) made[key] = given;
      }
      for (const { name, give } of others) if (value[name] === undefined) made[name] = give(frame);
      return made;
    };
  }

  get resource(): ResourceDef {
    return this.def;
  }
}

function anyTemplate(schema: Schema): boolean {
  if (schema.default !== undefined && hasTemplate(schema.default)) return true;
  return [...(schema.fields?.values() ?? [])].some(anyTemplate);
}
