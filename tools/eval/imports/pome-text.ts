import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';

/** A sentence pattern of a criterion, and the corresponding check, or a text with the reason why there is none. */
export type Sentence = readonly [pattern: RegExp, check: (...values: readonly string[]) => JsonObject | string];

/** The setup of a converted task. */
export interface PomeSetup {
  readonly setup: readonly JsonObject[];
  readonly key?: string;
  /** Texts in the task that are replaced with values saved in the setup, mostly ids. */
  readonly names: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** Returns the objects of a list in seed data; empty if the list is missing. */
export function rowsIn(seed: JsonObject, name: string): readonly JsonObject[] {
  const list: Json = seed[name] ?? null;
  return Array.isArray(list) ? list.filter((each: Json): each is JsonObject => isObject(each)) : [];
}
