/** Running a pack: operations, world events, timers and seeds as commands on a world. */
export { Command, type CommandOptions } from './command.js';
export { checkPack, checkUnused } from './check.js';
export type { Cause, CauseVariant } from './compile/causes.js';
export { rootScope } from './compile/context.js';
export { compileMaker } from './compile/maker.js';
export { type CompiledPack, compilePack } from './compile/pack.js';
export type { Scenario } from './compile/scenarios.js';
export { compileSteps, isPinnable, pinPathsOf } from './compile/steps.js';
export { type Answer, type Call, CauseRefused, type Effects, Engine, type EngineOptions } from './engine.js';
export { Failure } from './failure.js';
export type { Operation, Route } from './operation.js';
export { decodeParams } from './params.js';
export { bindPin } from './pins.js';
export { frameOf, type PinPath, type ResourceProgram } from './program.js';
export { compileRegistration, type EndpointRequest, type Register } from './registration.js';
export type { Runtime } from './runtime.js';
export { SeedRefused } from './seed.js';
export type { Subscriptions } from './subscriptions.js';
