export {
  createSandbox,
  PackInvalid,
  type Reloaded,
  type Sandbox,
  type SandboxOptions,
  type Served,
} from './sandbox.js';
export { type AdvanceProgress, type CallReport, LedgerMismatch } from './world.js';
export { type CallNews, createReplica, type Replica, type ReplicaOptions } from './replica.js';
export { type Order } from './order.js';
export { type Answered, replayBug, type Replayed, type ReplayOptions } from './replay.js';
