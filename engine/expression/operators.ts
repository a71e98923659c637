import { compileNode, type Compiled, condition, truth, valueIn } from './compile.js';
import type { Environment } from './environment.js';
import { ExpressionFailure, type Frame, type Json } from './host.js';
import { ExpressionError, type Node } from './parse.js';
import type { Scope } from './scope.js';
import { ANY, accepts, describe, DURATION, join, NUMBER, STRING, type Type } from './types.js';
import { asList, asNumber, asText, equal, isList, isObject } from './values.js';

/** Compiles `!x` and `-x`. */
export function compileUnary(node: Node & { op: 'unary' }, scope: Scope, env: Environment): Compiled {
  if (node.operator === '!') {
    const test = condition(node.of, scope, env);
    return truth((frame) => !test(frame));
  }
  const of = compileNode(node.of, scope, env);
  if (!accepts(NUMBER, of.type) && of.type.kind !== 'duration') {
    throw new ExpressionError(`'-' needs a number, not ${describe(of.type)}`, node.start);
  }
  return { type: of.type.kind === 'duration' ? of.type : NUMBER, run: (frame) => -asNumber(of.run(frame), "'-'") || 0 };
}

/** Compiles operators between two expressions. `+` joins texts and lists too; `<` orders texts by their code units. */
export function compileBinary(node: Node & { op: 'binary' }, scope: Scope, env: Environment): Compiled {
  const { operator } = node;
  if (operator === '&&' || operator === '||') {
    const left = condition(node.left, scope, env);
    const right = condition(node.right, scope, env);
    return truth(operator === '&&' ? (frame) => left(frame) && right(frame) : (frame) => left(frame) || right(frame));
  }
  const left = compileNode(node.left, scope, env);
  const right = compileNode(node.right, scope, env);
  const a = left.run;
  const b = right.run;
  switch (operator) {
    case '==':
    case '!=': {
      checkComparable(node, left, right, env);
      const same = equality(left, right);
      return truth(operator === '==' ? same : (frame) => !same(frame));
    }
    case 'in':
      if (!['list', 'map', 'object', 'any', 'null'].includes(right.type.kind)) {
        throw new ExpressionError(`'in' looks into a list or a map, not ${describe(right.type)}`, node.right.start);
      }
      if (right.type.kind === 'list') checkComparable(node, left, { ...right, type: right.type.of }, env);
      return truth((frame) => contains(b(frame), a(frame)));
    case '+':
      return compilePlus(node, left, right);
    default:
      return compileArithmetic(node, operator, left, right);
  }
}

/** Compares; with a constant that is neither list nor map, identity is enough. */
function equality(left: Compiled, right: Compiled): (frame: Frame) => boolean {
  const a = left.run;
  const b = right.run;
  if (isScalar(right.constant)) return identity(left, right.constant);
  if (isScalar(left.constant)) return identity(right, left.constant);
  return (frame) => equal(a(frame), b(frame));
}

function identity({ run, variable }: Compiled, constant: Json): (frame: Frame) => boolean {
  if (variable === undefined || variable.live) return (frame) => run(frame) === constant;
  return (frame) => valueIn(frame, variable.slot) === constant;
}

function isScalar(value: Json | undefined): value is null | boolean | number | string {
  return value !== undefined && (value === null || typeof value !== 'object');
}

function checkComparable(node: Node & { op: 'binary' }, left: Compiled, right: Compiled, env: Environment): void {
  if (accepts(left.type, right.type) || accepts(right.type, left.type)) return;
  const both = [left, right].map((side) => side.type);
  if (both[0].kind === 'string' && both[1].kind === 'string' && both[0].values && both[1].values) {
    if (left.constant === undefined && right.constant === undefined) {
      throw new ExpressionError(
        `these are never equal: ${both[0].values.join(', ')} and ${both[1].values.join(', ')}`,
        node.start,
      );
    }
    const [odd, known, at] =
      left.constant !== undefined ? [left, both[1].values, node.left.start] : [right, both[0].values, node.right.start];
    throw new ExpressionError(
      `it can never be '${String(odd.constant)}' (it is one of ${known.join(', ')})`,
      at,
      env.suggest(String(odd.constant), known),
    );
  }
  throw new ExpressionError(`${describe(both[0])} is never equal to ${describe(both[1])}`, node.start);
}

function contains(collection: Json, item: Json): boolean {
  if (Array.isArray(collection)) return collection.some((each) => equal(each, item));
  if (isObject(collection)) return typeof item === 'string' && Object.hasOwn(collection, item);
  return false;
}

function compilePlus(node: Node, left: Compiled, right: Compiled): Compiled {
  const kinds = [left.type.kind, right.type.kind];
  const open = (kind: string) => kind === 'any' || kind === 'null';
  const known = kinds.find((kind) => !open(kind)) ?? 'any';
  if (
    !kinds.every((kind) => open(kind) || kind === known) ||
    !['any', 'number', 'string', 'list', 'duration'].includes(known)
  ) {
    throw new ExpressionError(`'+' cannot add ${describe(left.type)} and ${describe(right.type)}`, node.start);
  }
  const a = left.run;
  const b = right.run;
  if (known === 'list') {
    return {
      type: join(left.type, right.type),
      run: (frame) => [...asList(a(frame), "'+'"), ...asList(b(frame), "'+'")],
    };
  }
  const type = known === 'string' ? STRING : known === 'any' ? ANY : known === 'duration' ? DURATION : NUMBER;
  return {
    type,
    run: (frame) => {
      const x = a(frame);
      const y = b(frame);
      if (typeof x === 'number' && typeof y === 'number') return x + y;
      if (typeof x === 'string' || typeof y === 'string') return asText(x, "'+'") + asText(y, "'+'");
      if (isList(x) && isList(y)) return [...x, ...y];
      return asNumber(x, "'+'") + asNumber(y, "'+'");
    },
  };
}

const ARITHMETIC = {
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b || 0,
  '/': (a: number, b: number) => a / divisor(b) || 0,
  '%': (a: number, b: number) => a % divisor(b) || 0,
};

const ORDER = {
  '<': <T extends number | string>(a: T, b: T) => a < b,
  '<=': <T extends number | string>(a: T, b: T) => a <= b,
  '>': <T extends number | string>(a: T, b: T) => a > b,
  '>=': <T extends number | string>(a: T, b: T) => a >= b,
};

function divisor(n: number): number {
  if (n === 0) throw new ExpressionFailure('division by zero');
  return n;
}

function compileArithmetic(
  node: Node,
  operator: keyof typeof ARITHMETIC | keyof typeof ORDER,
  left: Compiled,
  right: Compiled,
): Compiled {
  const what = `'${operator}'`;
  const a = left.run;
  const b = right.run;
  if (isOrder(operator) && [left, right].every((side) => accepts(STRING, side.type))) {
    const compare = ORDER[operator];
    return truth((frame) => {
      const x = a(frame);
      const y = b(frame);
      if (typeof x === 'string' || typeof y === 'string') return compare(asText(x, what), asText(y, what));
      return compare(asNumber(x, what), asNumber(y, what));
    });
  }
  for (const side of [left, right]) {
    if (!accepts(NUMBER, side.type) && side.type.kind !== 'duration') {
      throw new ExpressionError(`${what} needs numbers, not ${describe(side.type)}`, node.start);
    }
  }
  if (isOrder(operator)) {
    const compare = ORDER[operator];
    return truth((frame) => compare(asNumber(a(frame), what), asNumber(b(frame), what)));
  }
  const apply = ARITHMETIC[operator];
  return {
    type: resultOf(operator, left.type, right.type),
    run: (frame) => apply(asNumber(a(frame), what), asNumber(b(frame), what)),
  };
}

function isOrder(operator: string): operator is keyof typeof ORDER {
  return operator in ORDER;
}

/** A duration stays one when a number scales it; two durations divided by each other are a plain number. */
function resultOf(operator: string, left: Type, right: Type): Type {
  const durations = [left, right].filter((type) => type.kind === 'duration').length;
  if (durations === 0 || (durations === 2 && operator === '/')) return NUMBER;
  return operator === '/' && left.kind !== 'duration' ? NUMBER : DURATION;
}
