import { jsonLength } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { Rejection } from '../program/index.js';

/** What is left of the size of one response. */
export class ResponseSize {
  #left = LIMITS.response.value;

  /** Counts a value before it is written, since the text of a larger one may not fit into the memory. @throws Rejection */
  value(value: unknown): void {
    this.characters(jsonLength(value, this.#left));
  }

  /** Counts a text that is part of the response. @throws Rejection */
  characters(count: number): void {
    if ((this.#left -= count) < 0) tooLarge();
  }
}

/** The JSON text of a value, which may not be larger than a response. @throws Rejection */
export function responseText(value: unknown): string {
  new ResponseSize().value(value);
  return jsonWithin(JSON.stringify(value));
}

/** A text that may not be larger than a response. @throws Rejection */
export function jsonWithin(text: string): string {
  return text.length > LIMITS.response.value ? tooLarge() : text;
}

function tooLarge(): never {
  const limit = LIMITS.response.value;
  const reason = `the response would have more than ${limit} characters: ask for fewer objects, or expand less`;
  throw new Rejection('response_too_large', { limit, reason });
}
