import type { Json, JsonObject } from '../values/index.js';
import type { Holder, Host } from '../expression/index.js';
import type { Row } from '../world/index.js';

/** An expression over one object and the trigger's payload. */
export type OverObject = (host: Host, self: Holder, trigger: JsonObject | null) => Json;

/** The pack's checks of a value that a test pins at a path of an object; returns a list of problems. */
export type PinProblems = (host: Host, self: Row, value: Json, path: string) => Json;
