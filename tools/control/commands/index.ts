import type { ControlCommand } from '../command.js';
import { CLOCK } from './clock.js';
import { FAILURES } from './failures.js';
import { HISTORY } from './history.js';
import { OUTSIDE } from './outside.js';
import { STATE } from './state.js';
import { WEBHOOKS } from './webhooks.js';
import { WORLDS } from './worlds.js';

/** Every subcommand that makes a call of the control API. */
export const CONTROL_COMMANDS: readonly ControlCommand[] = [
  ...STATE,
  ...OUTSIDE,
  ...CLOCK,
  ...FAILURES,
  ...WEBHOOKS,
  ...HISTORY,
  ...WORLDS,
];
