import { LIMITS } from '../limits.js';
import { TooMuchWork } from './json-value.js';

/** Turns (units of work) left for the running command; Infinity outside of commands, where nothing is counted. */
let left = Infinity;

/** Number of characters that count as one turn. */
const CHARACTERS_PER_TURN = 16;

/** Starts counting the work of a command, with a full budget. */
export function openBudget(): void {
  left = LIMITS.expressionSteps.value;
}

/** Stops counting work at the end of a command. */
export function closeBudget(): void {
  left = Infinity;
}

/**
 * Runs a function outside of commands, such as for a page, with a command's budget; inside of a command, with that command's
 * budget.
 */
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
 * Counts turns: iterations of an expression, or rows and items that a function visits.
 * @throws TooMuchWork if the command exceeds its budget
 */
export function spendTurns(count: number): void {
  if ((left -= count) < 0)
    throw new TooMuchWork(`the expressions of one command take more than ${LIMITS.expressionSteps.value} turns`);
}

/** Counts the characters of a text that a function reads or makes. @throws TooMuchWork */
export function spendText(length: number): void {
  spendTurns(length / CHARACTERS_PER_TURN);
}
