import { LIMITS } from '../limits.js';
import { TooMuchWork } from './json-value.js';

/** Turns that the running command may still take; commands run one at a time, and outside of them nothing is counted. */
let left = Infinity;

/** How many characters of a text weigh as much as a turn. */
const CHARACTERS_PER_TURN = 16;

/** A command begins: from now on the turns of loops count. */
export function openBudget(): void {
  left = LIMITS.expressionSteps.value;
}

/** The command is over. */
export function closeBudget(): void {
  left = Infinity;
}

/** Runs what is no command and may take as much as one: a page, a message. Inside of a command its turns are the command's. */
export function withBudget<T>(run: () => T): T {
  if (left !== Infinity) return run();
  openBudget();
  try {
    return run();
  } finally {
    closeBudget();
  }
}

/**
 * Counts turns of a loop in an expression, and what takes as long: rows and items that a function goes through.
 * @throws TooMuchWork when a command takes more than it may
 */
export function spendTurns(count: number): void {
  if ((left -= count) < 0)
    throw new TooMuchWork(`the expressions of one command take more than ${LIMITS.expressionSteps.value} turns`);
}

/** Counts a text that a function reads or makes. */
export function spendText(length: number): void {
  spendTurns(length / CHARACTERS_PER_TURN);
}
