import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { ResourceDef } from '../model/index.js';
import type { Execution } from './execution.js';

/** What a magic value makes: the flow to run and its arguments. */
export interface Recipe {
  readonly flow: string;
  readonly args: JsonObject;
}

/** A family of test values that stand for objects of a resource. */
export interface MagicFamily {
  readonly name: string;
  readonly resource: ResourceDef;
  readonly looksLike: TextPattern;
  readonly values: () => ReadonlyMap<string, Recipe>;
}

/** The magic values of a pack. */
export interface Magic {
  readonly families: readonly MagicFamily[];
  /** Makes what a value stands for; `unknown` when it looks like a test value and is none; undefined when it is an ordinary id. */
  make(execution: Execution, resource: number, value: string): { readonly id: string } | 'unknown' | undefined;
}

/** A pin that holds for one call only (from a scenario). */
export interface CallPin {
  readonly resource: number;
  readonly path: string;
  readonly value: Json;
}

/** What `X-Mock-Scenario` orders for one call. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** Keys of the operations that it means something to; null: of all. */
  readonly operations: ReadonlySet<string> | null;
  readonly fail: { readonly error: string; readonly args: JsonObject } | null;
  readonly delayMs: number;
  readonly pins: readonly CallPin[];
  readonly provide: JsonObject;
}
