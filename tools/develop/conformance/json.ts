import { isRecord } from '../../../engine/values/index.js';

/** The value as an object; throws when it is something else, naming `what`. */
export function recordOf(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`${what}: expected an object`);
  return value;
}

/** The value as a list of strings, empty when absent; throws when it is something else, naming `what`. */
export function stringsOf(value: unknown, what: string): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${what}: expected a list`);
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw new Error(`${what}: expected strings`);
    return item;
  });
}
