import type { Json, JsonObject } from '../values/index.js';
import type { Holder, Host } from '../expression/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** A value computed once, when first wanted. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** An expression over one object and what triggered it. */
export type OverObject = (host: Host, self: Holder, trigger: JsonObject | null) => Json;

/** Steps over one object and what triggered them. */
export type CompiledStep = (execution: Execution, self: Row, trigger: JsonObject | null) => void;

/** An expression over an object and a value that is to be pinned at one of its paths. */
export type PinProblems = (host: Host, self: Row, value: Json, path: string) => Json;
