/** Running a program on a world: operations, world events, timers and seeds as commands, and the clock that sets timers off. */
export { argsOf } from './called.js';
export { Coverage, stateKey, transitionKey } from './coverage.js';
export { migrate, type Migrated } from './migrate.js';
export { type Advance, ClockControl, type ClockOptions, type Progress, type Why } from './clock.js';
export { type Addressed, type Transition, UnitOfWork } from './unit-of-work.js';
export { type Answer, type Effects, NO_EFFECTS } from './effects.js';
export type { Endpoints } from './endpoints.js';
export { type Did, Engine, type EngineOptions, type Fired } from './engine.js';
export { forkOf } from './moment.js';
export type { Call, Said } from './invocation.js';
export { decodeParams } from './params.js';
export { bindPin, exogenousOf, pinProblems } from './pins.js';
export type { CommandOptions } from './read-context.js';
export type { Runtime } from './runtime.js';
export { seed, type Seeds } from './seed.js';
export { SeedRefused } from './seed-check.js';
export { shownFailure, type TimerFailure } from './timer-failure.js';
export { CauseRefused } from './world-events.js';
