import type { JsonObject } from '../values/index.js';

/** Ends a command with an error of the pack's catalog. Thrown by steps, caught by the runner. */
export class Rejection extends Error {
  constructor(
    readonly error: string,
    readonly args: JsonObject,
    /** The command's changes so far are kept (a rejection that is part of the vendor's history). */
    readonly keep = false,
  ) {
    super(error);
  }
}

/** A pack exceeded the budget of steps or nested calls: a defect of the pack. */
export class BudgetExceeded extends Error {}
