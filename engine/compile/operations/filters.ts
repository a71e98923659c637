import { type JsonObject } from '../../values/index.js';
import { ANY, listType, mapType } from '../../expression/index.js';
import {
  attributesOf,
  inside,
  keyIn,
  type OperationFile,
  parseSchema,
  type SourceLocation,
  type ResourceDef,
  type Schema,
  typeOfFields,
} from '../../model/index.js';
import type { Filter, ItemTest } from '../../program/index.js';
import { type Compiler, rootScope } from '../context.js';

/** Reads `filters` of an operation: the parameters that filter its list. */
export function linkFilters(
  file: OperationFile,
  def: ResourceDef,
  place: SourceLocation,
  compiler: Compiler,
): Filter[] {
  return Object.entries(file.filters ?? {}).map(([name, type]) => {
    const at = inside(place, 'filters', name);
    const details = typeof type === 'string' ? {} : (type as JsonObject);
    const field = typeof details['field'] === 'string' ? details['field'] : name;
    const own = def.schema.fields.get(field);
    const typed =
      typeof type === 'string' ||
      ['type', 'enum', 'values_of', 'const', 'ref', 'one_of', 'fields', 'items'].some((key) => key in details);
    if (!own && (!typed || details['where'] === undefined) && typeof details['where'] !== 'string') {
      compiler.diagnostics.unknown(keyIn(at), 'field', field, def.schema.fields.keys());
    }
    let schema: Schema =
      typed || !own
        ? parseSchema(type, at, compiler.model.context)
        : {
            ...own,
            default: details['default'],
            required: details['required'] === true,
            nullable: false,
            unset: false,
            place: at,
          };
    const many = details['many'] === true;
    const range = details['range'] === true;
    if (many && range)
      compiler.diagnostics.problem(keyIn(at, 'many'), 'invalid-value', '`many` and `range` exclude each other');
    if (many) schema = manySchema(schema);
    else if (range) schema = rangeSchema(schema);
    const where =
      typeof details['where'] === 'string'
        ? linkItemTest(details['where'], def, null, schema, inside(at, 'where'), compiler)
        : null;
    return { name, field, schema, where };
  });
}

/** Type of a parameter that takes several values. */
function manySchema(schema: Schema): Schema {
  const items: Schema = { ...schema, default: undefined, required: false };
  return {
    kind: 'array',
    many: true,
    items: items.kind === 'array' ? { ...items, many: false } : items,
    nullable: false,
    expr: listType(schema.expr),
    place: schema.place,
    default: schema.default,
    required: schema.required,
  };
}

/** Type of a parameter that takes a value or `{gt, gte, lt, lte}`. */
function rangeSchema(schema: Schema): Schema {
  const bound: Schema = { ...schema, default: undefined, required: false };
  const fields = new Map(['gt', 'gte', 'lt', 'lte'].map((name) => [name, bound] as const));
  const bounds: Schema = { kind: 'object', nullable: false, expr: mapType(schema.expr), place: schema.place, fields };
  return { ...attributesOf(schema), kind: 'one_of', options: [bounds, bound], bound, expr: ANY };
}

/** Compiles a condition on list items. It reads all parameters, or if `params` is null the value of one. */
export function linkItemTest(
  source: string,
  def: ResourceDef,
  params: ReadonlyMap<string, Schema> | null,
  value: Schema | null,
  place: SourceLocation,
  compiler: Compiler,
): ItemTest {
  const { diagnostics, env } = compiler;
  const scope = rootScope(`condition of ${def.collection}`, place, env);
  const item = scope.declare('item', def.type, true).js;
  const given = scope.declare('params', params === null ? mapType(ANY) : typeOfFields(params, 'params')).js;
  const single = value === null ? scope.unit.identifier('value') : scope.declare('value', value.expr).js;
  const compiled = diagnostics.condition(place, source, scope, env);
  return scope.unit.function(['x', item, single, given], [`return ${compiled.js} === true;`]);
}
