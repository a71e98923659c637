import type { JsonObject } from '../values/index.js';

/** Thrown by a command's steps to end the command with an error of the pack's catalog. */
export class Rejection extends Error {
  constructor(
    readonly error: string,
    readonly args: JsonObject,
    /** Whether the command's changes so far are committed, for rejections that the vendor's history contains. */
    readonly keep = false,
  ) {
    super(error);
  }
}

/** Thrown if a pack's steps exceed the budget of steps or nested calls, which is a defect of the pack. */
export class BudgetExceeded extends Error {}
