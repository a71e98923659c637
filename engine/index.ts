/** The library's entry point: loads packs and starts sandboxes, for applications, tests and `sandbox serve`. */
export { keyHeaders } from './http/index.js';
export { ControlClient, ControlError } from './control/client.cjs';
export type { Words, WordsOf } from './control/words.cjs';
export { type LoadedPack, type LoadOptions, loadPack, loadSource } from './compile/index.js';
export { formatProblems, PackCache, type PackSource, type Problem } from './pack/index.js';
export {
  type ChangedPack,
  type MovedWorld,
  createSandbox,
  type MailTarget,
  openSmtp,
  type SmtpDoor,
  PackInvalid,
  type Reloaded,
  type Sandbox,
  type SandboxOptions,
  type Served,
  type AdvanceProgress,
  type CallReport,
  LedgerMismatch,
  SecretsSealed,
  type RoutedCallEvent,
  createReplica,
  type Replica,
  type ReplicaOptions,
  type ReplayOrder,
  type ReplayedResponse,
  replayBug,
  type Replayed,
  type ReplayOptions,
} from './hosting/index.js';
export {
  type Company,
  type CompanyOptions,
  type CompanyReplayOptions,
  type CompanyReplica,
  type CompanyReplicaOptions,
  createCompany,
  createCompanyReplica,
  type LifeReport,
  type Member,
  type MemberOptions,
  replayCompany,
  type ReplayedCompany,
} from './company/index.js';
export type {
  ControlCallEvent,
  ForkOptions,
  MadeWorld,
  Team,
  WorldDirectory,
  WorldView,
  WorldOptions,
} from './control/index.js';
export { FileStore, PgStore, type Store, StoreError } from './store/index.js';
export type { StoredWorld } from './world/index.js';
export type { Bug, BugStep } from './control/index.js';
