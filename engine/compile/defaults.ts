import { isObject, type Json, type JsonObject, lazy } from '../values/index.js';
import {
  access,
  bare,
  type Compiled,
  fixed,
  isInherited,
  scriptLiteral,
  LastMade,
  objectLiteral,
  ownMember,
  sameObject,
  type Scope,
  unlessSameItems,
} from '../expression/index.js';
import {
  blank,
  hasTemplate,
  inside,
  type Model,
  neutral,
  type SourceLocation,
  type ResourceDef,
  type Schema,
} from '../model/index.js';
import type { Complete, StoredField } from '../program/index.js';
import { type Defaults, rootScope } from './context.js';

/** The defaults of a resource's fields. Expressions in them see the object so far as `self`, and `now`. */
export class ObjectDefaults implements Defaults {
  readonly #completions = new Map<Schema, Complete | undefined>();

  constructor(
    private readonly model: Model,
    private readonly def: ResourceDef,
  ) {}

  readonly stored = lazy((): StoredField[] =>
    [...this.def.schema.fields]
      .filter(([, schema]) => schema.view === undefined)
      .map(([name, schema]) => ({
        name,
        schema,
        complete: this.completion(schema, schema.place),
        absent: this.#absent(name, schema),
        required: lazy(() => name !== this.def.status && this.#isRequired(schema)),
      })),
  );

  scope(over: Scope, made: string): Scope {
    const scope = over.detached();
    scope.name('self', { js: made, type: this.def.type, live: false });
    return scope;
  }

  of(schema: Schema, place: SourceLocation, scope: Scope): Compiled | undefined {
    const { diagnostics, env } = this.model;
    if (schema.default !== undefined && hasTemplate(schema.default)) {
      const at = inside(place, 'default');
      const compiled = diagnostics.template(at, schema.default, scope, env);
      diagnostics.keepsAddress(at, compiled, schema);
      return compiled;
    }
    if (schema.kind === 'object' && !schema.nullable && !schema.optional && schema.default === undefined) {
      const constant = neutral(schema);
      if (constant !== undefined && !anyTemplate(schema)) return fixed(constant, scope.unit);
      const complete = this.completion(schema, place);
      return complete && this.completed(complete, scope.unit.refer(NOTHING, 'nothing'), schema, scope);
    }
    const value = neutral(schema);
    return value === undefined ? undefined : fixed(value, scope.unit);
  }

  completed(complete: Complete, js: string, schema: Schema, scope: Scope): Compiled {
    const made = (readsSelf(schema) && scope.lookup('self')?.js) || 'null';
    return { type: schema.expr, js: `${scope.unit.refer(complete, 'complete')}(${js}, x, ${made})` };
  }

  completion(schema: Schema, place: SourceLocation): Complete | undefined {
    if (!this.#completions.has(schema)) this.#completions.set(schema, this.#compileCompletion(schema, place));
    return this.#completions.get(schema);
  }

  #compileCompletion(schema: Schema, place: SourceLocation): Complete | undefined {
    if (schema.kind === 'array') {
      const complete = this.completion(schema.items, inside(place, 'items'));
      const last = new LastMade();
      return (
        complete &&
        ((value, x, made) =>
          isItems(value)
            ? last.list(
                unlessSameItems(
                  value,
                  value.map((item) => complete(item, x, made)),
                ),
              )
            : value)
      );
    }
    if (schema.kind !== 'object') return undefined;
    const root = rootScope(`completion of ${this.def.name}`, place, this.model.env);
    const { unit } = root;
    const [value, made, completed] = ['value', 'self', 'completed'].map((name) => unit.identifier(name));
    const scope = this.scope(root, made);
    const own = unit.refer(ownMember, 'ownMember');
    const members = [...schema.fields].flatMap(([name, field]): [string, string][] => {
      if (field.view !== undefined) return [];
      const at = inside(place, 'fields', name);
      const given = isInherited(name) ? `${own}(${value}, ${scriptLiteral(name)})` : `${value}${access(name)}`;
      const complete = this.completion(field, at);
      const kept = complete ? this.completed(complete, given, field, scope).js : given;
      return [[name, `${given} === undefined ? ${this.of(field, at, scope)?.js ?? 'null'} : ${kept}`]];
    });
    const same = sameObject(value, completed, schema.open ? null : members, unit);
    const rest = schema.open ? [`${unit.refer(keepOthers, 'keepOthers')}(${completed}, ${value});`] : [];
    return unit.function(
      [value, 'x', made],
      [
        `if (!${unit.refer(isObject, 'isObject')}(${value})) return ${value};`,
        `const ${completed} = ${bare(objectLiteral(members))};`,
        ...rest,
        `return ${unit.refer(new LastMade(), 'last')}.${schema.open ? 'open' : 'object'}(${same});`,
      ],
    );
  }

  #absent(name: string, schema: Schema): StoredField['absent'] {
    const root = rootScope(`default of ${this.def.name} ${name}`, schema.place, this.model.env);
    const made = root.unit.identifier('self');
    const value =
      name === this.def.status
        ? fixed(this.def.machine?.initial ?? null, root.unit)
        : (this.of(schema, schema.place, this.scope(root, made)) ?? fixed(blank(schema), root.unit));
    return root.unit.expression(['x', made], value);
  }

  /** Whether a field must be given: it has no default, isn't optional or nullable, and its type has no empty value. */
  #isRequired(schema: Schema): boolean {
    if (schema.nullable || schema.optional || schema.default !== undefined || schema.kind === 'object') return false;
    return neutral(schema) === undefined;
  }
}

const NOTHING: JsonObject = {};

function isItems(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Copies the members that an open type doesn't declare into the completed value. */
function keepOthers(made: Record<string, Json>, value: JsonObject): void {
  for (const key of Object.keys(value)) {
    if (!(key in made) && (value[key] as Json | undefined) !== undefined) made[key] = value[key];
  }
}

/** Whether a default inside of a type reads the object that is being made. */
function readsSelf(schema: Schema): boolean {
  if (schema.default !== undefined && JSON.stringify(schema.default).includes('self')) return true;
  if (schema.kind === 'array') return readsSelf(schema.items);
  return schema.kind === 'object' && [...schema.fields.values()].some(readsSelf);
}

function anyTemplate(schema: Schema): boolean {
  if (schema.default !== undefined && hasTemplate(schema.default)) return true;
  return schema.kind === 'object' && [...schema.fields.values()].some(anyTemplate);
}
