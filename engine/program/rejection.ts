import type { JsonObject } from '../values/index.js';

/** How a command ends when it must not succeed: an error of the pack's catalogue. Thrown by steps, caught by the runner. */
export class Rejection extends Error {
  constructor(
    readonly error: string,
    readonly args: JsonObject,
    /** What the command changed so far stays (a rejection that is part of the vendor's history). */
    readonly keep = false,
  ) {
    super(error);
  }
}

/** A pack ran away: more steps or deeper calls than any real one needs. A defect of the pack. */
export class BudgetExceeded extends Error {}
