import { createRequire } from 'node:module';
import { LIMITS } from '../limits.js';
import { define, ExpressionFailure, isList, isObject, type Json, spendTurns } from '../values/index.js';

/** A node of the library's syntax tree. */
interface PathNode {
  readonly type: string;
  /** The name of a field or function, or the JSON of a literal. */
  readonly name?: unknown;
  /** The expression of a member in `{name: expression}`. */
  readonly value?: unknown;
  readonly children?: readonly unknown[];
}

interface Library {
  compile(path: string): PathNode;
  search(value: Json, path: string): unknown;
}

/** How many times a result may contain its input: an expression of 1,000 characters could contain it 2^100 times. */
const MOST_COPIES = 100;

let loaded: Library | undefined;

/** Loads the JMESPath library for the first expression, since most packs have none. */
function library(): Library {
  return (loaded ??= createRequire(import.meta.url)('jmespath') as Library);
}

/**
 * Evaluates a JMESPath expression (jmespath.org). A function returns null for arguments of the wrong type.
 * @throws ExpressionFailure if it is invalid
 */
export function jmespath(path: string, value: Json): Json {
  const problem = jmespathProblem(path);
  if (problem !== undefined) throw new ExpressionFailure(problem);
  const found = attempt(() => library().search(value, path));
  return 'problem' in found ? null : plain(found.value);
}

/** Why an expression is invalid; undefined if it is valid. */
export function jmespathProblem(path: string): string | undefined {
  if (path.length > LIMITS.pattern.value) return `it has more than ${LIMITS.pattern.value} characters`;
  const read = attempt(() => library().compile(path));
  if ('problem' in read) return read.problem;
  if (isCut(read.value)) return 'it ends too early';
  const copies = copiesOf(read.value);
  if (copies > MOST_COPIES) return `it repeats its input ${copies} times, more than ${MOST_COPIES}`;
  return callProblem(read.value);
}

function attempt<T>(run: () => T): { readonly value: T } | { readonly problem: string } {
  try {
    return { value: run() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function innerNodes({ type, children = [], value }: PathNode): PathNode[] {
  return type === 'Literal' ? [] : [...children, value].filter(isNode);
}

function isNode(value: unknown): value is PathNode {
  return isObject(value) && typeof value['type'] === 'string';
}

/** Whether an expression lacks a part, such as the name in `a.`, which the library accepts. Slices may omit their bounds. */
function isCut(node: PathNode): boolean {
  const { type, children = [] } = node;
  return (type !== 'Slice' && children.some((each) => !isNode(each))) || innerNodes(node).some(isCut);
}

/** How many times the result of a node can contain its input, at most. */
function copiesOf(node: PathNode): number {
  const inner = innerNodes(node).map(copiesOf);
  const sum = inner.reduce((all, each) => all + each, 0);
  switch (node.type) {
    case 'MultiSelectList':
    case 'MultiSelectHash':
    case 'Comparator':
    case 'OrExpression':
    case 'AndExpression':
      return sum;
    case 'Function':
      if (node.name === 'map') break;
      // `to_string` may double the size: JSON of a text inside a text has twice the backslashes.
      return Math.max(1, node.name === 'to_string' ? 2 * sum : sum);
    default:
  }
  return inner.reduce((all, each) => all * each, 1);
}

/** Why a function call is invalid; undefined: it is valid. The library itself finds this only on evaluation. */
function callProblem(node: PathNode): string | undefined {
  if (node.type === 'Function') {
    const given = (node.children ?? []).map(() => '`null`').join();
    const tried = attempt(() => library().search(null, `${String(node.name)}(${given})`));
    if ('problem' in tried && /^(Unknown function|ArgumentError)/.test(tried.problem)) return tried.problem;
  }
  return innerNodes(node)
    .map(callProblem)
    .find((problem) => problem !== undefined);
}

/** Converts a value to plain JSON, since the library reads inherited members as own ones. */
function plain(value: unknown): Json {
  spendTurns(1);
  if (isList(value)) return value.map(plain);
  if (value === Object.prototype) return null;
  if (isObject(value)) {
    const made: Record<string, Json> = {};
    for (const key of Object.keys(value)) define(made, key, plain(value[key]));
    return made;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
