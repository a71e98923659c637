import { isList, isObject, type Json, type JsonObject } from '../values/index.js';
import {
  access,
  ANY,
  bare,
  describeType,
  type Host,
  isInherited,
  scriptLiteral,
  LastMade,
  objectLiteral,
  ownMember,
  type Scope,
  sameObject,
  sharedObject,
  type Type,
  unlessSameItems,
} from '../expression/index.js';
import {
  inside,
  type Model,
  type ObjectSchema,
  type SourceLocation,
  type ResourceDef,
  type Schema,
} from '../model/index.js';
import type { ResponsePlan } from '../program/index.js';
import { rootScope } from './context.js';

/** Makes JavaScript of a field's shown value from JavaScript of its stored value; undefined if it is not shown. */
type ResponseField = (stored: string) => string;

/** Compiles how objects of a resource are returned. Most are returned as stored, without a copy. */
export function planResponse(def: ResourceDef, model: Model): ResponsePlan {
  const scope = rootScope(`response of ${def.name}`, def.place, model.env);
  const { unit } = scope;
  const self = scope.name('self', { js: unit.identifier('self'), type: def.type, live: false }).js;
  const shows = new ResponseFields(scope, model, false);
  const asked = new ResponseFields(scope, model, true);
  const nested = new Map<string, string>();
  const computed = new Set<string>();
  const onExpand = new Map<string, string>();
  const inShapes = new Map<string, string>();
  const fields = [...def.schema.fields].map(([name, schema]): readonly [string, ResponseField | undefined] => {
    const place = inside(def.place, 'fields', name);
    if (schema.in_shapes) {
      inShapes.set(name, whole(asked, name, schema, place));
      return [name, hidden];
    }
    if (schema.on_expand) {
      onExpand.set(name, whole(asked, name, schema, place));
      return [name, hidden];
    }
    if (holdsOnExpand(schema)) nested.set(name, whole(asked, name, schema, place));
    shows.sawView = false;
    const show = shows.of(schema, place);
    if (shows.sawView) computed.add(name);
    return [name, show];
  });
  function whole(shows: ResponseFields, name: string, schema: Schema, place: SourceLocation): string {
    const value = stored(self, name, unit);
    return shows.of(schema, place)?.(value) ?? value;
  }
  const shown = fields.flatMap(([name, show]): [string, string][] =>
    show === hidden ? [] : [[name, show ? show(stored(self, name, unit)) : `${self}${access(name)}`]],
  );
  const entries = fields.flatMap(([name, show]): [string, string][] =>
    show === undefined ? [] : [[name, show(stored(self, name, unit))]],
  );
  const parameters = ['x', self];
  const usual = new Map(shown);
  const shaped = Object.entries(def.file.shapes ?? {}).map(([shape, names]): [string, string] => {
    const members = [...def.schema.fields.keys()].flatMap((name): [string, string][] => {
      const js = usual.get(name) ?? (names.includes(name) ? inShapes.get(name) : undefined);
      return js === undefined ? [] : [[name, js]];
    });
    return [shape, bare(objectLiteral(members))];
  });
  const field = unit.identifier('name');
  const oneOf = (values: Iterable<readonly [string, string]>, otherwise: string) =>
    unit.function<(host: Host, object: JsonObject, name: string) => Json | undefined>(
      [...parameters, field],
      [
        `switch (${field}) {`,
        [...values].map(([name, js]) => `case ${scriptLiteral(name)}: return ${js};`),
        '}',
        `return ${otherwise};`,
      ],
    );
  return {
    pure: computed.size === 0,
    computed,
    value:
      entries.length === 0
        ? (_host: Host, object: JsonObject) => object
        : unit.function(parameters, [`return ${bare(objectLiteral(shown))};`]),
    shaped: shaped.length === 0 ? undefined : (oneOf(shaped, 'undefined') as ResponsePlan['shaped']),
    field: oneOf(entries, `${self}[${field}]`),
    expandOnly: new Set(onExpand.keys()),
    onExpand: oneOf(onExpand, 'undefined'),
    asksWithin: new Set(nested.keys()),
    whole: oneOf(nested, 'undefined'),
  };
}

/** Whether a value has members that are returned only on request (`expand`). */
function holdsOnExpand(schema: Schema): boolean {
  if (schema.kind === 'array') return holdsOnExpand(schema.items);
  if (schema.kind !== 'object') return false;
  return [...schema.fields.values()].some((field) => field.on_expand === true || holdsOnExpand(field));
}

/** Shows nothing for a field that is stored but never returned. */
const hidden: ResponseField = () => 'undefined';

/** JavaScript of a stored field's value, or null. */
function stored(object: string, name: string, unit: Scope['unit']): string {
  if (isInherited(name)) return `(${unit.refer(ownMember, 'ownMember')}(${object}, ${scriptLiteral(name)}) ?? null)`;
  return `(${object}${access(name)} ?? null)`;
}

/** Kinds of types that need no conversion. */
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/** Compiles the shown values of one resource's fields. */
class ResponseFields {
  /** Whether a computed field was compiled so far. */
  sawView = false;

  constructor(
    private readonly scope: Scope,
    private readonly model: Model,
    /** Whether members that are returned only on request are included. */
    private readonly asked: boolean,
  ) {}

  /** Compiles how a field is shown; undefined if it is shown as stored. */
  of(schema: Schema, place: SourceLocation): ResponseField | undefined {
    if (schema.hidden || (schema.on_expand && !this.asked)) return hidden;
    const key = schema.view === undefined ? 'shown' : 'view';
    const computed = schema[key];
    if (computed !== undefined) {
      this.sawView = true;
      const view = this.view(computed, inside(place, key), key === 'view' ? schema.expr : ANY);
      return this.#optional(schema, () => view);
    }
    const inner =
      schema.kind === 'object'
        ? this.#fields(schema, place)
        : schema.kind === 'array'
          ? this.#items(schema.items, place)
          : undefined;
    if (schema.optional) return this.#optional(schema, inner ?? ((value) => value));
    return inner;
  }

  /** Compiles the template of a computed field. */
  view(view: Json, place: SourceLocation, wanted: Type = ANY): string {
    const { type, js } = this.model.diagnostics.template(place, view, this.scope, this.model.env);
    if (SCALARS.has(wanted.kind) && SCALARS.has(type.kind) && wanted.kind !== type.kind)
      this.model.diagnostics.warning(
        place,
        'wrong-type',
        `this is ${describeType(type)}, the field is ${describeType(wanted)}`,
      );
    return js;
  }

  #optional(schema: Schema, show: ResponseField): ResponseField {
    return schema.optional ? (value) => `(${show(value)} ?? undefined)` : show;
  }

  #items(items: Schema, place: SourceLocation): ResponseField | undefined {
    const show = items.kind === 'object' ? this.#fields(items, inside(place, 'items')) : undefined;
    if (!show) return undefined;
    const item = this.scope.unit.identifier('item');
    return (value) => `${this.scope.unit.refer(eachItem, 'eachItem')}(${value}, (${item}) => ${show(item)})`;
  }

  #fields(schema: ObjectSchema, place: SourceLocation): ResponseField | undefined {
    const { unit } = this.scope;
    const shows = [...schema.fields].map(
      ([name, field]) => [name, this.of(field, inside(place, 'fields', name))] as const,
    );
    if (shows.every(([, show]) => show === undefined)) return undefined;
    const object = unit.temp('part');
    const members = shows.flatMap(([name, show]): [string, string][] =>
      show === hidden ? [] : [[name, show ? show(stored(object, name, unit)) : `${object}${access(name)}`]],
    );
    const made = schema.open
      ? `${unit.refer(new LastMade(), 'last')}.open(${unit.refer(withOthers, 'withOthers')}(${objectLiteral(members)}, ${object}, ${unit.refer(new Set(schema.fields.keys()), 'known')}))`
      : sharedObject(objectLiteral(members), unit);
    const same = sameObject(object, made, schema.open ? null : members, unit);
    return (value) => `(${unit.refer(isObject, 'isObject')}(${object} = ${value}) ? ${same} : ${object})`;
  }
}

/** Shows each item of a list; items that aren't shown are null. */
function eachItem(value: Json, show: (item: Json) => Json | undefined): Json {
  if (!isList(value)) return value;
  return unlessSameItems(
    value,
    value.map((item) => show(item) ?? null),
  );
}

/** Adds the members of an open type's object that the type doesn't declare. */
function withOthers(made: Record<string, Json>, value: JsonObject, known: ReadonlySet<string>): JsonObject {
  for (const key of Object.keys(value)) if (!(key in made) && !known.has(key)) made[key] = value[key];
  return made;
}
