/** State machines: a flat XState v5 config, checked, and compiled to decisions. */
export { checkMachine, lostStates } from './check.js';
export { candidates, slots, targetState } from './config.js';
export type { MachineConfig, StateConfig, TransitionConfig, TransitionsConfig } from './config.js';
export { compileMachine, type Machine } from './machine.js';
export { MachineLoop } from './oracle.js';
export type { TransitionOutcome } from './outcome.js';
