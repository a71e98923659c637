export {
  type ChangedPack,
  createCompany,
  createSandbox,
  type MovedWorld,
  type Reloaded,
  type Sandbox,
  type SandboxOptions,
  type Served,
} from './sandbox.js';
export type { Company, CompanyOptions, Member, MemberOptions } from './company.js';
export { PackInvalid } from './programs.js';
export { type AdvanceProgress, type CallReport, LedgerMismatch } from './world.js';
export { createReplica, type Replica, type ReplicaOptions } from './replica.js';
export type { RoutedCallEvent } from './replica-router.js';
export { type ReplayOrder } from './order.js';
export { type ReplayedResponse, replayBug, type Replayed, type ReplayOptions } from './replay.js';
