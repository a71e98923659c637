import type { JsonObject } from '../values/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** Steps over one object and the trigger's payload. */
export type CompiledStep = (execution: Execution, self: Row, trigger: JsonObject | null) => void;
