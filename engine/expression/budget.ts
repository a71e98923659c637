import { LIMITS } from '../limits.js';
import { ExpressionFailure } from './host.js';

/** Turns that the running command may still take; commands run one at a time, and outside of them nothing is counted. */
let left = Infinity;

/** A command begins: from now on the turns of loops count. */
export function openBudget(): void {
  left = LIMITS.expressionSteps.value;
}

/** The command is over. */
export function closeBudget(): void {
  left = Infinity;
}

/**
 * Counts turns of a loop in an expression.
 * @throws ExpressionFailure when a command takes more than it may
 */
export function spendTurns(count: number): void {
  if ((left -= count) < 0)
    throw new ExpressionFailure(`the expressions of one command take more than ${LIMITS.expressionSteps.value} turns`);
}
