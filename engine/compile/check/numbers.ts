import { type ExpressionNode, expressionsIn, parse } from '../../expression/index.js';
import { rulesOf, type Schema, keyIn } from '../../model/index.js';
import type { Operation } from '../../program/index.js';
import type { CompiledPack } from '../pack.js';
import { allTexts } from './walk.js';

/** Functions of time, money and loops: a number without bounds breaks them. */
const SENSITIVE: ReadonlySet<string> = new Set([
  'add_interval',
  'cycle_after',
  'shift',
  'seconds',
  'minutes',
  'hours',
  'days',
  'percent',
  'range',
]);

/**
 * Warns of parameters that are numbers without bounds if the pack computes times, money or loops with them: a large value would
 * lead beyond the calendar or the range of amounts. A number is recognised by its name, since values pass through flows and
 * maps.
 */
export function checkNumbers(pack: CompiledPack): void {
  const reached = reachedNames(pack);
  const seen = new Set<Schema>();
  for (const operation of pack.operations) {
    if (operation.kind === 'list' || operation.kind === 'search' || operation.kind === 'retrieve') continue;
    for (const [name, schema] of operation.params()) checkNumber(name, schema, operation, reached, seen, pack);
  }
}

function checkNumber(
  name: string,
  schema: Schema,
  operation: Operation,
  reached: ReadonlyMap<string, string>,
  seen: Set<Schema>,
  pack: CompiledPack,
): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const inside = (key: string, inner: Schema): void => checkNumber(key, inner, operation, reached, seen, pack);
  switch (schema.kind) {
    case 'integer':
    case 'number': {
      const use = reached.get(name);
      const { min, max } = rulesOf(schema);
      if (use === undefined || (min !== undefined && max !== undefined)) return;
      const lacks = [...(min === undefined ? ['min'] : []), ...(max === undefined ? ['max'] : [])].join(' and ');
      const message = `'${name}' of a call reaches ${use}: a number without bounds leads beyond the calendar or money; give it ${lacks}`;
      pack.model.diagnostics.warning(keyIn(schema.place), 'unbounded-number', message);
      return;
    }
    case 'object':
      for (const [key, each] of schema.fields) inside(key, each);
      return;
    case 'array':
      return inside(name, schema.items);
    case 'map':
      if (schema.of) inside(name, schema.of);
      return;
    case 'one_of':
      for (const option of schema.options) inside(name, option);
      return;
    default:
  }
}

/** Names of the values that reach sensitive functions, each with the function. */
function reachedNames(pack: CompiledPack): ReadonlyMap<string, string> {
  const reached = new Map<string, string>();
  for (const { text, place } of allTexts(pack)) {
    if (place.file.kind === 'table' || !/[(*]/.test(text)) continue;
    const sources = text.includes('${') ? expressionsIn(text).map((each) => each.text) : [text];
    for (const source of sources) {
      if (!/\*|\b(add_interval|cycle_after|shift|seconds|minutes|hours|days|percent|range)\(/.test(source)) continue;
      const node = treeOf(source);
      if (node !== undefined) visit(node, null, reached);
    }
  }
  return reached;
}

function treeOf(source: string): ExpressionNode | undefined {
  try {
    return parse(source);
  } catch {
    // A text without an expression has no names to report.
    return undefined;
  }
}

/**
 * Collects the names in an expression that reach sensitive functions.
 * @param use the function that takes the node's value as an argument; null if none
 */
function visit(node: ExpressionNode, use: string | null, reached: Map<string, string>): void {
  const within = (each: ExpressionNode, of: string | null = use): void => visit(each, of, reached);
  switch (node.op) {
    case 'name':
      if (use !== null && !reached.has(node.name)) reached.set(node.name, use);
      return;
    case 'member':
      if (use !== null && !reached.has(node.key)) reached.set(node.key, use);
      return within(node.of, null);
    case 'index':
      within(node.of, null);
      return within(node.key, null);
    case 'call': {
      const own = SENSITIVE.has(node.name) ? `${node.name}()` : KEEPS.has(node.name) ? use : null;
      if (node.of) within(node.of, null);
      for (const arg of node.args) within(arg, own);
      return;
    }
    case 'list':
      for (const item of node.items) within(item, null);
      return;
    case 'map':
      for (const [key, value] of node.entries) {
        within(key, null);
        within(value, null);
      }
      return;
    case 'choose':
      within(node.if, null);
      within(node.then);
      return within(node.else);
    case 'binary': {
      const of = node.operator === '*' ? 'a product' : ['+', '-'].includes(node.operator) ? use : null;
      within(node.left, of);
      return within(node.right, of);
    }
    case 'unary':
      return within(node.of);
    case 'literal':
      return;
  }
}

/** Functions that return one of their arguments, or a number of the same size. */
const KEEPS: ReadonlySet<string> = new Set(['default', 'abs', 'floor', 'ceil', 'round', 'number', 'int', 'max', 'sum']);
