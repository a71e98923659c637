import type { Json } from '../values/index.js';
import type { Environment } from './environment.js';
import type { Host } from './host.js';
import { ANY, listType, mapType, objectType, STRING, type Type } from './types.js';
/* Helpers with which the standard library's functions are defined. */

/** A function of the standard library: its parameters, its result, and its implementation. */
export interface FunctionSpec {
  readonly args: readonly (Type | 'timestamp')[];
  /** Number of optional parameters at the end. */
  readonly optional?: number;
  readonly result: Type | 'timestamp' | ((args: readonly Type[]) => Type);
  /** What `run` gets before the arguments: nothing, the host, or the host and the environment (for time formats). */
  readonly sees: 'values' | 'host' | 'time';
  readonly run: (...args: never[]) => Json;
  /** Whether the function encodes, measures or compares texts, so that it needs the real address of the world. */
  readonly seesAddress?: true;
  /** Returns a problem of constant arguments; an argument that isn't constant is undefined. */
  readonly problemOf?: (constants: readonly (Json | undefined)[]) => string | undefined;
}

export const LIST = listType(ANY);
export const MAP = mapType(ANY);
/** The type of a problem of a parameter, which the function `problem` and others return. */
export const PROBLEM = objectType([
  ['param', STRING],
  ['message', STRING],
]);

/** Defines a function that reads only its arguments. */
export function pure(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'values', run };
}

/** Defines a function that reads the world. */
export function onHost(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (host: Host, ...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'host', run };
}

/** Defines a function that reads or formats times. */
export function onTime(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (host: Host, env: Environment, ...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'time', run };
}

/** Marks functions that encode, measure or compare texts, so that they see the world's real address. */
export function ofTexts(specs: Record<string, FunctionSpec>): Record<string, FunctionSpec> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, seesAddress: true }]));
}
