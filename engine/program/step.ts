import type { Json, JsonObject } from '../values/index.js';
import type { Holder, Host } from '../expression/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** An expression over one object and what triggered it. */
export type OverObject = (host: Host, self: Holder, trigger: JsonObject | null) => Json;

/** Steps over one object and what triggered them. */
export type CompiledStep = (execution: Execution, self: Row, trigger: JsonObject | null) => void;

/** An expression over an object and a value that is to be pinned at one of its paths. */
export type PinProblems = (host: Host, self: Row, value: Json, path: string) => Json;
