import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { ResourceDef } from '../model/index.js';
import type { Execution } from './execution.js';

/** The creation of a test value's object: the flow to run and its arguments. */
export interface Recipe {
  readonly flow: string;
  readonly args: JsonObject;
}

/** A family of test values for objects of a resource. */
export interface MagicFamily {
  readonly name: string;
  readonly resource: ResourceDef;
  readonly looksLike: TextPattern;
  readonly values: () => ReadonlyMap<string, Recipe>;
}

/** The test values of a pack. */
export interface Magic {
  readonly families: readonly MagicFamily[];
  /** Creates the object of a test value; `unknown` if it only looks like one; undefined if it is an ordinary id. */
  make(execution: Execution, resource: number, value: string): { readonly id: string } | 'unknown' | undefined;
}

/** A pin for one call only, from a scenario. */
export interface CallPin {
  readonly resource: number;
  readonly path: string;
  readonly value: Json;
}

/** The effects of `X-Mock-Scenario` on one call. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** Keys of the operations that it applies to; null: all. */
  readonly operations: ReadonlySet<string> | null;
  readonly fail: { readonly error: string; readonly args: JsonObject } | null;
  readonly delayMs: number;
  readonly pins: readonly CallPin[];
  readonly provide: JsonObject;
}
