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
  /** What the function gets before its arguments: nothing, the host, or the host and the environment (for time formats). */
  readonly sees: 'values' | 'host' | 'time';
  readonly run: (...args: never[]) => Json;
  /** Whether the function encodes, measures or compares texts, so that it needs the real address of the world. */
  readonly seesAddress?: true;
  /** Finds a problem in arguments that are constants; undefined stands for an argument that isn't one. */
  readonly problemOf?: (constants: readonly (Json | undefined)[]) => string | undefined;
}

export const LIST = listType(ANY);
export const MAP = mapType(ANY);
/** A problem of a parameter, as the function `problem` returns it. */
export const PROBLEM = objectType([
  ['param', STRING],
  ['message', STRING],
]);

/** A function of its arguments only. */
export function pure(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'values', run };
}

/** A function that reads the world. */
export function onHost(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (host: Host, ...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'host', run };
}

/** A function that reads or formats times. */
export function onTime(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (host: Host, env: Environment, ...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'time', run };
}

/** Functions that do more with texts than join them. */
export function ofTexts(specs: Record<string, FunctionSpec>): Record<string, FunctionSpec> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, seesAddress: true }]));
}
