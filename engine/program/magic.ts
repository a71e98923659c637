import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { ResourceDef } from '../model/index.js';
import type { Execution } from './execution.js';

/** The flow that creates the object of a test value, and the flow's arguments. */
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
  /** Creates a test value's object. `unknown`: it only looks like a test value; undefined: it is an ordinary id. */
  make(execution: Execution, resource: number, value: string): { readonly id: string } | 'unknown' | undefined;
}

/** A pin that a scenario sets for one call only. */
export interface CallPin {
  readonly resource: number;
  readonly path: string;
  readonly value: Json;
}

/** A scenario that the header `X-Mock-Scenario` selects: its effects on one call. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** Keys of the operations to which the scenario applies; null: all. */
  readonly operations: ReadonlySet<string> | null;
  readonly fail: { readonly error: string; readonly args: JsonObject } | null;
  readonly delayMs: number;
  readonly pins: readonly CallPin[];
  readonly provide: JsonObject;
}
