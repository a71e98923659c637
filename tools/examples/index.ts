/** Executable examples of packs: calls with their expected responses. */
export { EXAMPLES_T0, type ExampleResults, runExamples } from './run.js';
