import { isObject, type Json, type JsonObject, lazy } from '../../values/index.js';
import {
  access,
  bare,
  type Environment,
  type Host,
  scriptLiteral,
  objectLiteral,
  type Scope,
  type Shaped,
} from '../../expression/index.js';
import { inside, type Model, type ObjectSchema, type ResourceDef, type Schema } from '../../model/index.js';
import type { ResponsePlan } from '../../program/index.js';
import { rootScope } from '../context.js';
import { isOwn } from './fields.js';

/** How a version shows the objects of one resource. */
export interface ResourceShape {
  readonly plan: ResponsePlan;
  /** Converts an object from the response of the base version to that of this version. */
  convert(host: Host, response: JsonObject): JsonObject;
}

/** Context that the shapes of a version's resources share. */
interface ShapeContext {
  readonly version: string;
  readonly model: Model;
  /** The environment of the version's views. */
  readonly env: Environment;
  readonly shaped: Shaped;
}

/** Makes JavaScript of a shown value from JavaScript of the base version's value. */
type VersionField = (base: string) => string;

/**
 * Compiles how a version returns a resource: the base version's response with the version's fields.
 * @param fields of the version
 * @param base response plan of the base version
 */
export function planShape(
  def: ResourceDef,
  fields: ReadonlyMap<string, Schema>,
  base: () => ResponsePlan,
  context: ShapeContext,
): ResourceShape {
  const { version, model } = context;
  const scope = rootScope(`response of ${def.name} in ${version}`, def.place, model.env);
  const { unit } = scope;
  const self = scope.name('self', { js: unit.identifier('self'), type: def.type, live: false }).js;
  const [response, whole, name] = ['answer', 'whole', 'name'].map((each) => unit.identifier(each));
  const shows = new VersionFields(def.schema.fields, scope, context);
  const shown = [...fields].filter(([, schema]) => schema.hidden !== true);
  const usual = shown.filter(([, schema]) => schema.on_expand !== true);
  const member = (key: string, schema: Schema): string => {
    const js = shows.of(key, schema)(`${response}${access(key)}`);
    // A partial object, such as a tombstone, shows only the members that the base version's response contains.
    return isOwn(schema)
      ? `(${whole} ? ${js} : ${def.schema.fields.has(key) ? `${response}${access(key)}` : 'undefined'})`
      : js;
  };
  const members = usual.map(([key, schema]): [string, string] => [key, member(key, schema)]);
  const render = unit.function<(x: Host, self: JsonObject, given: JsonObject, whole: boolean) => Record<string, Json>>(
    ['x', self, response, whole],
    [`return ${bare(objectLiteral(members))};`],
  );
  const oneOf = (part: 'field' | 'onExpand', keys: readonly (readonly [string, Schema])[]) => {
    const plan = unit.refer(lazy(base), 'base');
    return unit.function<(host: Host, object: JsonObject, name: string) => Json | undefined>(
      ['x', self, name],
      [
        `const ${response} = ${plan}().${part};`,
        `switch (${name}) {`,
        keys.map(
          ([key, schema]) =>
            `case ${scriptLiteral(key)}: return ${shows.of(key, schema)(`${response}(x, ${self}, ${scriptLiteral(key)})`)};`,
        ),
        '}',
        'return undefined;',
      ],
    );
  };
  // Members of a response that are fields hidden in the base version were added to it, so they are kept.
  const kept = [...def.schema.fields].filter(([, schema]) => schema.hidden !== true).map(([key]) => key);
  const known = new Set([...kept, ...fields.keys()].filter((key) => fields.get(key)?.hidden !== true));
  const mark = markOf(def);
  const asked = shown.filter(([, schema]) => schema.on_expand === true);
  const value = (host: Host, object: JsonObject): JsonObject => render(host, object, base().value(host, object), true);
  const parts = lazy(() => partsOf(base(), fields));
  return {
    plan: {
      pure: false,
      value,
      get computed() {
        return parts().computed;
      },
      field: oneOf('field', usual),
      expandOnly: new Set(asked.map(([key]) => key)),
      onExpand: oneOf('onExpand', asked),
      get asksWithin() {
        return parts().asksWithin;
      },
      shaped: (host, object, shape) => {
        const given = base().shaped?.(host, object, shape);
        return given && render(host, object, given, true);
      },
      whole: (host, object, key) => context.shaped.embed(host, base().whole(host, object, key) ?? null),
    },
    convert: (host, response) => {
      const made = render(host, response, response, mark === undefined || response[mark] !== undefined);
      // Keeps members that were added to the response, such as a secret that is shown once.
      for (const key of Object.keys(response)) if (!known.has(key)) made[key] = response[key];
      return made;
    },
  };
}

/** Returns the properties of the base version's plan, restricted to the fields that the version keeps. */
function partsOf(
  base: ResponsePlan,
  fields: ReadonlyMap<string, Schema>,
): Pick<ResponsePlan, 'computed' | 'asksWithin'> {
  const own = [...fields].flatMap(([key, schema]) => (isOwn(schema) && schema.on_expand !== true ? [key] : []));
  return {
    computed: new Set([...base.computed, ...own].filter((key) => fields.has(key))),
    asksWithin: new Set([...base.asksWithin].filter((key) => fields.has(key) && !own.includes(key))),
  };
}

/** A field that every complete object shows: without it the response is partial, such as a tombstone. */
function markOf({ schema }: ResourceDef): string | undefined {
  const always = [...schema.fields].find(
    ([key, { kind, hidden, optional, on_expand }]) =>
      key !== 'id' && kind !== 'const' && hidden !== true && optional !== true && on_expand !== true,
  );
  return always?.[0];
}

/** Compiles the shown values of one resource's fields in a version. */
class VersionFields {
  /** JavaScript names of the version's own views, each compiled once. */
  readonly #views = new Map<Schema, string>();

  constructor(
    /** The fields of the base version. */
    private readonly base: ReadonlyMap<string, Schema>,
    private readonly scope: Scope,
    private readonly context: ShapeContext,
  ) {}

  of(name: string, schema: Schema): VersionField {
    if (!isOwn(schema)) return this.#kept(schema, this.base.get(name));
    const js = this.#view(schema);
    return () => (schema.optional ? `(${js} ?? undefined)` : js);
  }

  #view(schema: Schema): string {
    const known = this.#views.get(schema);
    if (known !== undefined) return known;
    const { model, env } = this.context;
    const { js } = model.diagnostics.template(inside(schema.place, 'view'), schema.view ?? null, this.scope, env);
    this.#views.set(schema, js);
    return js;
  }

  /** Compiles how a field of the base version is shown; its members may differ in this version. */
  #kept(schema: Schema, before: Schema | undefined): VersionField {
    const isComputed = schema.view !== undefined || schema.shown !== undefined;
    if (schema === before || isComputed)
      return isComputed || holdsObjects(schema) ? (js) => this.#embed(js) : (js) => js;
    if (schema.kind === 'object' && before?.kind === 'object') return this.#parts(schema, before);
    if (schema.kind === 'array' && before?.kind === 'array') {
      const { unit } = this.scope;
      const item = unit.identifier('item');
      const show = this.#kept(schema.items, before.items);
      return (js) => `${unit.refer(eachItem, 'eachItem')}(${js}, (${item}) => ${show(item)})`;
    }
    return (js) => this.#embed(js);
  }

  #parts({ fields, open }: ObjectSchema, before: ObjectSchema): VersionField {
    const { unit } = this.scope;
    const part = unit.identifier('part');
    const members = [...fields].flatMap(([key, field]): [string, string][] =>
      field.hidden ? [] : [[key, this.#part(key, field, before.fields.get(key))(`${part}${access(key)}`)]],
    );
    const known = new Set([...before.fields.keys(), ...fields.keys()]);
    const others = open === true ? `, ${unit.refer(known, 'known')}` : '';
    return (js) => `${unit.refer(eachPart, 'eachPart')}(${js}, (${part}) => (${objectLiteral(members)})${others})`;
  }

  #part(name: string, schema: Schema, before: Schema | undefined): VersionField {
    return isOwn(schema) ? this.of(name, schema) : this.#kept(schema, before);
  }

  #embed(js: string): string {
    return `${this.scope.unit.refer(this.context.shaped, 'shape')}.embed(x, ${js})`;
  }
}

/** Whether a value may contain complete objects that its type doesn't declare. */
function holdsObjects(schema: Schema): boolean {
  switch (schema.kind) {
    case 'any':
      return true;
    case 'map':
      return schema.of === undefined || holdsObjects(schema.of);
    case 'array':
      return holdsObjects(schema.items);
    case 'object':
      return schema.open === true || [...schema.fields.values()].some(holdsObjects);
    case 'one_of':
      return schema.options.some(holdsObjects);
    default:
      return false;
  }
}

function eachItem(value: Json, show: (item: Json) => Json): Json {
  return Array.isArray(value) ? (value as readonly Json[]).map(show) : value;
}

/** Shows complete objects inside a value. @param known the declared members of an open type; all others are shown unchanged */
function eachPart(value: Json, show: (part: JsonObject) => Record<string, Json>, known?: ReadonlySet<string>): Json {
  if (!isObject(value)) return value;
  const made = show(value);
  if (known) for (const key of Object.keys(value)) if (!known.has(key)) made[key] = value[key];
  return made;
}
