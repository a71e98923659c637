import { Environment, ParseError } from '@marcbachmann/cel-js';
import { slipIn } from './slips.js';

/** A problem in an expression, with the offsets of the affected part. */
export class ExpressionError extends Error {
  constructor(
    message: string,
    readonly start: number,
    readonly suggestion?: string,
  ) {
    super(message);
  }
}

/**
 * Syntax tree of an expression in CEL's grammar; macros are ordinary calls until `compile.ts`. `start` is the offset of the
 * whole node, `at` that of a member's name.
 */
export type ExpressionNode =
  | { readonly op: 'literal'; readonly value: string | number | boolean | null; readonly start: number }
  | { readonly op: 'name'; readonly name: string; readonly start: number }
  | {
      readonly op: 'member';
      readonly of: ExpressionNode;
      readonly key: string;
      readonly start: number;
      readonly at: number;
    }
  | { readonly op: 'index'; readonly of: ExpressionNode; readonly key: ExpressionNode; readonly start: number }
  | {
      readonly op: 'call';
      readonly name: string;
      readonly of?: ExpressionNode;
      readonly args: readonly ExpressionNode[];
      readonly start: number;
    }
  | { readonly op: 'list'; readonly items: readonly ExpressionNode[]; readonly start: number }
  | {
      readonly op: 'map';
      readonly entries: readonly (readonly [ExpressionNode, ExpressionNode])[];
      readonly start: number;
    }
  | {
      readonly op: 'choose';
      readonly if: ExpressionNode;
      readonly then: ExpressionNode;
      readonly else: ExpressionNode;
      readonly start: number;
    }
  | {
      readonly op: 'binary';
      readonly operator: BinaryOperator;
      readonly left: ExpressionNode;
      readonly right: ExpressionNode;
      readonly start: number;
    }
  | { readonly op: 'unary'; readonly operator: '!' | '-'; readonly of: ExpressionNode; readonly start: number };

const BINARY = ['!=', '==', 'in', '+', '-', '*', '/', '%', '<', '<=', '>', '>=', '&&', '||'] as const;
type BinaryOperator = (typeof BINARY)[number];

interface CelNode {
  readonly op: string;
  readonly args: unknown;
  readonly pos: number;
  readonly start: number;
}

const grammar = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false });

/**
 * Parses an expression with the CEL grammar of cel-js; integer literals become JSON numbers.
 * @throws ExpressionError at the offending character
 */
export function parse(source: string): ExpressionNode {
  let ast: unknown;
  try {
    ast = grammar.parse(source).ast;
  } catch (error) {
    if (error instanceof ParseError) {
      const slip = slipIn(source);
      const message = error.summary ?? error.message;
      throw new ExpressionError(slip === undefined ? message : slip.message, error.range?.start ?? 0, slip?.suggestion);
    }
    throw error;
  }
  return convert(ast);
}

function isCelNode(value: unknown): value is CelNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function convert(value: unknown): ExpressionNode {
  if (!isCelNode(value)) throw new ExpressionError('not an expression', 0);
  const { op, start } = value;
  const args: readonly unknown[] = Array.isArray(value.args) ? value.args : [value.args];
  switch (op) {
    case 'value':
      return { op: 'literal', value: literal(args[0], start), start };
    case 'id':
      return { op: 'name', name: String(args[0]), start };
    case '.':
      return { op: 'member', of: convert(args[0]), key: String(args[1]), start, at: value.pos };
    case '[]':
      return { op: 'index', of: convert(args[0]), key: convert(args[1]), start };
    case 'call':
      return { op: 'call', name: String(args[0]), args: nodes(args[1]), start };
    case 'rcall':
      return { op: 'call', name: String(args[0]), of: convert(args[1]), args: nodes(args[2]), start };
    case 'list':
      return { op: 'list', items: args.map(convert), start };
    case 'map':
      return { op: 'map', entries: args.map(pair), start };
    case '?:':
      return { op: 'choose', if: convert(args[0]), then: convert(args[1]), else: convert(args[2]), start };
    case '!_':
    case '-_':
      return { op: 'unary', operator: op === '!_' ? '!' : '-', of: convert(args[0]), start };
    default: {
      const operator = BINARY.find((known) => known === op);
      if (operator === undefined) throw new ExpressionError(`'${op}' is not part of the expression language`, start);
      return { op: 'binary', operator, left: convert(args[0]), right: convert(args[1]), start };
    }
  }
}

function nodes(value: unknown): ExpressionNode[] {
  return Array.isArray(value) ? value.map(convert) : [];
}

function pair(value: unknown): readonly [ExpressionNode, ExpressionNode] {
  if (!Array.isArray(value)) throw new ExpressionError('not a map entry', 0);
  return [convert(value[0]), convert(value[1])];
}

function literal(value: unknown, start: number): string | number | boolean | null {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new ExpressionError('this kind of literal is not part of the expression language', start);
}
