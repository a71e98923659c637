import { lazy, type Json } from '../../values/index.js';
import { NUMBER, STRING, accepts, describeType, listType } from '../../expression/index.js';
import {
  inside,
  keyIn,
  type ListSettings,
  type OperationFile,
  type PackFile,
  parseSchema,
  type SourceLocation,
  readLists,
  type ResourceDef,
  type Schema,
  typeOfFields,
} from '../../model/index.js';
import type { Filter, ListPlan, Parent, SortValue, ItemView, OverSet } from '../../program/index.js';
import { type Compiler, functionScope, liveParameter, rootScope } from '../context.js';
import { envelopeWriter, namesCollection } from '../envelopes.js';
import { placeOfLists } from '../head.js';
import { linkItemTest } from './filters.js';

/** Compiles how the list of an operation is read and written. */
export function linkListPlan(
  file: OperationFile,
  lists: ListSettings,
  filters: readonly Filter[],
  params: ReadonlyMap<string, Schema>,
  def: ResourceDef,
  parent: Parent | null,
  place: SourceLocation,
  compiler: Compiler,
): ListPlan {
  const where =
    file.where === undefined ? null : linkItemTest(file.where, def, params, null, inside(place, 'where'), compiler);
  return {
    def,
    filters,
    where,
    over: file.over === undefined ? null : linkOver(file.over, def, params, parent, inside(place, 'over'), compiler),
    each: file.each === undefined ? null : linkEach(file.each, def, params, inside(place, 'each'), compiler),
    parent: parent?.field ?? null,
    ascending: file.ascending ?? false,
    sort: file.sort ?? null,
    asked: askedOf(lists),
    paging: lists.paging,
    envelope: ownEnvelope(file, lists, def, place, compiler),
    names: { size: lists.param, after: lists.after, before: lists.before },
    lenient: lists.lenient,
    size: { default: lists.size, min: lists.min, max: lists.max, ignoresBelow: lists.beyond === 'ignore' },
  };
}

/** The list settings of an operation: its own, else its resource's, else those of pack.yaml. */
export function listsOf({ lists }: OperationFile, def: ResourceDef, { model }: Compiler): ListSettings {
  const own = [def.file.lists, lists].flatMap((part) => part ?? []);
  if (own.length === 0) return model.settings.lists;
  return readLists([(model.packPlace.file.data as PackFile).lists ?? {}, ...own], model.fill);
}

/** The envelope of a list that has its own, or if the common one contains the collection's name. */
function ownEnvelope(
  { lists: own, return: returned, do: steps }: OperationFile,
  { envelope }: ListSettings,
  def: ResourceDef,
  place: SourceLocation,
  { model }: Compiler,
): ListPlan['envelope'] {
  if (returned !== undefined && steps === undefined)
    return lazy(() => envelopeWriter(returned, model, inside(place, 'return'), def.collection));
  const [at, name] =
    own?.envelope !== undefined
      ? [place, 'operation']
      : def.file.lists?.envelope !== undefined
        ? [def.place, 'resource']
        : [model.packPlace, 'pack'];
  if (name === 'pack' && !namesCollection(envelope)) return null;
  return lazy(() => envelopeWriter(envelope, model, inside(at, 'lists', 'envelope'), def.collection));
}

const CLAMPS = { clamp: true, ignore: true, reject: false, reject_below: 'max' } as const;

/** Adds the parameters for the page and its size. */
export function addPaging(
  params: Map<string, Schema>,
  kind: 'list' | 'search',
  lists: ListSettings,
  def: ResourceDef,
  compiler: Compiler,
): void {
  const { search } = compiler.model.settings;
  const at = def.place;
  const text = (name: string, required = false): void => {
    params.set(name, { kind: 'string', expr: STRING, nullable: false, place: at, required });
  };
  const { min, max } = lists;
  const integer = { kind: 'integer', expr: NUMBER, nullable: false, place: at, clamp: true } as const;
  const sized = { ...integer, clamp: CLAMPS[lists.beyond] };
  params.set(lists.param, { ...sized, min: lists.beyond === 'ignore' ? undefined : min, max });
  if (kind === 'list') {
    for (const name of lists.after) text(name);
    if (lists.before !== null) text(lists.before);
    const { paging } = lists;
    if (paging.kind === 'token') text(paging.param);
    else if (paging.kind !== 'cursor') {
      const least = paging.kind === 'page' ? paging.first : 0;
      params.set(paging.param, {
        ...integer,
        clamp: lists.beyond !== 'reject',
        min: least,
        max: Number.MAX_SAFE_INTEGER,
      });
    }
  } else if (search) {
    text(search.param, true);
    text(search.page);
  }
}

function askedOf({ order, sort }: ListSettings): ListPlan['asked'] {
  const ascending = new Map(Object.entries(order?.values ?? {}).map(([value, way]) => [value, way === 'ascending']));
  const usual = Object.entries(order?.defaults ?? {}).map(
    ([by, value]) => [by, ascending.get(value) === true] as const,
  );
  return {
    order: order === null ? null : { param: order.param, ascending, usual: new Map(usual) },
    sort: sort === null ? null : { param: sort.param, values: sortValues(sort) },
  };
}

/** The values of the sort parameter. */
function sortValues({ fields, ways }: NonNullable<ListSettings['sort']>): ReadonlyMap<string, SortValue> {
  const all = ways === undefined ? [['*', null] as const] : Object.entries(ways);
  return new Map(
    Object.entries(fields).flatMap(([value, field]) =>
      all.map(
        ([text, way]) =>
          [text.replace('*', () => value), { field, ascending: way === null ? null : way === 'ascending' }] as const,
      ),
    ),
  );
}

/** Adds the parameters for sorting. */
export function addSorting(
  params: Map<string, Schema>,
  { order, sort }: ListSettings,
  def: ResourceDef,
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): void {
  const add = (key: 'order' | 'sort', param: string, values: readonly string[], usual?: string): void => {
    const at = placeOfLists([key], def, place, model);
    if (params.has(param))
      diagnostics.problem(inside(at, 'param'), 'duplicate-parameter', `'${param}' is another parameter of the list`);
    params.set(
      param,
      parseSchema({ enum: [...values], ...(usual === undefined ? {} : { default: usual }) }, at, model.context),
    );
  };
  if (order !== null) {
    add('order', order.param, Object.keys(order.values), order.default);
    const at = placeOfLists(['order', 'defaults'], def, place, model);
    const known = sort === null ? [] : [...sortValues(sort).keys()];
    for (const [by, value] of Object.entries(order.defaults ?? {})) {
      diagnostics.known(keyIn(at, by), 'value', by, known);
      if (!Object.hasOwn(order.values, value))
        diagnostics.unknown(inside(at, by), 'value', value, Object.keys(order.values));
    }
  }
  if (sort === null) return;
  for (const [value, field] of Object.entries(sort.fields)) {
    const at = placeOfLists(['sort', 'fields', value], def, place, model);
    const schema = diagnostics.find(at, 'field', field, def.schema.fields);
    if (schema !== undefined)
      if (schema.view !== undefined)
        diagnostics.problem(at, 'invalid-value', `'${field}' is computed for the response`);
  }
  add('sort', sort.param, [...sortValues(sort).keys()], sort.default);
}

/** Compiles `over`: the objects of a list. */
function linkOver(
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
function linkEach(
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
