/** All that compiled steps may do. A running command is one. */
export type { Command as Execution } from '../runtime/command.js';
