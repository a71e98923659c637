import { type JsonObject } from '../values/index.js';
import {
  type Compiled,
  type Host,
  type Js,
  type Type,
  ANY,
  bare,
  listOf,
  mapOf,
  NUMBER,
  STRING,
} from '../expression/index.js';
import {
  attributesOf,
  inside,
  type ListSettings,
  type OperationFile,
  type OperationKind,
  type PackFile,
  parseFields,
  parseSchema,
  type Place,
  readLists,
  type ResourceDef,
  type Schema,
  typeOfFields,
} from '../model/index.js';
import type { Row } from '../world/index.js';
import {
  type Execution,
  type Filter,
  type ItemTest,
  lazy,
  type ListPlan,
  type Operation,
  type OperationBody,
  type OperationResult,
  type Parent,
  type Route,
  type SearchPlan,
} from '../program/index.js';
import {
  bind,
  type Compiler,
  held,
  programOf,
  resourceOf,
  rootScope,
  type StepContext,
  stepContext,
} from './context.js';
import { compileChanger, compileMaker, numberedId } from './maker.js';
import { envelopeWriter, namesCollection } from './envelopes.js';
import { compileAccess, guarded } from './access.js';
import { compileContent, compileStatus } from './content.js';
import { compileHead, placeOfLists } from './head.js';
import { compileStream } from './stream.js';
import { compileSteps } from './steps/index.js';
import { linkWholeBody, schemaOfBody } from './whole-body.js';

const STANDARD: ReadonlySet<string> = new Set(['create', 'retrieve', 'update', 'delete', 'list', 'search']);

/** Reads an operation's head (routes, parameters); its body is compiled when first called. */
export function linkOperation(
  name: string,
  file: OperationFile,
  def: ResourceDef,
  place: Place,
  compiler: Compiler,
  parent: Parent | null,
): Operation {
  const kind: OperationKind = file.kind ?? (STANDARD.has(name) ? (name as OperationKind) : 'action');
  const routes = linkRoutes(name, kind, file, def, place, compiler);
  const idKey = keyOf(routes, def);
  const named = idKey !== null || routes.some((route) => route.names.includes('id'));
  const inputs = lazy(() => linkInputs(kind, file, def, routes, place, compiler, parent));
  const tombstone = file.deleted === 'tombstone' ? lazy(() => linkTombstone(def, compiler)) : null;
  const lets = new Map<string, Type>();
  const access = compileAccess(def, name, compiler);
  const body = lazy<OperationBody>(() => (access === null ? plainBody() : guarded(plainBody(), access())));
  const plainBody = (): OperationBody => {
    const { params, plan } = inputs();
    const { search } = compiler.model.settings;
    if (kind === 'list' && file.do === undefined) return { kind: 'list', plan };
    if (kind === 'search' && search && file.do === undefined) {
      const fields = parseFields(file.fields, inside(place, 'fields'), compiler.model.context);
      const searchPlan: SearchPlan = {
        def,
        fields,
        where: plan.where,
        parent: plan.parent,
        param: search.param,
        page: search.page,
        shortest: search.shortest,
        paging: plan.paging,
        names: { ...plan.names, after: [search.page] },
        envelope: plan.envelope,
        size: plan.size,
        sizeParam: plan.names.size,
      };
      return { kind: 'search', plan: searchPlan };
    }
    // What versions add is seen by all steps: it is not given where a version does not have it.
    const added = compiler.paramsOfVersions(`${def.collection}.${name}`);
    const seen = added.size === 0 ? params : new Map([...added, ...params]);
    const isIn = parent !== null && isNamed(parent, routes);
    const head = { name, kind, resource: def, params: seen, lets, parent, isIn };
    const run = compileBody(head, file, place, compiler, named || def.singleton);
    return { kind: 'steps', run };
  };
  const lists = listsOf(file, def, compiler);
  const isList = kind === 'list' || kind === 'search';
  const key = `${def.collection}.${name}`;
  const owner = {
    key,
    // A list that has steps of its own responses what they give.
    kind: isList && file.do !== undefined ? 'action' : kind,
    resource: def,
    parent,
    params: () => inputs().params,
    lets: () => {
      body();
      return lets;
    },
    listHeaders: isList && file.do === undefined ? lists.headers : {},
  } as const;
  return {
    name,
    kind,
    resource: def,
    key,
    routes,
    idKey,
    parent,
    status: typeof file.status === 'number' ? file.status : 200,
    statusOf: compileStatus(owner, file, place, compiler),
    keys: linkKeys(file, place, compiler),
    open: file.open === true,
    ...linkScopes(file, place, compiler),
    tombstone,
    immediate: file.answer === 'at_once',
    head: compileHead(owner, file, place, compiler),
    content: compileContent(owner, file, place, compiler),
    whole: linkWholeBody(file, routes, place, compiler),
    stream: compileStream(owner, file, place, compiler),
    reads: (kind === 'retrieve' || kind === 'list' || kind === 'search') && file.do === undefined,
    get params() {
      return inputs().params;
    },
    body,
  };
}

/** The names in an operation's routes that together are the id of its object; null: none, or `{id}`. */
function keyOf(routes: readonly Route[], { file }: ResourceDef): readonly string[] | null {
  const key = file.id?.key;
  return key !== undefined && routes.every(({ names }) => key.every((name) => names.includes(name))) ? key : null;
}

/** Whether every route names the parent. @param name counts where it is one of the names */
function isNamed({ names }: Parent, routes: readonly Route[], name?: string): boolean {
  return (
    (name === undefined || names.includes(name)) &&
    routes.every((route) => names.every((each) => route.names.includes(each)))
  );
}

/** The other keys that may call an operation. */
function linkKeys({ keys = [] }: OperationFile, place: Place, { model, diagnostics }: Compiler): ReadonlySet<string> {
  const { others } = model.settings.auth;
  keys.forEach((key, index) => {
    if (!others.has(key)) diagnostics.unknown(inside(place, 'keys', index), 'key', key, others.keys());
  });
  return new Set(keys);
}

/** What a token must have to call an operation: all of the first ones, and one of the others. */
function linkScopes(
  { scopes = [], any_scope: anyScope = [] }: OperationFile,
  place: Place,
  { model, diagnostics }: Compiler,
): Pick<Operation, 'scopes' | 'anyScope'> {
  const { auth } = model.packPlace.file.data as PackFile;
  if (scopes.length + anyScope.length > 0 && auth?.tokens?.scopes === undefined)
    diagnostics.problem(
      inside(place, scopes.length > 0 ? 'scopes' : 'any_scope'),
      'no-scopes',
      'no key of the pack has scopes: pack.yaml says nothing of `auth.tokens.scopes`',
      { at: 'key' },
    );
  return { scopes, anyScope };
}

/** The parameters of an operation, and how its list is read. */
function linkInputs(
  kind: OperationKind,
  file: OperationFile,
  def: ResourceDef,
  routes: readonly Route[],
  place: Place,
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
    : parseFields(file.params, inside(place, 'params'), context);
  for (const [param, schema] of declared) params.set(param, schema);
  for (const [param, schema] of schemaOfBody(file, params, place, compiler)) params.set(param, schema);
  if (kind === 'list' || kind === 'search') addPaging(params, kind, lists, def, compiler);
  if (kind === 'list') addSorting(params, lists, def, place, compiler);
  for (const each of routes.flatMap((route) => route.names)) {
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
  const where =
    file.where === undefined ? null : linkItemTest(file.where, def, params, null, inside(place, 'where'), compiler);
  const plan: ListPlan = {
    def,
    filters,
    where,
    parent: parent?.field ?? null,
    ascending: file.ascending ?? false,
    sort: file.sort ?? null,
    asked: askedOf(lists),
    paging: lists.paging,
    envelope: ownEnvelope(file, lists, def, place, compiler),
    names: { size: lists.param, after: lists.after, before: lists.before },
    lenient: lists.lenient,
    size: { default: lists.size, min: lists.min, max: lists.max },
  };
  return { params, plan };
}

interface OperationHead {
  readonly name: string;
  readonly kind: OperationKind;
  readonly resource: ResourceDef;
  readonly params: ReadonlyMap<string, Schema>;
  /** Takes the types of what `let` binds. */
  readonly lets: Map<string, Type>;
  readonly parent: Parent | null;
  /** Every route names the parent. */
  readonly isIn: boolean;
}

function compileBody(
  head: OperationHead,
  file: OperationFile,
  place: Place,
  compiler: Compiler,
  hasSelf: boolean,
): Extract<OperationBody, { kind: 'steps' }>['run'] {
  const { resource: def, kind, parent } = head;
  const { env, diagnostics } = compiler;
  const scope = rootScope(`operation ${def.collection}.${head.name}`, place, env);
  const { unit } = scope;
  const call = unit.identifier('call');
  const params = scope.declare('params', typeOfFields(head.params, 'params')).js;
  const request = scope.declare('request', env.request).js;
  const self = hasSelf || kind === 'create' ? scope.declare('self', def.type, true).js : 'null';
  const above = parent === null ? null : scope.declare('parent', parent.resource.type, true).js;
  const current = kind === 'update' && self !== 'null' ? `, ${self}` : '';
  const context: StepContext = {
    ...stepContext(compiler, scope),
    scope: scope.child(),
    creates: kind === 'create' ? { resource: def, self } : undefined,
    params: head.params,
    parent: above !== null && parent !== null && head.isIn ? { ...parent, resource: def, js: above } : undefined,
    returns: (value) => resultOf(value, current),
  };
  /** The result of a value; an updated object tells of itself before. */
  function resultOf(value: Compiled, updated: string): string {
    return `${unit.refer(result, 'result')}(x, ${value.js}, ${resourceOf(value.type, env) ?? null}${updated})`;
  }
  const lets = Object.entries(file.let ?? {}).map(([name, source]) => {
    const at = inside(place, 'let', name);
    const compiled = diagnostics.bare(at, source, context.scope, env);
    const js = held(resourceOf(compiled.type, env), compiled, scope);
    head.lets.set(name, compiled.type);
    const variable = bind(context, name, compiled.type).js;
    return { place: at, name, variable, js: `const ${variable} = ${bare(js)};` };
  });
  const isSeen = ['status', 'headers', 'content', 'stream'].some((key) => Object.hasOwn(file, key));
  const bound = lets.map(({ name, variable }) => `${JSON.stringify(name)}: ${variable}`).join(', ');
  const steps =
    file.do === undefined
      ? plainSteps(kind, def, self, place, context)
      : compileSteps(file.do, inside(place, 'do'), context);
  const returned =
    file.return === undefined ? null : diagnostics.template(inside(place, 'return'), file.return, context.scope, env);
  const ended =
    kind === 'delete' && self !== 'null'
      ? deletion(
          def,
          self,
          returned === null ? null : { value: returned, write: (value) => resultOf(value, '') },
          context,
        )
      : returned === null
        ? []
        : [`return ${resultOf(returned, '')};`];
  return unit.function(
    ['x', call],
    [
      `const ${params} = ${call}.params, ${request} = x.request;`,
      ...(self === 'null' ? [] : [`let ${self} = ${call}.self;`]),
      ...(above === null ? [] : [`const ${above} = ${call}.parent;`]),
      ...lets,
      ...(isSeen && lets.length > 0 ? [`${call}.bound = { ${bound} };`] : []),
      ...steps,
      ...(current === '' ? [] : [`if (${self} !== null) x.emitUpdated(${self});`]),
      ...ended,
      `return ${unit.refer(rowResult, 'rowResult')}(${self});`,
    ],
  );
}

/** What `create` and `update` do when the pack says no more than that they exist. */
function plainSteps(kind: OperationKind, def: ResourceDef, self: string, place: Place, context: StepContext): Js {
  const { unit } = context.scope;
  const given = { from: 'params' };
  const key = def.file.id?.key;
  const numbered = numberedId(def, context);
  if (kind === 'create' && key !== undefined && numbered === null)
    context.compiler.diagnostics.problem(
      place,
      'missing-id',
      `the id of ${def.title} is its key (${key.join('/')}): write a step \`create\` with an \`id:\``,
      { at: 'key' },
    );
  if (kind === 'create') {
    const id = unit.identifier('id');
    const { lines, made } = compileMaker(context, def, given, place, id);
    return [
      `const ${id} = ${numbered ?? `x.newId(${unit.refer(def, `def_${def.name}`)})`};`,
      ...lines,
      `${self} = x.create(${programOf(def, context)}, ${made});`,
    ];
  }
  if (kind !== 'update') return [];
  const { lines, edits } = compileChanger(context, def, given, place, `${self}.value`);
  return self === 'null' ? [] : [`if (${self} !== null) {`, [...lines, `x.change(${self}, ${edits});`], '}'];
}

/**
 * What `delete` does after its steps, where the object is there: it is returned as a tombstone, or as `return` says, to which the
 * object is still there.
 */
function deletion(
  def: ResourceDef,
  self: string,
  own: { readonly value: Compiled; readonly write: (value: Compiled) => string } | null,
  context: StepContext,
): Js {
  const { unit } = context.scope;
  const response = unit.identifier('answer');
  const tombstone = () => unit.refer(linkTombstone(def, context.compiler), 'tombstone');
  return [
    `if (${self} !== null) {`,
    [
      `const ${response} = ${own === null ? `${tombstone()}(x, ${self}.value)` : own.value.js};`,
      `x.delete(${programOf(def, context)}, ${self});`,
      `return ${own === null ? `{ kind: "value", value: ${response} }` : own.write({ ...own.value, js: response })};`,
    ],
    '}',
  ];
}

/**
 * What an operation answers with: an object of a resource (given by number), or a value.
 * @param updated tells of its changes first
 */
function result(
  x: Execution,
  value: JsonObject | null,
  resource: number | null,
  updated: Row | null = null,
): OperationResult {
  if (updated !== null) x.emitUpdated(updated);
  if (resource === null || value === null) return { kind: 'value', value };
  const row = x.row(resource, String(value['id']));
  return row ? { kind: 'row', row } : { kind: 'object', resource, value };
}

function rowResult(row: Row | null): OperationResult {
  return row ? { kind: 'row', row } : { kind: 'value', value: {} };
}

function linkTombstone(def: ResourceDef, { model, env }: Compiler): (host: Host, value: JsonObject) => JsonObject {
  const place = inside(model.packPlace, 'tombstone');
  const scope = rootScope(`tombstone of ${def.name}`, place, env);
  const self = scope.unit.identifier('self');
  scope.name('self', { js: self, type: def.type, live: false });
  return scope.unit.expression(['x', self], model.diagnostics.template(place, model.settings.tombstone, scope, env));
}

function linkRoutes(
  name: string,
  kind: OperationKind,
  file: OperationFile,
  def: ResourceDef,
  place: Place,
  compiler: Compiler,
): Route[] {
  const { settings } = compiler.model;
  const base = def.file.path ?? `${settings.basePath}/${def.collection}`;
  const names = (def.file.id?.key ?? ['id']).map((name) => `{${name}}`).filter((name) => !base.includes(name));
  const one = def.singleton ? base : [base, ...names].join('/');
  const usual: Record<OperationKind, string> = {
    create: `POST ${base}`,
    retrieve: `GET ${one}`,
    update: `${settings.updateMethod} ${one}`,
    delete: `DELETE ${one}`,
    list: `GET ${base}`,
    search: `GET ${base}/search`,
    action: `POST ${one}/${name}`,
  };
  const given =
    file.route === undefined
      ? [usual[kind]]
      : Array.isArray(file.route)
        ? (file.route as readonly string[])
        : [String(file.route)];
  const namesOf = (path: string, index: number): string[] => {
    const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map((each) => each[1]);
    const twice = names.find((each, at) => names.indexOf(each) !== at);
    const problem = (message: string): void => {
      const at = Array.isArray(file.route) ? inside(place, 'route', index) : inside(place, 'route');
      compiler.diagnostics.problem(at, 'bad-route', message);
    };
    if (twice !== undefined) problem(`'{${twice}}' stands twice in ${path}`);
    if (/\{\w+\+\}./.test(path)) problem(`what takes all further segments, such as {path+}, stands at the end`);
    return names;
  };
  return given.map((text, index) => {
    const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(compiler.model.fill(text));
    if (!match) {
      const at = Array.isArray(file.route) ? inside(place, 'route', index) : inside(place, 'route');
      compiler.diagnostics.problem(at, 'bad-route', `'${text}' is not a route such as 'POST /things/{id}/close'`);
      return { method: 'GET', path: '/', names: [] };
    }
    return { method: match[1], path: match[2], names: namesOf(match[2], index) };
  });
}

/** The parameters of a plain `create` or `update`: the fields that a caller may decide. */
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

function linkFilters(file: OperationFile, def: ResourceDef, place: Place, compiler: Compiler): Filter[] {
  return Object.entries(file.filters ?? {}).map(([name, type]) => {
    const at = inside(place, 'filters', name);
    const details = typeof type === 'string' ? {} : (type as JsonObject);
    const field = typeof details['field'] === 'string' ? details['field'] : name;
    const own = def.schema.fields.get(field);
    const typed =
      typeof type === 'string' ||
      ['type', 'enum', 'values_of', 'const', 'ref', 'one_of', 'fields', 'items'].some((key) => key in details);
    if (!own && (!typed || details['where'] === undefined) && typeof details['where'] !== 'string') {
      compiler.diagnostics.unknown(at, 'field', field, def.schema.fields.keys(), 'key');
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
      compiler.diagnostics.problem(inside(at, 'many'), 'invalid-value', '`many` and `range` exclude each other', {
        at: 'key',
      });
    if (many) schema = manySchema(schema);
    else if (range) schema = rangeSchema(schema);
    const where =
      typeof details['where'] === 'string'
        ? linkItemTest(details['where'], def, null, schema, inside(at, 'where'), compiler)
        : null;
    return { name, field, schema, where };
  });
}

/** Several values. */
function manySchema(schema: Schema): Schema {
  const items: Schema = { ...schema, default: undefined, required: false };
  return {
    kind: 'array',
    many: true,
    items: items.kind === 'array' ? { ...items, many: false } : items,
    nullable: false,
    expr: listOf(schema.expr),
    place: schema.place,
    default: schema.default,
    required: schema.required,
  };
}

/** A value, or `{gt, gte, lt, lte}`. */
function rangeSchema(schema: Schema): Schema {
  const bound: Schema = { ...schema, default: undefined, required: false };
  const fields = new Map(['gt', 'gte', 'lt', 'lte'].map((name) => [name, bound] as const));
  const bounds: Schema = { kind: 'object', nullable: false, expr: mapOf(schema.expr), place: schema.place, fields };
  return { ...attributesOf(schema), kind: 'one_of', options: [bounds, bound], bound, expr: ANY };
}

function linkItemTest(
  source: string,
  def: ResourceDef,
  params: ReadonlyMap<string, Schema> | null,
  value: Schema | null,
  place: Place,
  compiler: Compiler,
): ItemTest {
  const { diagnostics, env } = compiler;
  const scope = rootScope(`condition of ${def.collection}`, place, env);
  const item = scope.declare('item', def.type, true).js;
  const given = scope.declare('params', params === null ? mapOf(ANY) : typeOfFields(params, 'params')).js;
  const single = value === null ? scope.unit.identifier('value') : scope.declare('value', value.expr).js;
  const compiled = diagnostics.condition(place, source, scope, env);
  return scope.unit.function(['x', item, single, given], [`return ${compiled.js} === true;`]);
}

/** How a list is asked and answered: as its operation says, else its resource, else pack.yaml. */
function listsOf({ lists }: OperationFile, def: ResourceDef, { model }: Compiler): ListSettings {
  const own = [def.file.lists, lists].flatMap((part) => part ?? []);
  if (own.length === 0) return model.settings.lists;
  return readLists([(model.packPlace.file.data as PackFile).lists ?? {}, ...own]);
}

/** The envelope of a list that has one of its own, or whose collection the common one names. */
function ownEnvelope(
  { lists: own, return: returned, do: steps }: OperationFile,
  { envelope }: ListSettings,
  def: ResourceDef,
  place: Place,
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

function addPaging(
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
  const sized = { ...integer, clamp: !lists.rejectsBeyond };
  params.set(lists.param, { ...sized, min, max });
  if (kind === 'list') {
    for (const name of lists.after) text(name);
    if (lists.before !== null) text(lists.before);
    const { paging } = lists;
    if (paging.kind === 'token') text(paging.param);
    else if (paging.kind !== 'cursor') {
      const least = paging.kind === 'page' ? paging.first : 0;
      params.set(paging.param, { ...integer, min: least, max: Number.MAX_SAFE_INTEGER });
    }
  } else if (search) {
    text(search.param, true);
    text(search.page);
  }
}

function askedOf({ order, sort }: ListSettings): ListPlan['asked'] {
  const ascending = Object.entries(order?.values ?? {}).map(([value, way]) => [value, way === 'ascending'] as const);
  return {
    order: order === null ? null : { param: order.param, ascending: new Map(ascending) },
    sort: sort === null ? null : { param: sort.param, fields: new Map(Object.entries(sort.fields)) },
  };
}

/** The parameters that say how a list is sorted. */
function addSorting(
  params: Map<string, Schema>,
  { order, sort }: ListSettings,
  def: ResourceDef,
  place: Place,
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
  if (order !== null) add('order', order.param, Object.keys(order.values), order.default);
  if (sort === null) return;
  for (const [value, field] of Object.entries(sort.fields)) {
    const at = placeOfLists(['sort', 'fields', value], def, place, model);
    const schema = def.schema.fields.get(field);
    if (schema === undefined) diagnostics.unknown(at, 'field', field, def.schema.fields.keys());
    else if (schema.view !== undefined)
      diagnostics.problem(at, 'invalid-value', `'${field}' is computed for the response`);
  }
  add('sort', sort.param, Object.keys(sort.fields), sort.default);
}
