import type { JsonObject } from '../values/index.js';

/** Seed data of a pack. */
export interface NamedSeed {
  readonly name: string;
  readonly description: string;
  /** As the body of `POST /seed`. */
  readonly body: JsonObject;
}
