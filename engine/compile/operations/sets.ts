import { accepts, describeType, listType, STRING } from '../../expression/index.js';
import { type SourceLocation, type ResourceDef, type Schema, typeOfFields } from '../../model/index.js';
import type { ItemView, OverSet, Parent } from '../../program/index.js';
import type { Json } from '../../values/index.js';
import { type Compiler, functionScope, liveParameter, rootScope } from '../context.js';

/** Compiles `over`: the objects of a list. */
export function linkOver(
  source: string,
  def: ResourceDef,
  params: ReadonlyMap<string, Schema>,
  parent: Parent | null,
  place: SourceLocation,
  { diagnostics, env }: Compiler,
): OverSet {
  const scope = rootScope(`list of ${def.collection}`, place, env);
  const given = scope.declare('params', typeOfFields(params, 'params')).js;
  const above = parent === null ? scope.unit.identifier('parent') : scope.declare('parent', parent.resource.type).js;
  scope.name('request', { js: 'x.request', type: env.request, live: false });
  const compiled = diagnostics.bare(place, source, scope, env);
  if (!accepts(listType(def.type), compiled.type) && !accepts(listType(STRING), compiled.type))
    diagnostics.problem(
      place,
      'wrong-type',
      `this must be a list of objects (${def.name}) or of their ids, it is ${describeType(compiled.type)}`,
    );
  return scope.unit.expression(['x', given, above], compiled);
}

/** Compiles `each`: how a list shows an item. */
export function linkEach(
  template: Json,
  def: ResourceDef,
  params: ReadonlyMap<string, Schema>,
  place: SourceLocation,
  { diagnostics, env }: Compiler,
): ItemView {
  const seen = { item: liveParameter(def.type), params: typeOfFields(params, 'params') };
  const { scope, unit, parameters } = functionScope(`item of ${def.collection}`, place, env, seen);
  return unit.expression(parameters, diagnostics.template(place, template, scope, env));
}
