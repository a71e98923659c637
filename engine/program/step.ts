import { type Frame, frameOf, type Host, type Json, type JsonObject } from '../expression/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** Ends a step list with a value. */
export class Returned {
  constructor(
    readonly value: Json,
    /** Number of the resource that the value is an object of. */
    readonly resource: number | null = null,
  ) {}
}

/** A compiled step, or a list of them. */
export type Step = (frame: Frame, execution: Execution) => Returned | undefined;

/** A step list with the variables that its caller sets. */
export interface Routine {
  readonly size: number;
  readonly slots: Readonly<Record<string, number>>;
  readonly run: Step;
}

/** A value computed once, when first wanted. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** An expression over one object (and what triggered it). */
export interface ObjectExpression {
  readonly size: number;
  readonly self: number;
  readonly trigger: number;
  readonly run: (frame: Frame) => Json;
}

/** The value of an expression over an object. */
export function evaluateOn(host: Host, expression: ObjectExpression, row: Row, trigger: JsonObject | null): Json {
  const frame = frameOf(host, expression.size);
  frame[expression.self] = row;
  if (expression.trigger > 0) frame[expression.trigger] = trigger;
  return expression.run(frame);
}

/** An expression over an object and a value that is to be pinned at one of its paths. */
export interface PinExpression {
  readonly size: number;
  readonly self: number;
  readonly value: number;
  readonly path: number;
  readonly run: (frame: Frame) => Json;
}
