import { compileNode, type Compiled } from './compile.js';
import type { Environment, Table } from './environment.js';
import type { Frame, Json } from './host.js';
import { ExpressionError, type Node } from './parse.js';
import { patternMistake, type TextPattern, textPattern } from './pattern.js';
import type { Scope } from './scope.js';
import { accepts, ANY, BOOLEAN, describe, DURATION, join, listOf, NUMBER, STRING } from './types.js';
import { asText, isObject, member, putAt } from './values.js';

type Call = Node & { op: 'call' };
type Special = (node: Call, scope: Scope, env: Environment) => Compiled;

/** Functions whose arguments are names of the pack rather than values. */
export const specials: ReadonlyMap<string, Special> = new Map<string, Special>([
  ['get', compileGet],
  ['find', (node, scope, env) => compileQuery(node, scope, env, 'find')],
  ['all', (node, scope, env) => compileQuery(node, scope, env, 'all')],
  ['count', (node, scope, env) => compileQuery(node, scope, env, 'count')],
  ['lookup', compileLookup],
  ['rows', compileRows],
  ['duration', compileDuration],
  ['pinned', compilePinned],
  ['with_pins', compileWithPins],
  ['scenario', compileScenario],
  ['default', compileDefault],
  ['rest', compileRest],
  ['matches', compileMatches],
]);

function arity(node: Call, count: number, usage: string): void {
  if (node.args.length !== count) throw new ExpressionError(`usage: ${usage}`, node.start);
}

function resourceNamed(
  node: Node,
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

function compileGet(node: Call, scope: Scope, env: Environment): Compiled {
  arity(node, 2, 'get(resource, id)');
  const resource = resourceNamed(node.args[0], env);
  const id = compileNode(node.args[1], scope, env);
  if (!accepts(STRING, id.type))
    throw new ExpressionError(`an id is text, not ${describe(id.type)}`, node.args[1].start);
  return {
    type: resource.type,
    run: (frame) => {
      const value = id.run(frame);
      return typeof value === 'string' ? (frame[0].lookupObject(resource.index, value) ?? null) : null;
    },
  };
}

function compileQuery(node: Call, scope: Scope, env: Environment, kind: 'find' | 'all' | 'count'): Compiled {
  const resource = resourceNamed(node.args[0] ?? node, env);
  const where = compileWhere(node.args[1], resource.type, scope, env);
  if (node.args.length > 2) throw new ExpressionError(`usage: ${kind}(resource, {field: value})`, node.start);
  const { index } = resource;
  switch (kind) {
    case 'count':
      return { type: NUMBER, run: (frame) => frame[0].countObjects(index, where(frame)) };
    case 'find':
      return { type: resource.type, run: (frame) => frame[0].findObjects(index, where(frame), 1)[0] ?? null };
    case 'all':
      return { type: listOf(resource.type), run: (frame) => frame[0].findObjects(index, where(frame), Infinity) };
  }
}

function compileWhere(
  node: Node | undefined,
  type: Compiled['type'] & { kind: 'object' },
  scope: Scope,
  env: Environment,
): (frame: Frame) => (readonly [string, Json])[] {
  if (node === undefined) return () => [];
  if (node.op !== 'map')
    throw new ExpressionError('the condition is a map of fields and values, such as {"status": "open"}', node.start);
  const pairs = node.entries.map(([key, value]) => {
    const field = key.op === 'literal' ? String(key.value) : key.op === 'name' ? key.name : '';
    const wanted = type.fields.get(field);
    if (!wanted)
      throw new ExpressionError(
        `${type.name ?? 'the resource'} has no field '${field}'`,
        key.start,
        env.suggest(field, type.fields.keys()),
      );
    const compiled = compileNode(value, scope, env);
    if (!accepts(wanted, compiled.type))
      throw new ExpressionError(`'${field}' is ${describe(wanted)}, not ${describe(compiled.type)}`, value.start);
    return [field, compiled.run] as const;
  });
  return (frame) => pairs.map(([field, run]) => [field, run(frame)] as const);
}

function tableNamed(node: Node, env: Environment): Table {
  const name = node.op === 'name' ? node.name : node.op === 'literal' ? String(node.value) : '';
  const table = env.tables.get(name);
  if (!table) throw new ExpressionError(`unknown table '${name}'`, node.start, env.suggest(name, env.tables.keys()));
  return table;
}

/** `rows(table)`: every row, in the table's order. */
function compileRows(node: Call, _scope: Scope, env: Environment): Compiled {
  arity(node, 1, 'rows(table)');
  const { rows, row } = tableNamed(node.args[0], env);
  return { type: listOf(row), run: () => rows };
}

function compileLookup(node: Call, scope: Scope, env: Environment): Compiled {
  arity(node, 3, 'lookup(table, column, value)');
  const [tableNode, columnNode, valueNode] = node.args;
  const table = tableNamed(tableNode, env);
  const column =
    columnNode.op === 'name' ? columnNode.name : columnNode.op === 'literal' ? String(columnNode.value) : '';
  if (!table.columns.has(column)) {
    throw new ExpressionError(
      `table ${table.name} has no column '${column}'`,
      columnNode.start,
      env.suggest(column, table.columns.keys()),
    );
  }
  const value = compileNode(valueNode, scope, env);
  return { type: table.row, run: (frame) => table.find(column, value.run(frame)) };
}

function compileDuration(node: Call, scope: Scope, env: Environment): Compiled {
  arity(node, 1, 'duration("name")');
  const name = compileNode(node.args[0], scope, env).constant;
  if (typeof name !== 'string' || !env.durations.has(name)) {
    const text = typeof name === 'string' ? name : '';
    throw new ExpressionError(`unknown duration '${text}'`, node.args[0].start, env.suggest(text, env.durations));
  }
  env.useDuration?.(name);
  return { type: DURATION, run: (frame) => frame[0].durationMs(name) };
}

/** `pinned(path)` for `self`, `pinned(object, path)` for another object, `pinned(resource, path)` for a whole collection. */
function compilePinned(node: Call, scope: Scope, env: Environment): Compiled {
  if (node.args.length < 1 || node.args.length > 2)
    throw new ExpressionError('usage: pinned("path") or pinned(object, "path")', node.start);
  const pathNode = node.args[node.args.length - 1];
  const path = compileNode(pathNode, scope, env).constant;
  if (typeof path !== 'string') throw new ExpressionError('the path of pinned() is constant text', pathNode.start);
  const targetNode: Node = node.args.length === 2 ? node.args[0] : { op: 'name', name: 'self', start: node.start };
  if (targetNode.op === 'name' && !scope.lookup(targetNode.name) && env.resources.has(targetNode.name)) {
    const { index } = resourceNamed(targetNode, env);
    return { type: ANY, run: (frame) => frame[0].pinned(index, null, path) };
  }
  const target = compileNode(targetNode, scope, env);
  const resource =
    target.type.kind === 'object' && target.type.resource ? env.resources.get(target.type.resource) : undefined;
  if (!resource) throw new ExpressionError('pinned() wants an object of a resource', targetNode.start);
  return {
    type: ANY,
    run: (frame) => {
      const object = target.run(frame);
      return frame[0].pinned(resource.index, isObject(object) ? asText(object['id'], 'pinned()') : null, path);
    },
  };
}

/** `with_pins(path, value)`: the value with what is pinned at the path of `self` and below it laid over. */
function compileWithPins(node: Call, scope: Scope, env: Environment): Compiled {
  arity(node, 2, 'with_pins("path", value)');
  const [pathNode, valueNode] = node.args;
  const path = compileNode(pathNode, scope, env).constant;
  if (typeof path !== 'string') throw new ExpressionError('the path of with_pins() is constant text', pathNode.start);
  const self = scope.lookup('self');
  const resource =
    self?.type.kind === 'object' && self.type.resource ? env.resources.get(self.type.resource) : undefined;
  if (!self || !resource) throw new ExpressionError('with_pins() wants a `self`', node.start);
  const object = compileNode({ op: 'name', name: 'self', start: node.start }, scope, env).run;
  const value = compileNode(valueNode, scope, env);
  return {
    type: ANY,
    run: (frame) => {
      const id = member(object(frame), 'id');
      const pins = frame[0].pinsWithin(resource.index, typeof id === 'string' ? id : null, path);
      return pins.reduce<Json>((made, pin) => putAt(made, pin.keys, pin.value), value.run(frame));
    },
  };
}

function compileScenario(node: Call, scope: Scope, env: Environment): Compiled {
  arity(node, 1, 'scenario("name")');
  const name = compileNode(node.args[0], scope, env).constant;
  if (typeof name !== 'string' || !env.scenarioValues.has(name)) {
    const text = typeof name === 'string' ? name : '';
    throw new ExpressionError(
      `no scenario provides '${text}'`,
      node.args[0].start,
      env.suggest(text, env.scenarioValues),
    );
  }
  return { type: ANY, run: (frame) => frame[0].scenarioValue(name) };
}

function compileDefault(node: Call, scope: Scope, env: Environment): Compiled {
  arity(node, 2, 'default(value, fallback)');
  const [value, fallback] = node.args.map((arg) => compileNode(arg, scope, env));
  return { type: join(value.type, fallback.type), run: (frame) => value.run(frame) ?? fallback.run(frame) };
}

/** `rest(object)`: the object as the vendor's API answers it. */
function compileRest(node: Call, scope: Scope, env: Environment): Compiled {
  arity(node, 1, 'rest(object)');
  const object = compileNode(node.args[0], scope, env);
  const resource =
    object.type.kind === 'object' && object.type.resource ? env.resources.get(object.type.resource) : undefined;
  if (!resource) throw new ExpressionError('rest() wants an object of a resource', node.args[0].start);
  return {
    type: ANY,
    run: (frame) => {
      const value = object.run(frame);
      return isObject(value) ? frame[0].answer(resource.index, value) : null;
    },
  };
}

/** `matches(text, "pattern")`, also `text.matches("pattern")`: the pattern is constant and takes linear time. */
function compileMatches(node: Call, scope: Scope, env: Environment): Compiled {
  const args = node.of ? [node.of, ...node.args] : node.args;
  if (args.length !== 2) throw new ExpressionError('usage: matches(text, "pattern")', node.start);
  const [textNode, patternNode] = args;
  const subject = compileNode(textNode, scope, env);
  if (!accepts(STRING, subject.type))
    throw new ExpressionError(`matches() wants text, not ${describe(subject.type)}`, textNode.start);
  const source = compileNode(patternNode, scope, env).constant;
  if (typeof source !== 'string')
    throw new ExpressionError('the pattern of matches() is constant text', patternNode.start);
  const pattern = compilePattern(source, patternNode.start);
  return { type: BOOLEAN, run: (frame) => pattern.test(asText(subject.run(frame), 'matches()')) };
}

function compilePattern(source: string, start: number): TextPattern {
  const mistake = patternMistake(source);
  if (mistake === undefined) return textPattern(source);
  throw new ExpressionError(mistake.kind === 'broken' ? `not a pattern: ${mistake.message}` : mistake.message, start);
}
