/** The control API, by which tests control a world, under `/__admin__`. */
export { takeFiles } from './files.js';
export { digestOf, madeIn } from './bug-steps.js';
export { type Bug, type BugAction, type ReceivedDelivery, type BugStep } from './bug-file.js';
export { maskedArgs, openedArgs, SecretsSealed } from './secrets.js';
export type { Beginning, ControlContext, PackAbout } from './context.js';
export { LiveStreams } from './live.js';
export { CONTROL_PATH } from './contract.js';
export { packView } from './pack-view.js';
export { allEventTypes } from './lookup.js';
export { bodyWithin, type ControlCallEvent, controlPlane } from './plane.js';
export { ControlRejection, unknownPack, unknownWorld } from './rejection.js';
export { contractText } from './routes/index.js';
export { foldedPast, momentNamed } from './ledger-position.js';
export { type Team, Teams } from './teams.js';
export type {
  ForkOrigin,
  ForkOptions,
  FoundWorld,
  MadeWorld,
  WorldDirectory,
  WorldView,
  WorldOptions,
} from './worlds.js';
