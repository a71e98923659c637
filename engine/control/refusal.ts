import type { JsonObject } from '../expression/index.js';
import { didYouMean } from '../pack/index.js';

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422;

/** An error answer of the control plane. `details` stand beside code and message. */
export class Refusal extends Error {
  constructor(
    readonly status: RefusalStatus,
    readonly code: string,
    message: string,
    readonly details: JsonObject = {},
  ) {
    super(message);
  }
}

/** 404: nothing has this name. `near` is what was probably meant. */
export function unknown(what: string, name: string, near?: string, details: JsonObject = {}): Refusal {
  const suggestion: JsonObject = near === undefined ? {} : { suggestion: near };
  return new Refusal(404, `unknown_${what.replaceAll(' ', '_')}`, `there is no ${what} '${name}'${didYouMean(near)}`, {
    ...suggestion,
    ...details,
  });
}
