/** Executable examples of packs: calls, and what they must return. */
export { EXAMPLES_T0, type ExampleResults, runExamples } from './run.js';
