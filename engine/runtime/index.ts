/** Runs a program on a world: operations, external events, timers and seeds as commands, and the clock that fires timers. */
export { sweepBytes } from './bytes-in-use.js';
export { Coverage, stateKey, transitionKey } from './coverage.js';
export { migrate, type MigrationResult, reopen } from './migrate.js';
export {
  type Advance,
  type AdvancedEvent,
  type AdvanceLimit,
  ClockTurns,
  type AdvanceOptions,
  type Pace,
  ClockControl,
  type ClockOptions,
  type Outside,
  type Progress,
  type AdvanceCause,
} from './clock.js';
export type { Addressed, RowTransition } from './command.js';
export { CommandExecution } from './command-execution.js';
export { type OperationResponse, type Effects, NO_EFFECTS, type StreamState } from './operation-response.js';
export { contentHeaders, EVENT_STREAM, isAcceptable, missingType } from './content.js';
export type { Endpoints } from './endpoints.js';
export { type CompletedCommand, Engine, type EngineOptions, type Fired } from './engine.js';
export { forkOf } from './moment.js';
export type { WorldReader } from './reader.js';
export type { SentDeliveries, Surroundings, WorldAddress } from './surroundings.js';
export { type ApiCall, argsOf, type CallResult } from './invocation.js';
export { decodeParams } from './params.js';
export { bindPin, exogenousOf, pinProblems } from './pins.js';
export { type CommandOptions, type RateView, scopesOf } from './read-context.js';
export { Runtime } from './runtime.js';
export { seed, type SeedObjects } from './seed.js';
export {
  collectYoung,
  eachWhileMemoryLasts,
  isMemoryShort,
  isReserveShort,
  MemoryShort,
  requireMemory,
  whileMemoryLasts,
} from './heap.js';
export { jsonWithin } from './response-size.js';
export { runSteps, Slices, turns } from './slices.js';
export { SeedRejected } from './seed-check.js';
export { reasonOf, shownFailure, type TimerFailure } from './timer-failure.js';
export { worldOf } from './world-of.js';
export { CauseRejected } from './world-events.js';
export { DISCONNECTED, disconnect } from './stream.js';
