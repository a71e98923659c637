import type { JsonObject } from '../values/index.js';

/** Seed data of a pack. */
export interface NamedSeed {
  readonly name: string;
  readonly description: string;
  /** The seed data, as a body of `POST /seed`. */
  readonly body: JsonObject;
}
