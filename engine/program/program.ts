import {
  type Frame,
  frameOf,
  type Host,
  type Json,
  type JsonObject,
  type Layout,
  type Scope,
} from '../expression/index.js';
import type { EventFile, ResourceDef, Schema } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { AnswerPlan } from '../runtime/answer.js';
import type { Command } from '../runtime/command.js';
import type { Operation } from './operation.js';

/** Ends a step list with a value. */
export class Returned {
  constructor(
    readonly value: Json,
    /** Number of the resource that the value is an object of. */
    readonly resource: number | null = null,
  ) {}
}

/** A compiled step. */
export type Step = (frame: Frame, command: Command) => Returned | undefined;

/** A step list with the variables that its caller sets. */
export interface Program {
  readonly size: number;
  readonly slots: Readonly<Record<string, number>>;
  readonly run: Step;
}

/** A step list under construction: its scope and what it may refer to. */
export interface ProgramScope {
  readonly scope: Scope;
  readonly size: () => number;
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

/** An event that a resource emits. */
export interface EventProgram {
  readonly name: string;
  readonly file: EventFile;
  readonly when: ObjectExpression | null;
  /** Whether `previous_attributes` applies to it. */
  readonly tellsPrevious: boolean;
}

/** A pinnable path of a resource. */
export interface PinPath {
  readonly path: string;
  readonly keys: readonly string[];
  /** `path.*`: any member of the field. */
  readonly members: boolean;
  readonly moments: ReadonlySet<string>;
  /** The schema of the value; of the field that holds it for `path.*`. */
  readonly schema: Schema;
  /** The path is a field of the object (otherwise only `pinned()` reads it). */
  readonly isField: boolean;
  /** The pack's steps read the pin and write the field: it is not overwritten. */
  readonly bySteps: boolean;
  /** What is wrong with a value; null: all is well that fits the schema. */
  readonly problems: (() => PinExpression) | null;
  readonly description: string;
}

/** Everything that can happen to objects of a resource, compiled. Parts that a call may not need are compiled when used. */
export interface ResourceProgram {
  readonly def: ResourceDef;
  readonly index: number;
  /** How its objects are stored. */
  readonly layout: Layout;
  readonly guards: ReadonlyMap<string, () => ObjectExpression>;
  readonly actions: ReadonlyMap<string, () => Program>;
  readonly delays: ReadonlyMap<string, () => ObjectExpression>;
  readonly refusals: ReadonlyMap<string, () => { readonly error: string; readonly args: ObjectExpression }>;
  readonly events: ReadonlyMap<string, EventProgram>;
  readonly onCreated: readonly EventProgram[];
  readonly onUpdated: readonly EventProgram[];
  readonly onDeleted: readonly EventProgram[];
  readonly onEnter: ReadonlyMap<string, readonly EventProgram[]>;
  readonly pins: readonly PinPath[];
  readonly pinsAt: ReadonlyMap<string, readonly PinPath[]>;
  readonly branches: readonly string[];
  readonly answer: () => AnswerPlan;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** The parts of an event object that pack.yaml `events.with` puts together. */
export interface EventMaker {
  readonly resource: ResourceProgram;
  make(command: Command, type: string, object: JsonObject, snapshot: Json, previous: Json, id: string): JsonObject;
  /** Compiles it now, so that its mistakes are found. */
  check(): void;
}
