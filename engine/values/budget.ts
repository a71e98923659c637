import { LIMITS } from '../limits.js';
import { TooMuchWork } from './json-value.js';

/** Turns left for the running command; commands run one at a time, and outside of them nothing is counted. */
let left = Infinity;

/** Number of characters that count as one turn. */
const CHARACTERS_PER_TURN = 16;

/** Starts counting the turns of a command. */
export function openBudget(): void {
  left = LIMITS.expressionSteps.value;
}

/** Stops counting. */
export function closeBudget(): void {
  left = Infinity;
}

/**
 * Runs other code than a command, such as a page or message, with a command's budget. Inside a command it shares the command's
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
 * Counts iterations in an expression, and equally long work: rows and items that a function visits.
 * @throws TooMuchWork if a command exceeds its budget
 */
export function spendTurns(count: number): void {
  if ((left -= count) < 0)
    throw new TooMuchWork(`the expressions of one command take more than ${LIMITS.expressionSteps.value} turns`);
}

/** Counts a text that a function reads or makes. */
export function spendText(length: number): void {
  spendTurns(length / CHARACTERS_PER_TURN);
}
