import { jsonLength } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { Rejection } from '../program/index.js';

/** Counts the size of one response while it is built, up to the limit. */
export class ResponseSize {
  #left = LIMITS.response.value;

  /** Counts a value's JSON before it is written, since a larger text may not fit into memory. @throws Rejection */
  value(value: unknown): void {
    this.characters(jsonLength(value, this.#left));
  }

  /** Counts characters of the response. @throws Rejection above the limit */
  characters(count: number): void {
    if ((this.#left -= count) < 0) tooLarge();
  }
}

/** Writes a value as JSON within the size limit of responses. @throws Rejection above the limit */
export function responseText(value: unknown): string {
  new ResponseSize().value(value);
  return jsonWithin(JSON.stringify(value));
}

/** Returns a text unchanged if it is within the size limit of responses. @throws Rejection above the limit */
export function jsonWithin(text: string): string {
  return text.length > LIMITS.response.value ? tooLarge() : text;
}

function tooLarge(): never {
  const limit = LIMITS.response.value;
  const reason = `the response would have more than ${limit} characters: ask for fewer objects, or expand less`;
  throw new Rejection('response_too_large', { limit, reason });
}
