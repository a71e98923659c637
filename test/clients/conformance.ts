/** Checks vendor-plane bodies against the types of the payments vendor's official client. */
export { type Conformance, type ConformanceOptions, conformanceOf } from './conformance/bodies.js';
export type { Problem } from './conformance/check.js';
export { ConformanceRecorder } from './conformance/recorder.js';
