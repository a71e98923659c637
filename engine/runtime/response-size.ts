import { jsonLength } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { Rejection } from '../program/index.js';

/** The remaining size of one response, below the limit. */
export class ResponseSize {
  #left = LIMITS.response.value;

  /** Counts a value before it is written, since the text of a larger one may not fit into memory. @throws Rejection */
  value(value: unknown): void {
    this.characters(jsonLength(value, this.#left));
  }

  /** Counts a text within the response. @throws Rejection */
  characters(count: number): void {
    if ((this.#left -= count) < 0) tooLarge();
  }
}

/** The JSON text of a value within the size limit of responses. @throws Rejection */
export function responseText(value: unknown): string {
  new ResponseSize().value(value);
  return jsonWithin(JSON.stringify(value));
}

/** Checks a text against the size limit of responses. @throws Rejection */
export function jsonWithin(text: string): string {
  return text.length > LIMITS.response.value ? tooLarge() : text;
}

function tooLarge(): never {
  const limit = LIMITS.response.value;
  const reason = `the response would have more than ${limit} characters: ask for fewer objects, or expand less`;
  throw new Rejection('response_too_large', { limit, reason });
}
