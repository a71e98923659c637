/** The programmatic face: load a pack, start a sandbox. What `sandbox serve` and tests call. */
export { keyHeaders } from './http/index.js';
export { ControlClient, ControlError } from './control-client.cjs';
export type { Words, WordsOf } from './words.cjs';
export { type LoadedPack, type LoadOptions, loadPack, loadSource } from './load.js';
export { formatProblems, PackCache, type PackSource, type Problem } from './pack/index.js';
export {
  createSandbox,
  PackInvalid,
  type Reloaded,
  type Sandbox,
  type SandboxOptions,
  type Served,
} from './sandbox.js';
export { type AdvanceProgress, type CallReport, LedgerMismatch } from './host.js';
export type { ForkWish, MadeWorld, WorldDirectory, WorldView, WorldWish } from './control/index.js';
export { type CallNews, createReplica, type Replica, type ReplicaOptions } from './replica.js';
export { FileStore, MemoryStore, PgStore, type Store, StoreError } from './store/index.js';
export type { KeptWorld } from './world/index.js';
export type { Bug, Step } from './control/index.js';
export type { Order } from './order.js';
export { type Answered, replayBug, type Replayed, type ReplayOptions } from './replay.js';
