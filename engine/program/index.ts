/** What is compiled, as types. */
export type { Execution } from './execution.js';
export { Failure } from './failure.js';
export { lazy, type ResourceProgram, Returned, type Step } from './program.js';
