import { spendTurns } from './budget.js';
import { compileNode, condition, truth, type Compiled } from './compile.js';
import type { Environment } from './environment.js';
import type { Json } from './host.js';
import { ExpressionError, type Node } from './parse.js';
import type { Scope } from './scope.js';
import { ANY, describe, listOf, type Type } from './types.js';
import { isList, isObject } from './values.js';

type Call = Node & { op: 'call' };

/** Macros that are called on a list. */
export const MACROS: readonly string[] = ['map', 'filter', 'exists', 'exists_one', 'all'];

/** Compiles CEL's macros (`has`, `map`, `filter`, `exists`, `exists_one`, `all`, `cel.bind`); undefined for other calls. */
export function compileMacro(node: Call, scope: Scope, env: Environment): Compiled | undefined {
  if (!node.of) return node.name === 'has' ? compileHas(node, scope, env) : undefined;
  if (node.name === 'bind' && node.of.op === 'name' && node.of.name === 'cel') return compileBind(node, scope, env);
  if (MACROS.includes(node.name) && node.args.length !== 2 && !(node.name === 'map' && node.args.length === 3)) {
    throw new ExpressionError(`${node.name}() wants a variable and an expression`, node.start);
  }
  switch (node.name) {
    case 'map':
      return node.args.length === 3
        ? loop(node, scope, env, node.args[1], node.args[2])
        : loop(node, scope, env, undefined, node.args[1]);
    case 'filter':
      return loop(node, scope, env, node.args[1], node.args[0]);
    case 'exists':
    case 'exists_one':
    case 'all':
      return quantifier(node, scope, env);
    default:
      return undefined;
  }
}

/** `has(a.b)`: whether the member was given at all, null or not. */
function compileHas(node: Call, scope: Scope, env: Environment): Compiled {
  const [arg] = node.args;
  if (node.args.length !== 1 || arg.op !== 'member') {
    throw new ExpressionError('has() wants a member, such as has(params.amount)', node.start);
  }
  compileNode(arg, scope, env);
  const target = compileNode(arg.of, scope, env);
  const { key } = arg;
  return truth((frame) => {
    const value = target.run(frame);
    return isObject(value) && Object.hasOwn(value, key);
  });
}

function compileBind(node: Call, scope: Scope, env: Environment): Compiled {
  const [name, value, body] = node.args;
  if (node.args.length !== 3 || name.op !== 'name')
    throw new ExpressionError('cel.bind() wants a name, a value and an expression', node.start);
  const bound = compileNode(value, scope, env);
  const inner = scope.child();
  const { slot } = inner.declare(name.name, bound.type);
  const result = compileNode(body, inner, env);
  return {
    type: result.type,
    run: (frame) => {
      frame[slot] = bound.run(frame);
      return result.run(frame);
    },
  };
}

interface Loop {
  readonly items: Compiled;
  readonly slot: number;
  readonly inner: Scope;
}

function openLoop(node: Call, scope: Scope, env: Environment): Loop {
  const [variable] = node.args;
  if (variable.op !== 'name' || !node.of) {
    throw new ExpressionError(`${node.name}() wants a variable and an expression`, node.start);
  }
  const items = compileNode(node.of, scope, env);
  const { kind } = items.type;
  if (kind !== 'list' && kind !== 'map' && kind !== 'any' && kind !== 'object' && kind !== 'null') {
    throw new ExpressionError(`${node.name}() wants a list, not ${describe(items.type)}`, node.of.start);
  }
  const inner = scope.child();
  const of: Type =
    items.type.kind === 'list' ? items.type.of : kind === 'any' || kind === 'null' ? ANY : { kind: 'string' };
  return { items, slot: inner.declare(variable.name, of).slot, inner };
}

/** What a loop goes over; its turns count. */
function elements(value: Json): readonly Json[] {
  const found = isList(value) ? value : isObject(value) ? Object.keys(value) : [];
  spendTurns(found.length);
  return found;
}

function loop(node: Call, scope: Scope, env: Environment, test: Node | undefined, body: Node): Compiled {
  const { items, slot, inner } = openLoop(node, scope, env);
  const keep = test === undefined ? undefined : condition(test, inner, env);
  const result = compileNode(body, inner, env);
  return {
    type: listOf(result.type),
    run: (frame) => {
      const made: Json[] = [];
      for (const item of elements(items.run(frame))) {
        frame[slot] = item;
        if (keep === undefined || keep(frame)) made.push(result.run(frame));
      }
      return made;
    },
  };
}

function quantifier(node: Call, scope: Scope, env: Environment): Compiled {
  const { items, slot, inner } = openLoop(node, scope, env);
  const test = condition(node.args[1], inner, env);
  const wanted = node.name;
  return truth((frame) => {
    let hits = 0;
    for (const item of elements(items.run(frame))) {
      frame[slot] = item;
      const hit = test(frame);
      if (hit) hits++;
      if (wanted === 'all' && !hit) return false;
      if (wanted === 'exists' && hit) return true;
    }
    return wanted === 'all' || (wanted === 'exists_one' && hits === 1);
  });
}
