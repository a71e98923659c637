import { addressOfResult, keptInside, seenByCallers } from './address.js';
import { type Compiled, compiledList, compiledObject, fixed, orNull } from './compiled.js';
import { type Site } from './site.js';
import type { FlowFunction, Environment } from './environment.js';
import { functionMeant } from './slips.js';
import type { FunctionSpec } from './function-kit.js';
import { functions, methods } from './functions.js';
import { access, isInherited, scriptLiteral, safeAccess } from './javascript.js';
import { compileMacro, MACROS } from './macros.js';
import { compileBinary, compileUnary } from './operators.js';
import { ORIGIN, SOCKET_ORIGIN } from './origin.js';
import { ExpressionError, type ExpressionNode, parse } from './parse.js';
import type { Scope } from './scope.js';
import { compileVersionHas, specials } from './specials.js';
import { itemAt, fromPairs, mergeEntry } from './support.js';
import {
  ADDRESS,
  ANY,
  EMPTY_LIST,
  accepts,
  BOOLEAN,
  describeType,
  join,
  listType,
  NULL,
  NUMBER,
  objectType,
  ofAddress,
  STRING,
  type Type,
} from './types.js';
import { asBoolean, isObject, member } from '../values/index.js';

/**
 * Checks an expression and compiles it to JavaScript.
 * @throws ExpressionError with the offset of the problem and a suggestion if a similar name exists
 */
export function compileExpression(source: string, scope: Scope, env: Environment): Compiled {
  return siteOf(scope, env).compile(parse(source));
}

function siteOf(scope: Scope, env: Environment): Site {
  const site: Site = {
    scope,
    env,
    unit: scope.unit,
    compile: (node) => compileNode(node, site),
    condition: (node) => compileCondition(node, site),
    within: (inner) => siteOf(inner, env),
  };
  return site;
}

function compileNode(node: ExpressionNode, site: Site): Compiled {
  switch (node.op) {
    case 'literal':
      return fixed(node.value, site.unit);
    case 'name':
      return compileName(node, site);
    case 'member':
      return compileMember(node, site);
    case 'index':
      return compileIndex(node, site);
    case 'call':
      return compileCall(node, site);
    case 'list': {
      const items = node.items.map(site.compile);
      return compiledList(
        items.length === 0 ? EMPTY_LIST : listType(items.map((item) => item.type).reduce(join)),
        items,
        site,
      );
    }
    case 'map':
      return compileMap(node, site);
    case 'choose': {
      const test = site.condition(node.if);
      const yes = site.compile(node.then);
      const no = site.compile(node.else);
      const gives = yes.gives === no.gives ? yes.gives : undefined;
      return { type: join(yes.type, no.type), js: `(${test} ? ${yes.js} : ${no.js})`, gives };
    }
    case 'unary':
      return compileUnary(node, site);
    case 'binary':
      return compileBinary(node, site);
  }
}

function compileCondition(node: ExpressionNode, site: Site): string {
  const compiled = site.compile(node);
  if (!accepts(BOOLEAN, compiled.type)) {
    throw new ExpressionError(`this must be true or false, it is ${describeType(compiled.type)}`, node.start);
  }
  if (compiled.gives === 'boolean') return compiled.js;
  return `${site.unit.refer(asBoolean, 'asBoolean')}(${compiled.js}, "a condition")`;
}

function compileName(node: ExpressionNode & { op: 'name' }, { scope, env, unit }: Site): Compiled {
  const variable = scope.lookup(node.name);
  if (variable) {
    const { js, type } = variable;
    return variable.live ? { ...orNull(type, `${js}?.value`), variable } : { type, js, variable };
  }
  if (node.name === 'now') return { type: env.timestamp, js: 'x.now' };
  const acting = node.name === 'actor' && env.actor !== undefined ? env.resources.get(env.actor) : undefined;
  if (acting) return orNull(acting.type, 'x.actor');
  // Not a constant, since results depend on the address at which the world is served.
  if (node.name === 'base_url') return { type: ADDRESS, js: unit.constant(ORIGIN), gives: 'string' };
  if (node.name === 'socket_url') return { type: ADDRESS, js: unit.constant(SOCKET_ORIGIN), gives: 'string' };
  if (node.name === 'vars') throw new ExpressionError("'vars' is read by name, such as vars.title", node.start);
  const known = [
    ...scope.names(),
    ...['now', 'vars', 'base_url', 'socket_url'],
    ...(env.actor === undefined ? [] : ['actor']),
  ];
  throw new ExpressionError(`unknown name '${node.name}'`, node.start, env.suggest(node.name, known));
}

function compileMember(node: ExpressionNode & { op: 'member' }, site: Site): Compiled {
  const { env, unit } = site;
  if (node.of.op === 'name' && node.of.name === 'vars' && !site.scope.lookup('vars')) {
    const value = env.vars.get(node.key);
    if (value === undefined) {
      throw new ExpressionError(`unknown variable 'vars.${node.key}'`, node.at, env.suggest(node.key, env.vars.keys()));
    }
    return fixed(value, unit, STRING);
  }
  const target = site.compile(node.of);
  const { key } = node;
  const type = memberType(target.type, key, node.at, env);
  if (target.type.kind === 'object' && !isInherited(key))
    return orNull(type, `${target.raw ?? target.js}${safeAccess(key)}`);
  return compiledMember(type, target, key, site);
}

/** Compiles the access to a member of a value whose type is unknown; null if it has none. */
function compiledMember(type: Type, target: Compiled, key: string, { unit }: Site): Compiled {
  if (!isInherited(key)) {
    // The access is inlined: a shared function would see objects of many layouts, and V8 would look up each member.
    const held = unit.temp('held');
    const isHere = `${unit.refer(isObject, 'isObject')}(${held} = ${target.js})`;
    return orNull(type, `(${isHere} ? ${held}${access(key)} : null)`);
  }
  return { type, js: `${unit.refer(member, 'member')}(${target.js}, ${scriptLiteral(key)})` };
}

function memberType(type: Type, key: string, at: number, env: Environment): Type {
  switch (type.kind) {
    case 'any':
    case 'null':
      return ANY;
    case 'map':
      return type.of;
    case 'object': {
      const found = type.fields.get(key);
      if (found !== undefined) return found;
      if (type.computed?.has(key) === true)
        throw new ExpressionError(`'${key}' is computed for responses: read rest(...).${key}`, at);
      const what = type.name ? `${type.name} has no field '${key}'` : `there is no '${key}' here`;
      throw new ExpressionError(what, at, env.suggest(key, type.fields.keys()));
    }
    default:
      throw new ExpressionError(
        `${describeType(type)} has no members${key === 'length' ? ': its length is size(...)' : ''}`,
        at,
      );
  }
}

function compileIndex(node: ExpressionNode & { op: 'index' }, site: Site): Compiled {
  const target = site.compile(node.of);
  const key = site.compile(node.key);
  const { type } = target;
  if (typeof key.constant === 'string')
    return compiledMember(memberType(type, key.constant, node.key.start, site.env), target, key.constant, site);
  if (type.kind === 'list' && !accepts(NUMBER, key.type)) {
    throw new ExpressionError(`a list is indexed by a number, not ${describeType(key.type)}`, node.key.start);
  }
  if (!['list', 'map', 'any', 'object', 'null'].includes(type.kind)) {
    throw new ExpressionError(`${describeType(type)} cannot be indexed`, node.start);
  }
  const of = type.kind === 'list' || type.kind === 'map' ? type.of : ANY;
  return { type: of, js: `${site.unit.refer(itemAt, 'itemAt')}(${target.js}, ${key.js})` };
}

function compileMap(node: ExpressionNode & { op: 'map' }, site: Site): Compiled {
  const entries = node.entries.map(([key, value]) => {
    const name = site.compile(key);
    if (!accepts(STRING, name.type)) throw new ExpressionError('keys of a map are text', key.start);
    return { name, value: site.compile(value) };
  });
  const named = entries.map(({ name, value }) => [String(name.constant), value] as const);
  if (entries.every(({ name }) => typeof name.constant === 'string'))
    return compiledObject(objectType(named.map(([key, { type }]) => [key, type] as const)), named, site);
  const pairs = entries.map(({ name, value }) => `[${name.js}, ${value.js}]`);
  return {
    type: { kind: 'map', of: entries.map((entry) => entry.value.type).reduce(join, NULL) },
    js: `${site.unit.refer(fromPairs, 'fromPairs')}([${pairs.join(', ')}])`,
  };
}

/** Whether a call is `version.has(...)`; not if a variable is called `version`. */
function isVersionHas({ of, name }: ExpressionNode & { op: 'call' }, { scope }: Site): boolean {
  return name === 'has' && of?.op === 'name' && of.name === 'version' && scope.lookup('version') === undefined;
}

/** Compiles a call of a flow without effects. */
function compileFlowCall(flow: FlowFunction, node: ExpressionNode & { op: 'call' }, site: Site): Compiled {
  const unfit = flow.unfit();
  if (unfit !== null) throw new ExpressionError(`flow ${node.name} ${unfit}`, node.start);
  const declared = [...flow.args];
  const given = node.args.map(site.compile);
  const missing = declared.slice(given.length).find(([, { required }]) => required);
  if (given.length > declared.length || missing)
    throw new ExpressionError(
      `usage: ${node.name}(${declared.map(([name, { required }]) => (required ? name : `${name}?`)).join(', ')})`,
      node.start,
    );
  for (const [index, argument] of given.entries()) {
    const [name, { type }] = declared[index];
    if (!accepts(type, argument.type))
      throw new ExpressionError(
        `'${name}' of ${node.name}() is ${describeType(type)}, not ${describeType(argument.type)}`,
        node.args[index].start,
      );
  }
  return flow.call(given, site.scope);
}

function compileCall(node: ExpressionNode & { op: 'call' }, site: Site): Compiled {
  const { env } = site;
  if (isVersionHas(node, site)) return compileVersionHas(node, site);
  const macro = compileMacro(node, site);
  if (macro) return macro;
  if (!node.of || node.name === 'matches') {
    const special = specials.get(node.name);
    if (special) return special(node, site);
  }
  const table: ReadonlyMap<string, FunctionSpec> = node.of ? methods : functions;
  const spec = table.get(node.name);
  const flow = node.of ? undefined : env.flows?.get(node.name);
  if (!spec && flow) return compileFlowCall(flow, node, site);
  if (!spec) {
    const known = node.of
      ? [...methods.keys(), ...MACROS, 'matches']
      : [...functions.keys(), ...specials.keys(), 'has', ...(env.flows?.keys() ?? [])];
    const meant = functionMeant(node.name);
    const near = meant !== undefined && known.includes(meant) ? meant : env.suggest(node.name, known);
    throw new ExpressionError(`unknown function '${node.name}'`, node.start, near);
  }
  const nodes = node.of ? [node.of, ...node.args] : node.args;
  const args = nodes.map(site.compile);
  const least = spec.args.length - (spec.optional ?? 0);
  if (args.length < least || args.length > spec.args.length) {
    throw new ExpressionError(
      `${node.name}() takes ${least === spec.args.length ? '' : `${least} to `}${spec.args.length} arguments`,
      node.start,
    );
  }
  args.forEach((arg, index) => {
    const wanted = spec.args[index] === 'timestamp' ? env.timestamp : spec.args[index];
    if (!accepts(wanted, arg.type)) {
      throw new ExpressionError(
        `${node.name}() needs ${describeType(wanted)} here, not ${describeType(arg.type)}`,
        nodes[index].start,
      );
    }
  });
  const problem = spec.problemOf?.(args.map(({ constant }) => constant));
  if (problem !== undefined) throw new ExpressionError(problem, node.start);
  const result = typeof spec.result === 'function' ? spec.result(args.map((arg) => arg.type)) : spec.result;
  const type = ofAddress(result === 'timestamp' ? env.timestamp : result, addressOfResult(node.name, args));
  const given =
    spec.seesAddress === true ? args.map((arg) => seenByCallers(arg, site.unit)) : args.map((arg) => arg.js);
  const before = { values: [], host: ['x'], time: ['x', site.unit.refer(env, 'env')] }[spec.sees];
  const entry = spec === functions.get('entry') ? ([given[0], given[1]] as const) : undefined;
  const added = spec === functions.get('merge') ? args[1].entry : undefined;
  if (added !== undefined)
    return { type, js: `${site.unit.refer(mergeEntry, 'mergeEntry')}(${[given[0], ...added].join(', ')})` };
  const js = `${site.unit.refer(spec.run, node.name)}(${[...before, ...given].join(', ')})`;
  return { type, js: spec.seesAddress === true ? keptInside(type, js, site.unit) : js, entry };
}
