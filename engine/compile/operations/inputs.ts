import {
  inside,
  type OperationFile,
  type OperationKind,
  parseParams,
  type SourceLocation,
  type ResourceDef,
  type Schema,
} from '../../model/index.js';
import type { ListPlan, Parent, OperationRoute } from '../../program/index.js';
import type { Compiler } from '../context.js';
import { schemaOfBody } from '../whole-body.js';
import { linkFilters } from './filters.js';
import { addPaging, addSorting, linkListPlan, listsOf } from './lists.js';
import { isNamed, keyOf } from './routes.js';

/** Reads the parameters of an operation and how its list is requested. */
export function linkInputs(
  kind: OperationKind,
  file: OperationFile,
  def: ResourceDef,
  routes: readonly OperationRoute[],
  place: SourceLocation,
  compiler: Compiler,
  parent: Parent | null,
): { readonly params: ReadonlyMap<string, Schema>; readonly plan: ListPlan } {
  const { context } = compiler.model;
  const lists = listsOf(file, def, compiler);
  const filters = kind === 'list' ? linkFilters(file, def, place, compiler) : [];
  const params = new Map<string, Schema>();
  for (const filter of filters) params.set(filter.name, filter.schema);
  const derives = file.params === undefined && file.do === undefined && (kind === 'create' || kind === 'update');
  const declared = derives
    ? derivedParams(def, kind, parent !== null && isNamed(parent, routes) ? parent.field : null)
    : parseParams(file.params, inside(place, 'params'), context);
  for (const [param, schema] of declared) params.set(param, schema);
  for (const [param, schema] of schemaOfBody(file, params, place, compiler)) params.set(param, schema);
  if (kind === 'list' || kind === 'search') addPaging(params, kind, lists, def, compiler);
  if (kind === 'list') addSorting(params, lists, def, place, compiler);
  for (const each of routes.flatMap((route) => route.names)) {
    const inPath = params.get(each);
    if (inPath !== undefined && routes.every((route) => route.names.includes(each)))
      params.set(each, { ...inPath, required: true });
    const isFound = keyOf(routes, def)?.includes(each) === true || (parent !== null && isNamed(parent, routes, each));
    if (each !== 'id' && !params.has(each) && !isFound)
      compiler.diagnostics.unknown(inside(place, 'route'), 'route-parameter', each, params.keys());
    if (each === 'id' && def.singleton) {
      compiler.diagnostics.problem(
        inside(place, 'route'),
        'singleton-id',
        `${def.title} is a single object; its routes have no {id}`,
      );
    }
  }
  return { params, plan: linkListPlan(file, lists, filters, params, def, parent, place, compiler) };
}

/** Derives the parameters of a `create` or `update` without any: the fields that callers may set. */
function derivedParams(def: ResourceDef, kind: 'create' | 'update', parent: string | null): Map<string, Schema> {
  const params = new Map<string, Schema>();
  for (const [name, schema] of def.schema.fields) {
    const decided =
      name === 'id' ||
      name === parent ||
      name === def.status ||
      schema.kind === 'const' ||
      schema.sequence !== undefined ||
      schema.view !== undefined ||
      schema.kind === 'timestamp';
    if (decided || (typeof schema.default === 'string' && schema.default.includes('${'))) continue;
    const given =
      kind === 'create' &&
      !schema.nullable &&
      !schema.optional &&
      schema.default === undefined &&
      !['map', 'array', 'object'].includes(schema.kind);
    params.set(name, { ...schema, required: given, default: undefined });
  }
  return params;
}
