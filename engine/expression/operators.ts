import { isWrittenAddress, joinedAddress, seenByCallers } from './address.js';
import { type Compiled, fixed, truth } from './compiled.js';
import { type Site } from './site.js';
import type { Environment } from './environment.js';
import { type Json, asList, asNumber, equal } from '../values/index.js';
import { scriptLiteral } from './javascript.js';
import { ExpressionError, type ExpressionNode } from './parse.js';
import { add, compare, contains, divisor } from './support.js';
import { ANY, accepts, describeType, DURATION, join, NUMBER, ofAddress, STRING, type Type } from './types.js';
import type { CodeUnit } from './unit.js';

/** Compiles `!x` and `-x`. */
export function compileUnary(node: ExpressionNode & { op: 'unary' }, site: Site): Compiled {
  if (node.operator === '!') return truth(`!${site.condition(node.of)}`);
  const of = site.compile(node.of);
  if (!accepts(NUMBER, of.type) && of.type.kind !== 'duration') {
    throw new ExpressionError(`'-' needs a number, not ${describeType(of.type)}`, node.start);
  }
  const type = of.type.kind === 'duration' ? of.type : NUMBER;
  return { type, js: `(-${number(of, "'-'", site.unit)} || 0)`, gives: 'number' };
}

/** Compiles operators between two expressions. `+` joins texts and lists too; `<` orders texts by their code units. */
export function compileBinary(node: ExpressionNode & { op: 'binary' }, site: Site): Compiled {
  const { operator } = node;
  if (operator === '&&' || operator === '||')
    return truth(`(${site.condition(node.left)} ${operator} ${site.condition(node.right)})`);
  const [left, right] = compileSides(node, site);
  switch (operator) {
    case '==':
    case '!=':
      checkComparable(node, left, right, site.env);
      return truth(equality(left, right, operator === '==', site.unit));
    case 'in':
      if (!['list', 'map', 'object', 'any', 'null'].includes(right.type.kind)) {
        throw new ExpressionError(`'in' looks into a list or a map, not ${describeType(right.type)}`, node.right.start);
      }
      if (right.type.kind === 'list') checkComparable(node, left, { ...right, type: right.type.of }, site.env);
      return truth(`${site.unit.refer(contains, 'contains')}(${right.js}, ${left.js})`);
    case '+':
      return compilePlus(node, left, right, site.unit);
    default:
      return compileArithmetic(node, operator, left, right, site.unit);
  }
}

/** Compiles both sides, with the real address if one is a literal address or the order of texts matters. */
function compileSides(node: ExpressionNode & { op: 'binary' }, site: Site): readonly [Compiled, Compiled] {
  const { operator } = node;
  const left = site.compile(node.left);
  const right = site.compile(node.right);
  const isEquality = operator === '==' || operator === '!=' || operator === 'in';
  const isOfTexts = isEquality
    ? isWrittenAddress(node.left) || isWrittenAddress(node.right)
    : operator !== '+' && isOrder(operator) && [left, right].some(({ type }) => type.kind === 'string');
  if (!isOfTexts) return [left, right];
  const seen = (side: Compiled): Compiled =>
    side.constant === undefined ? { type: side.type, js: seenByCallers(side, site.unit), gives: side.gives } : side;
  return [seen(left), seen(right)];
}

/** Returns JavaScript that evaluates to a number, or throws for other values. */
function number(of: Compiled, what: string, unit: CodeUnit): string {
  return of.gives === 'number' ? of.js : `${unit.refer(asNumber, 'asNumber')}(${of.js}, ${scriptLiteral(what)})`;
}

/** Compiles `==` or `!=`; uses JavaScript's `===` if one side is never a list or map. */
function equality(left: Compiled, right: Compiled, wanted: boolean, unit: CodeUnit): string {
  for (const [side, other] of [
    [left, right],
    [right, left],
  ]) {
    if (isScalar(other.constant)) return identity(side, other.constant, wanted);
  }
  if (left.gives ?? right.gives) return `(${left.js} ${wanted ? '===' : '!=='} ${right.js})`;
  return `${wanted ? '' : '!'}${unit.refer(equal, 'equal')}(${left.js}, ${right.js})`;
}

function identity({ js, raw }: Compiled, constant: null | boolean | number | string, wanted: boolean): string {
  if (constant === null && raw !== undefined) return `(${raw} ${wanted ? '==' : '!='} null)`;
  return `(${raw ?? js} ${wanted ? '===' : '!=='} ${scriptLiteral(constant)})`;
}

function isScalar(value: Json | undefined): value is null | boolean | number | string {
  return value !== undefined && (value === null || typeof value !== 'object');
}

function checkComparable(
  node: ExpressionNode & { op: 'binary' },
  left: Compiled,
  right: Compiled,
  env: Environment,
): void {
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
  throw new ExpressionError(`${describeType(both[0])} is never equal to ${describeType(both[1])}`, node.start);
}

function compilePlus(node: ExpressionNode, left: Compiled, right: Compiled, unit: CodeUnit): Compiled {
  const kinds = [left.type.kind, right.type.kind];
  const open = (kind: string) => kind === 'any' || kind === 'null';
  const known = kinds.find((kind) => !open(kind)) ?? 'any';
  if (
    !kinds.every((kind) => open(kind) || kind === known) ||
    !['any', 'number', 'string', 'list', 'duration'].includes(known)
  ) {
    throw new ExpressionError(`'+' cannot add ${describeType(left.type)} and ${describeType(right.type)}`, node.start);
  }
  if (known === 'list') {
    const items = [left, right].map(({ js }) => `...${unit.refer(asList, 'asList')}(${js}, "'+'")`);
    return { type: join(left.type, right.type), js: `[${items.join(', ')}]` };
  }
  const own = known === 'string' ? STRING : known === 'any' ? ANY : known === 'duration' ? DURATION : NUMBER;
  const type = ofAddress(own, joinedAddress([left, right]));
  if (typeof left.constant === 'string' && typeof right.constant === 'string')
    return fixed(left.constant + right.constant, unit, STRING);
  if (left.gives === right.gives && (left.gives === 'number' || left.gives === 'string'))
    return { type, js: `(${left.js} + ${right.js})`, gives: left.gives };
  // If one side is a number or text, so is the sum; other combinations throw.
  const gives = left.gives ?? right.gives;
  return { type, js: `${unit.refer(add, 'add')}(${left.js}, ${right.js})`, gives };
}

type OperatorOrder = '<' | '<=' | '>' | '>=';

function compileArithmetic(
  node: ExpressionNode,
  operator: '-' | '*' | '/' | '%' | OperatorOrder,
  left: Compiled,
  right: Compiled,
  unit: CodeUnit,
): Compiled {
  const what = `'${operator}'`;
  if (isOrder(operator) && [left, right].every((side) => accepts(STRING, side.type)))
    return truth(`(${unit.refer(compare, 'compare')}(${left.js}, ${right.js}, ${scriptLiteral(what)}) ${operator} 0)`);
  for (const side of [left, right]) {
    if (!accepts(NUMBER, side.type) && side.type.kind !== 'duration') {
      throw new ExpressionError(`${what} needs numbers, not ${describeType(side.type)}`, node.start);
    }
  }
  const [a, b] = [left, right].map((side) => number(side, what, unit));
  if (isOrder(operator)) return truth(`(${a} ${operator} ${b})`);
  const by = operator === '/' || operator === '%' ? `${unit.refer(divisor, 'divisor')}(${b})` : b;
  const js = operator === '-' ? `(${a} - ${by})` : `(${a} ${operator} ${by} || 0)`;
  return { type: resultOf(operator, left.type, right.type), js, gives: 'number' };
}

function isOrder(operator: string): operator is OperatorOrder {
  return ['<', '<=', '>', '>='].includes(operator);
}

/** The type of an operator's result. A scaled duration is a duration; the quotient of two durations is a plain number. */
function resultOf(operator: string, left: Type, right: Type): Type {
  const durations = [left, right].filter((type) => type.kind === 'duration').length;
  if (durations === 0 || (durations === 2 && operator === '/')) return NUMBER;
  return operator === '/' && left.kind !== 'duration' ? NUMBER : DURATION;
}
