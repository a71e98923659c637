export { type MailTarget, openSmtp, type SmtpDoor } from './smtp.js';
export { SecretsSealed } from '../control/index.js';
export { createSandbox, type Sandbox } from './sandbox.js';
export type { ChangedPack, MovedWorld, Reloaded, SandboxOptions, Served } from './served.js';
export { Expiry, LocalWorlds } from './local-worlds.js';
export { Directory } from './worlds.js';
export { processClock } from './calls.js';
export { mintKey, PackInvalid } from './programs.js';
export { type Address, listenAt, type Listener, ownAddress } from './address.js';
export { wholeBody } from './forward.js';
export { keysOfCall, sharedPlaces } from './match.js';
export type { RestingWorld, ServedWorld } from './ownership.js';
export type { WorldStart } from './replica-slot.js';
export { startTimeMs } from './serve-world.js';
export {
  type AdvanceProgress,
  type CallReport,
  CompanyOutside,
  type ForkStart,
  type HostedWorld,
  hostWorld,
  LedgerMismatch,
} from './world.js';
export {
  createReplica,
  type Replica,
  type ReplicaKind,
  type ReplicaOptions,
  type ReplicaPlace,
  startReplica,
} from './replica.js';
export type { RoutedCallEvent } from './replica-router.js';
export { type ReplayOrder } from './order.js';
export {
  BugPlayer,
  replayBug,
  type Replayed,
  type ReplayedResponse,
  type ReplayOptions,
  replayTransports,
  withAddressesOf,
} from './replay.js';
