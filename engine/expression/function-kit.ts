import type { Json } from '../values/index.js';
import type { Environment } from './environment.js';
import type { Host } from './host.js';
import { ANY, listType, mapType, objectType, STRING, type Type } from './types.js';
/* What the functions of the standard library are made with. */

/** A function of the standard library: what it takes, what it gives, and how it runs. */
export interface FunctionSpec {
  readonly args: readonly (Type | 'timestamp')[];
  /** How many trailing arguments may be left out. */
  readonly optional?: number;
  readonly result: Type | 'timestamp' | ((args: readonly Type[]) => Type);
  /** What is before its arguments: nothing, the host, or the host and the environment (how timestamps are written). */
  readonly sees: 'values' | 'host' | 'time';
  readonly run: (...args: never[]) => Json;
  /** It encodes, measures or compares what its texts say: it sees the address that callers see. */
  readonly seesAddress?: true;
  /** What is wrong with arguments that are constant; undefined ones are not known before. */
  readonly problemOf?: (constants: readonly (Json | undefined)[]) => string | undefined;
}

export const LIST = listType(ANY);
export const MAP = mapType(ANY);
/** A problem of a parameter, as checks report it. */
export const PROBLEM = objectType([
  ['param', STRING],
  ['message', STRING],
]);

/** A function of its arguments alone. */
export function pure(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'values', run };
}

/** A function that asks the world. */
export function onHost(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (host: Host, ...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'host', run };
}

/** A function that reads or writes times. */
export function onTime(
  args: FunctionSpec['args'],
  result: FunctionSpec['result'],
  run: (host: Host, env: Environment, ...args: Json[]) => Json,
  optional = 0,
): FunctionSpec {
  return { args, result, optional, sees: 'time', run };
}

/** Functions that do more with texts than to put them together. */
export function ofTexts(specs: Record<string, FunctionSpec>): Record<string, FunctionSpec> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, seesAddress: true }]));
}
