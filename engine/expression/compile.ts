import type { Environment } from './environment.js';
import type { Evaluate, Frame, Json, JsonObject } from './host.js';
import { functions, methods, type FunctionSpec } from './functions.js';
import { compileMacro, MACROS } from './macros.js';
import { compileBinary, compileUnary } from './operators.js';
import { layoutOf } from './layout.js';
import { ORIGIN } from './origin.js';
import { ExpressionError, type Node, parse } from './parse.js';
import type { Holder, Scope, Variable } from './scope.js';
import { specials } from './specials.js';
import { ANY, accepts, BOOLEAN, describe, join, listOf, NULL, NUMBER, objectOf, STRING, type Type } from './types.js';
import { asBoolean, member } from './values.js';

/** An expression checked against its scope and turned into a closure. */
export interface Compiled {
  readonly type: Type;
  readonly run: Evaluate;
  /** Present when the value does not depend on anything. */
  readonly constant?: Json;
  /** `run`, where it gives true or false and nothing else. */
  readonly test?: (frame: Frame) => boolean;
  /** Present for a variable: its slot can be read directly. */
  readonly variable?: Variable;
}

/** What stands in the slot of a variable that is not live. */
export function valueIn(frame: Frame, slot: number): Json {
  return (frame[slot] ?? null) as Json;
}

/** What stands in the slot of a live variable. */
function holderIn(frame: Frame, slot: number): Holder | null {
  return (frame[slot] ?? null) as Holder | null;
}

/** An expression that is true or false, never null. */
export function truth(test: (frame: Frame) => boolean): Compiled {
  return { type: BOOLEAN, run: test, test };
}

/**
 * Checks and compiles an expression.
 * @throws ExpressionError with the offset of the mistake and, where one is near, a suggestion
 */
export function compileExpression(source: string, scope: Scope, environment: Environment): Compiled {
  return compileNode(parse(source), scope, environment);
}

/** Compiles a parsed node. */
export function compileNode(node: Node, scope: Scope, env: Environment): Compiled {
  switch (node.op) {
    case 'literal':
      return constant(node.value);
    case 'name':
      return compileName(node, scope, env);
    case 'member':
      return compileMember(node, scope, env);
    case 'index':
      return compileIndex(node, scope, env);
    case 'call':
      return compileCall(node, scope, env);
    case 'list': {
      const items = node.items.map((item) => compileNode(item, scope, env));
      const runs = items.map((item) => item.run);
      const type = listOf(items.length === 0 ? ANY : items.map((item) => item.type).reduce(join));
      return { type, run: (frame) => runs.map((run) => run(frame)) };
    }
    case 'map':
      return compileMap(node, scope, env);
    case 'choose': {
      const test = condition(node.if, scope, env);
      const yes = compileNode(node.then, scope, env);
      const no = compileNode(node.else, scope, env);
      return { type: join(yes.type, no.type), run: (frame) => (test(frame) ? yes.run(frame) : no.run(frame)) };
    }
    case 'unary':
      return compileUnary(node, scope, env);
    case 'binary':
      return compileBinary(node, scope, env);
  }
}

function constant(value: Json): Compiled {
  const type: Type =
    value === null
      ? NULL
      : typeof value === 'string'
        ? { kind: 'string', values: [value] }
        : typeof value === 'number'
          ? NUMBER
          : BOOLEAN;
  return { type, run: () => value, constant: value };
}

/** Compiles a node that must be true or false. */
export function condition(node: Node, scope: Scope, env: Environment): (frame: Frame) => boolean {
  const compiled = compileNode(node, scope, env);
  if (!accepts(BOOLEAN, compiled.type)) {
    throw new ExpressionError(`this must be true or false, it is ${describe(compiled.type)}`, node.start);
  }
  const { run, test, variable } = compiled;
  if (test) return test;
  if (variable && !variable.live) return (frame) => asBoolean(valueIn(frame, variable.slot), 'a condition');
  return (frame) => asBoolean(run(frame), 'a condition');
}

function compileName(node: Node & { op: 'name' }, scope: Scope, env: Environment): Compiled {
  const variable = scope.lookup(node.name);
  if (variable) {
    const { slot, type } = variable;
    if (variable.live) return { type, run: (frame) => holderIn(frame, slot)?.value ?? null, variable };
    return { type, run: (frame) => valueIn(frame, slot), variable };
  }
  if (node.name === 'now') return { type: env.timestamp, run: (frame) => frame[0].now };
  if (node.name === 'base_url') return { type: STRING, run: () => ORIGIN, constant: ORIGIN };
  if (node.name === 'vars') throw new ExpressionError("'vars' is read by name, such as vars.title", node.start);
  const known = [...scope.names(), 'now', 'vars', 'base_url'];
  throw new ExpressionError(`unknown name '${node.name}'`, node.start, env.suggest(node.name, known));
}

function compileMember(node: Node & { op: 'member' }, scope: Scope, env: Environment): Compiled {
  if (node.of.op === 'name' && node.of.name === 'vars' && !scope.lookup('vars')) {
    const value = env.vars.get(node.key);
    if (value === undefined) {
      throw new ExpressionError(`unknown variable 'vars.${node.key}'`, node.at, env.suggest(node.key, env.vars.keys()));
    }
    return { type: STRING, run: () => value, constant: value };
  }
  const target = compileNode(node.of, scope, env);
  const { key } = node;
  const { run, variable } = target;
  const type = memberType(target.type, key, node.at, env);
  if (variable?.live) {
    const { slot } = variable;
    return {
      type,
      run: (frame) => {
        const held = holderIn(frame, slot);
        return held === null ? null : (held.value[key] ?? null);
      },
    };
  }
  if (target.type.kind === 'object' && variable) {
    const { slot } = variable;
    return {
      type,
      run: (frame) => {
        const value = valueIn(frame, slot) as JsonObject | null;
        return value === null ? null : (value[key] ?? null);
      },
    };
  }
  if (target.type.kind === 'object') {
    return {
      type,
      run: (frame) => {
        const value = run(frame) as JsonObject | null;
        return value === null ? null : (value[key] ?? null);
      },
    };
  }
  return { type, run: (frame) => member(run(frame), key) };
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
      const what = type.name ? `${type.name} has no field '${key}'` : `there is no '${key}' here`;
      throw new ExpressionError(what, at, env.suggest(key, type.fields.keys()));
    }
    default:
      throw new ExpressionError(`${describe(type)} has no members`, at);
  }
}

function compileIndex(node: Node & { op: 'index' }, scope: Scope, env: Environment): Compiled {
  const target = compileNode(node.of, scope, env);
  const key = compileNode(node.key, scope, env);
  const { type } = target;
  if (typeof key.constant === 'string') {
    const name = key.constant;
    return { type: memberType(type, name, node.key.start, env), run: (frame) => member(target.run(frame), name) };
  }
  if (type.kind === 'list' && !accepts(NUMBER, key.type)) {
    throw new ExpressionError(`a list is indexed by a number, not ${describe(key.type)}`, node.key.start);
  }
  if (
    type.kind !== 'list' &&
    type.kind !== 'map' &&
    type.kind !== 'any' &&
    type.kind !== 'object' &&
    type.kind !== 'null'
  ) {
    throw new ExpressionError(`${describe(type)} cannot be indexed`, node.start);
  }
  const of = type.kind === 'list' || type.kind === 'map' ? type.of : ANY;
  return {
    type: of,
    run: (frame) => {
      const value = target.run(frame);
      const at = key.run(frame);
      if (Array.isArray(value)) return typeof at === 'number' ? ((value[at] as Json | undefined) ?? null) : null;
      return typeof at === 'string' ? member(value, at) : null;
    },
  };
}

function compileMap(node: Node & { op: 'map' }, scope: Scope, env: Environment): Compiled {
  const entries = node.entries.map(([key, value]) => {
    const name = compileNode(key, scope, env);
    if (!accepts(STRING, name.type)) throw new ExpressionError('keys of a map are text', key.start);
    return { name, value: compileNode(value, scope, env) };
  });
  const names = entries.map((entry) => entry.name.constant);
  const type: Type = names.every((name) => typeof name === 'string')
    ? objectOf(entries.map((entry, index) => [String(names[index]), entry.value.type] as const))
    : { kind: 'map', of: entries.map((entry) => entry.value.type).reduce(join, NULL) };
  if (names.every((name) => typeof name === 'string'))
    return { type, run: compileObject(entries.map(({ value }, index) => [String(names[index]), value])) };
  return {
    type,
    run: (frame) => {
      const made: Record<string, Json> = {};
      for (const { name, value } of entries) define(made, String(name.run(frame)), value.run(frame));
      return made;
    },
  };
}

/** Makes an object with these keys; values that are always the same are part of its layout. */
export function compileObject(entries: readonly (readonly [string, Compiled])[]): Evaluate {
  const keys = entries.map(([key]) => key);
  const runs = entries.map(([, { run }]) => run);
  if (keys.includes('__proto__') || new Set(keys).size < keys.length) {
    return (frame) => {
      const made: Record<string, Json> = {};
      for (let i = 0; i < keys.length; i++) define(made, keys[i], runs[i](frame));
      return made;
    };
  }
  const constants: Record<string, Json> = {};
  for (const [key, { constant: value }] of entries) if (value !== undefined) constants[key] = value;
  const make = layoutOf(keys).maker(constants);
  const asked = keys.filter((key) => !Object.hasOwn(constants, key));
  const others = entries.flatMap(([, { constant: value, run }]) => (value === undefined ? [run] : []));
  return (frame) => {
    const made = make();
    for (let i = 0; i < asked.length; i++) made[asked[i]] = others[i](frame);
    return made;
  };
}

/** Sets a key on a fresh object; a key that could reach a prototype becomes an ordinary own key. */
export function define(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

function compileCall(node: Node & { op: 'call' }, scope: Scope, env: Environment): Compiled {
  const macro = compileMacro(node, scope, env);
  if (macro) return macro;
  if (!node.of || node.name === 'matches') {
    const special = specials.get(node.name);
    if (special) return special(node, scope, env);
  }
  const table: ReadonlyMap<string, FunctionSpec> = node.of ? methods : functions;
  const spec = table.get(node.name);
  if (!spec) {
    const known = node.of
      ? [...methods.keys(), ...MACROS, 'matches']
      : [...functions.keys(), ...specials.keys(), 'has'];
    throw new ExpressionError(`unknown function '${node.name}'`, node.start, env.suggest(node.name, known));
  }
  const nodes = node.of ? [node.of, ...node.args] : node.args;
  const args = nodes.map((arg) => compileNode(arg, scope, env));
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
        `${node.name}() wants ${describe(wanted)} here, not ${describe(arg.type)}`,
        nodes[index].start,
      );
    }
  });
  const result = typeof spec.result === 'function' ? spec.result(args.map((arg) => arg.type)) : spec.result;
  const type = result === 'timestamp' ? env.timestamp : result;
  const call = spec.bind(env);
  const [first, second, third, fourth] = args.map((arg) => arg.run);
  switch (args.length) {
    case 0:
      return { type, run: (frame) => call(frame[0]) };
    case 1:
      return { type, run: (frame) => call(frame[0], first(frame)) };
    case 2:
      return { type, run: (frame) => call(frame[0], first(frame), second(frame)) };
    case 3:
      return { type, run: (frame) => call(frame[0], first(frame), second(frame), third(frame)) };
    default:
      return { type, run: (frame) => call(frame[0], first(frame), second(frame), third(frame), fourth(frame)) };
  }
}
