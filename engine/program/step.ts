import type { JsonObject } from '../values/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** Compiled steps. `self` is the object, `trigger` the payload of the machine's trigger; null: none. */
export type CompiledStep = (execution: Execution, self: Row, trigger: JsonObject | null) => void;
