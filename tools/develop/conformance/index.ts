/** Checks bodies of the vendor API against the types of the payments vendor's official client. */
export type { Conformance } from './bodies.js';
export type { ShapeProblem } from './check.js';
export { ConformanceRecorder } from './recorder.js';
export { conformanceOf } from './releases.js';
