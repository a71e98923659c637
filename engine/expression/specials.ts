import { type Compiled, truth } from './compiled.js';
import type { Site } from './site.js';
import type { Environment, Table } from './environment.js';
import { scriptLiteral } from './javascript.js';
import { ExpressionError, type ExpressionNode } from './parse.js';
import { responseOf, lookup, lookupRow, memberAt, pinned, shownBy, withPins } from './support.js';
import { accepts, ANY, describeType, DURATION, join, listType, mapType, NUMBER, STRING, type Type } from './types.js';
import { type SpecialCall, arity, compileCapture, compileMatches, compileReplaceMatches } from './pattern-calls.js';

type Special = (node: SpecialCall, site: Site) => Compiled;

/** Functions with a compiler of their own, such as those whose arguments are names in the pack instead of values. */
export const specials: ReadonlyMap<string, Special> = new Map<string, Special>([
  ['get', compileGet],
  ['at', compileAt],
  ['find', (node, site) => compileQuery(node, site, 'find')],
  ['all', (node, site) => compileQuery(node, site, 'all')],
  ['count', (node, site) => compileQuery(node, site, 'count')],
  ['lookup', compileLookup],
  ['rows', compileRows],
  ['duration', compileDuration],
  ['new_id', compileNewId],
  ['pinned', compilePinned],
  ['with_pins', compileWithPins],
  ['scenario', compileScenario],
  ['rate_limit', compileRateLimit],
  ['default', compileDefault],
  ['rest', compileRest],
  ['matches', compileMatches],
  ['replace_matches', compileReplaceMatches],
  ['capture', compileCapture],
  ['tenant', compileTenant],
  ['within', compileWithin],
  ['has_scope', compileHasScope],
]);

function resourceNamed(
  node: ExpressionNode,
  env: Environment,
): { readonly index: number; readonly type: Compiled['type'] & { kind: 'object' } } {
  const name =
    node.op === 'name' ? node.name : node.op === 'literal' && typeof node.value === 'string' ? node.value : undefined;
  const found = name === undefined ? undefined : env.resources.get(name);
  if (!found) {
    throw new ExpressionError(
      `'${name ?? 'this'}' is not a resource of the pack`,
      node.start,
      name && env.suggest(name, env.resources.keys()),
    );
  }
  return found;
}

/** `get(resource, id)`, or `get(reference)` if the reference's type names one resource. */
function compileGet(node: SpecialCall, site: Site): Compiled {
  const { env, unit } = site;
  const [first] = node.args;
  const isResource = first?.op === 'name' && env.resources.has(first.name) && !site.scope.lookup(first.name);
  if (node.args.length !== 1 || isResource) arity(node, 2, 'get(reference) or get(resource, id)');
  const [wanted] = node.args.slice(-1);
  const id = site.compile(wanted);
  const { index, type } = node.args.length === 1 ? referred(id, wanted, env) : resourceNamed(node.args[0], env);
  if (!accepts(STRING, id.type)) throw new ExpressionError(`an id is text, not ${describeType(id.type)}`, wanted.start);
  return {
    type,
    js: `${unit.refer(lookup, 'lookup')}(x, ${index}, ${id.js})`,
    row: `${unit.refer(lookupRow, 'lookupRow')}(x, ${index}, ${id.js})`,
  };
}

/** Returns the resource that a reference names. @throws ExpressionError if its type names none, or several */
function referred({ type }: Compiled, node: ExpressionNode, env: Environment): ReturnType<typeof resourceNamed> {
  const refs = type.kind === 'string' ? (type.refs ?? []) : [];
  const [only] = refs;
  const found = refs.length === 1 ? env.resources.get(only) : undefined;
  if (found) return found;
  if (refs.length === 1) throw new ExpressionError(`'${only}' is not a resource of the pack`, node.start);
  const what = refs.length > 1 ? `one of ${refs.join(', ')}` : `${describeType(type)}, not a reference`;
  throw new ExpressionError(`this is ${what}: name the resource, get(${refs[0] ?? 'resource'}, ...)`, node.start);
}

/** `at(value, path)`: the member at a dotted path, or null. A constant path is checked if the type is known. */
function compileAt(node: SpecialCall, site: Site): Compiled {
  arity(node, 2, "at(value, 'a.b')");
  const [value, path] = node.args.map(site.compile);
  if (!accepts(STRING, path.type))
    throw new ExpressionError(`a path is text, not ${describeType(path.type)}`, node.args[1].start);
  let type: Type = typeof path.constant === 'string' ? value.type : ANY;
  for (const name of typeof path.constant === 'string' ? path.constant.split('.') : []) {
    if (type.kind === 'object' && !type.fields.has(name))
      throw new ExpressionError(
        `${describeType(type)} has no member '${name}'`,
        node.args[1].start,
        site.env.suggest(name, type.fields.keys()),
      );
    type = type.kind === 'object' ? (type.fields.get(name) ?? ANY) : type.kind === 'map' ? type.of : ANY;
  }
  return { type, js: `${site.unit.refer(memberAt, 'memberAt')}(${value.js}, ${path.js})` };
}

function compileQuery(node: SpecialCall, site: Site, kind: 'find' | 'all' | 'count'): Compiled {
  const { index, type } = resourceNamed(node.args[0] ?? node, site.env);
  const where = compileWhere(node.args[1], type, site);
  if (node.args.length > 2) throw new ExpressionError(`usage: ${kind}(resource, {field: value})`, node.start);
  switch (kind) {
    case 'count':
      return { type: NUMBER, js: `x.countObjects(${index}, ${where})`, gives: 'number' };
    case 'find':
      return { type, js: `(x.findObjects(${index}, ${where}, 1)[0] ?? null)` };
    case 'all':
      return { type: listType(type), js: `x.findObjects(${index}, ${where}, 1 / 0)` };
  }
}

function compileWhere(
  node: ExpressionNode | undefined,
  type: Compiled['type'] & { kind: 'object' },
  site: Site,
): string {
  if (node === undefined) return '[]';
  if (node.op !== 'map')
    throw new ExpressionError('the condition is a map of fields and values, such as {"status": "open"}', node.start);
  const pairs = node.entries.map(([key, value]) => {
    const field = bareName(key);
    const wanted = type.fields.get(field);
    if (!wanted)
      throw new ExpressionError(
        `${type.name ?? 'the resource'} has no field '${field}'`,
        key.start,
        site.env.suggest(field, type.fields.keys()),
      );
    const compiled = site.compile(value);
    if (!accepts(wanted, compiled.type))
      throw new ExpressionError(
        `'${field}' is ${describeType(wanted)}, not ${describeType(compiled.type)}`,
        value.start,
      );
    return `[${scriptLiteral(field)}, ${compiled.js}]`;
  });
  return `[${pairs.join(', ')}]`;
}

/** Returns a name in the pack, written as an identifier or text; empty for anything else. */
function bareName(node: ExpressionNode): string {
  return node.op === 'name' ? node.name : node.op === 'literal' ? String(node.value) : '';
}

function tableNamed(node: ExpressionNode, env: Environment): Table {
  const name = bareName(node);
  const table = env.tables.get(name);
  if (!table) throw new ExpressionError(`unknown table '${name}'`, node.start, env.suggest(name, env.tables.keys()));
  return table;
}

/** `rows(table)`: every row, in the table's order. */
function compileRows(node: SpecialCall, { env, unit }: Site): Compiled {
  arity(node, 1, 'rows(table)');
  const { name, rows, row } = tableNamed(node.args[0], env);
  return { type: listType(row), js: unit.refer(rows, `rows_${name}`) };
}

function compileLookup(node: SpecialCall, site: Site): Compiled {
  arity(node, 3, 'lookup(table, column, value)');
  const [tableNode, columnNode, valueNode] = node.args;
  const table = tableNamed(tableNode, site.env);
  const column = bareName(columnNode);
  if (!table.columns.has(column)) {
    throw new ExpressionError(
      `table ${table.name} has no column '${column}'`,
      columnNode.start,
      site.env.suggest(column, table.columns.keys()),
    );
  }
  const value = site.compile(valueNode);
  const name = site.unit.refer(table, `table_${table.name}`);
  return { type: table.row, js: `${name}.find(${scriptLiteral(column)}, ${value.js})` };
}

function compileDuration(node: SpecialCall, site: Site): Compiled {
  const { env } = site;
  arity(node, 1, 'duration(name)');
  const [named] = node.args;
  const isBare = named.op === 'name' && !site.scope.lookup(named.name);
  const name = isBare ? named.name : site.compile(named).constant;
  if (typeof name !== 'string' || !env.durations.has(name)) {
    const text = typeof name === 'string' ? name : '';
    throw new ExpressionError(`unknown duration '${text}'`, node.args[0].start, env.suggest(text, env.durations));
  }
  env.useDuration?.(name);
  return { type: DURATION, js: `x.durationMs(${scriptLiteral(name)})` };
}

/** `new_id(prefix, format)`: an id with a constant prefix, in a format of pack.yaml `ids`. */
function compileNewId(node: SpecialCall, site: Site): Compiled {
  const { env } = site;
  arity(node, 2, "new_id('prefix_', format)");
  const [prefixNode, formatNode] = node.args;
  const prefix = site.compile(prefixNode).constant;
  if (typeof prefix !== 'string')
    throw new ExpressionError('the prefix of new_id() is constant text', prefixNode.start);
  const format = bareName(formatNode);
  if (!env.idFormats.has(format))
    throw new ExpressionError(
      `'${format}' is no format of \`ids\` without a sequence`,
      formatNode.start,
      env.suggest(format, env.idFormats),
    );
  return { type: STRING, js: `x.newIdOf(${scriptLiteral(prefix)}, ${scriptLiteral(format)})` };
}

/** `pinned(path)` for `self`, `pinned(object, path)` for another object, `pinned(resource, path)` for a whole collection. */
function compilePinned(node: SpecialCall, site: Site): Compiled {
  const { scope, env, unit } = site;
  if (node.args.length < 1 || node.args.length > 2)
    throw new ExpressionError('usage: pinned("path") or pinned(object, "path")', node.start);
  const pathNode = node.args[node.args.length - 1];
  const path = site.compile(pathNode).constant;
  if (typeof path !== 'string') throw new ExpressionError('the path of pinned() is constant text', pathNode.start);
  const targetNode: ExpressionNode =
    node.args.length === 2 ? node.args[0] : { op: 'name', name: 'self', start: node.start };
  if (targetNode.op === 'name' && !scope.lookup(targetNode.name) && env.resources.has(targetNode.name)) {
    const { index } = resourceNamed(targetNode, env);
    return { type: ANY, js: `x.pinned(${index}, null, ${scriptLiteral(path)})` };
  }
  const target = site.compile(targetNode);
  const resource = resourceOfType(target, env);
  if (!resource) throw new ExpressionError('pinned() needs an object of a resource', targetNode.start);
  return {
    type: ANY,
    js: `${unit.refer(pinned, 'pinned')}(x, ${resource.index}, ${target.js}, ${scriptLiteral(path)})`,
  };
}

/** Returns the resource of the object that an expression evaluates to; undefined if its type is no object of a resource. */
function resourceOfType(
  { type }: Compiled,
  env: Environment,
): { readonly index: number; readonly shapes: readonly string[] } | undefined {
  return type.kind === 'object' && type.resource ? env.resources.get(type.resource) : undefined;
}

/** `with_pins(path, value)`: the value with pinned values at and below the path of `self`. */
function compileWithPins(node: SpecialCall, site: Site): Compiled {
  arity(node, 2, 'with_pins("path", value)');
  const [pathNode, valueNode] = node.args;
  const path = site.compile(pathNode).constant;
  if (typeof path !== 'string') throw new ExpressionError('the path of with_pins() is constant text', pathNode.start);
  const self = site.scope.lookup('self') && site.compile({ op: 'name', name: 'self', start: node.start });
  const resource = self && resourceOfType(self, site.env);
  if (!self || !resource) throw new ExpressionError('with_pins() needs a `self`', node.start);
  const value = site.compile(valueNode);
  const called = site.unit.refer(withPins, 'withPins');
  return { type: ANY, js: `${called}(x, ${resource.index}, ${self.js}, ${scriptLiteral(path)}, () => ${value.js})` };
}

function compileScenario(node: SpecialCall, site: Site): Compiled {
  const { env } = site;
  arity(node, 1, 'scenario("name")');
  const name = site.compile(node.args[0]).constant;
  if (typeof name !== 'string' || !env.scenarioValues.has(name)) {
    const text = typeof name === 'string' ? name : '';
    throw new ExpressionError(
      `no scenario provides '${text}'`,
      node.args[0].start,
      env.suggest(text, env.scenarioValues),
    );
  }
  return { type: ANY, js: `x.scenarioValue(${scriptLiteral(name)})` };
}

function compileRateLimit(node: SpecialCall, site: Site): Compiled {
  const known = site.env.rateLimits ?? new Set();
  arity(node, 1, 'rate_limit("name")');
  const name = site.compile(node.args[0]).constant;
  if (typeof name !== 'string' || !known.has(name)) {
    const text = typeof name === 'string' ? name : '';
    throw new ExpressionError(`no rate limit is called '${text}'`, node.args[0].start, site.env.suggest(text, known));
  }
  return { type: mapType(ANY), js: `x.rateLimit(${scriptLiteral(name)})` };
}

function compileDefault(node: SpecialCall, site: Site): Compiled {
  arity(node, 2, 'default(value, fallback)');
  const [value, fallback] = node.args.map(site.compile);
  const { gives } = fallback;
  return {
    type: join(value.type, fallback.type),
    js: `(${value.raw ?? value.js} ?? ${fallback.js})`,
    gives: value.gives === gives ? gives : undefined,
  };
}

/**
 * `rest(object)`, `rest(object, 'shape')`: the object as the vendor API returns it. In the file of a version: as that version
 * returns it, also for values that contain complete objects.
 */
function compileRest(node: SpecialCall, site: Site): Compiled {
  if (node.args.length !== 2) arity(node, 1, "rest(object) or rest(object, 'shape')");
  const object = site.compile(node.args[0]);
  const resource = resourceOfType(object, site.env);
  const { shaped } = site.env;
  if (shaped) {
    if (node.args.length === 2)
      throw new ExpressionError('versions show objects without shapes: write rest(object)', node.args[1].start);
    const shape = site.unit.refer(shaped, 'shape');
    if (!resource) return { type: ANY, js: `${shape}.embed(x, ${object.js})` };
    return { type: ANY, js: `${site.unit.refer(shownBy, 'shownBy')}(${shape}, x, ${resource.index}, ${object.js})` };
  }
  if (!resource) throw new ExpressionError('rest() needs an object of a resource', node.args[0].start);
  const shape = node.args.length === 1 ? '' : `, ${scriptLiteral(shapeNamed(node.args[1], resource.shapes, site))}`;
  return { type: ANY, js: `${site.unit.refer(responseOf, 'rest')}(x, ${resource.index}, ${object.js}${shape})` };
}

/** Returns the shape that a constant argument names. */
function shapeNamed(node: ExpressionNode, shapes: readonly string[], site: Site): string {
  const name = site.compile(node).constant;
  if (typeof name === 'string' && shapes.includes(name)) return name;
  const message = `the resource has no shape '${typeof name === 'string' ? name : ''}'`;
  throw new ExpressionError(message, node.start, typeof name === 'string' ? site.env.suggest(name, shapes) : undefined);
}

/** `tenant()`: the id of the current tenant; null: none. */
function compileTenant(node: SpecialCall, { env }: Site): Compiled {
  arity(node, 0, 'tenant()');
  requireTenants(node, env);
  return { type: STRING, js: '(x.tenant ?? null)' };
}

/** `within(id, value)`: evaluates a value in another tenant; null: none. */
function compileWithin(node: SpecialCall, site: Site): Compiled {
  arity(node, 2, 'within(tenant, value)');
  requireTenants(node, site.env);
  const [tenant, value] = node.args.map(site.compile);
  if (!accepts(STRING, tenant.type))
    throw new ExpressionError(`the id of a tenant is text, not ${describeType(tenant.type)}`, node.args[0].start);
  const js = `x.within(${tenant.js}, () => ${value.js})`;
  return { type: value.type, js, row: value.row && `x.within(${tenant.js}, () => ${value.row})` };
}

/** `has_scope(name)`: whether the token of the call has a scope, or one that implies it. */
function compileHasScope(node: SpecialCall, site: Site): Compiled {
  arity(node, 1, 'has_scope(name)');
  if (site.env.scopes === undefined)
    throw new ExpressionError('has_scope() needs a pack with `auth.tokens.scopes` in pack.yaml', node.start);
  site.env.scopes.asked = true;
  const name = site.compile(node.args[0]);
  if (!accepts(STRING, name.type))
    throw new ExpressionError(`the name of a scope is text, not ${describeType(name.type)}`, node.args[0].start);
  return truth(`x.hasScope(${name.js})`);
}

function requireTenants(node: SpecialCall, env: Environment): void {
  if (env.hasTenants !== true)
    throw new ExpressionError(`${node.name}() needs a pack with \`tenants\` in pack.yaml`, node.start);
}

/** `version.has("switch")`: whether the version of the call, or the account's, has a switch. */
export function compileVersionHas(node: SpecialCall, site: Site): Compiled {
  const [nameNode] = node.args;
  const name = node.args.length === 1 ? site.compile(nameNode).constant : undefined;
  const known = site.env.switches ?? new Set<string>();
  if (typeof name !== 'string') throw new ExpressionError('usage: version.has("switch")', node.start);
  if (!known.has(name))
    throw new ExpressionError(`no version has the switch '${name}'`, nameNode.start, site.env.suggest(name, known));
  return truth(`(x.hasSwitch(${scriptLiteral(name)}))`);
}
