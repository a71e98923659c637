import { equal, ExpressionFailure, isList, isObject, type Json } from '../../engine/values/index.js';
import { TemplateError } from '../../engine/expression/index.js';
import type { DataPath } from '../../engine/pack/index.js';
import { isCondition, type SavedValues } from './values.js';

/** A difference between a response and its expectation: the path in the expectation, and the actual value. */
interface ExpectationDifference {
  readonly path: DataPath;
  readonly message: string;
  readonly suggestion?: string;
}

/**
 * Compares a response with its expectation: omitted keys may have any value, lists must have the same length, a `${...}` about `it` must be true, and
 * everything else must be equal.
 * @param name of the value in messages
 */
export function compareExpected(
  expected: Json,
  actual: Json | undefined,
  values: SavedValues,
  name: string,
  path: DataPath = [],
): ExpectationDifference[] {
  try {
    return differences(expected, actual, values, name, path);
  } catch (error) {
    if (error instanceof TemplateError) return [{ path, message: error.message, suggestion: error.suggestion }];
    if (!(error instanceof ExpressionFailure)) throw error;
    return [{ path, message: `${name} is ${shown(actual)}, for which ${shown(expected)} fails: ${error.message}` }];
  }
}

function differences(
  expected: Json,
  actual: Json | undefined,
  values: SavedValues,
  name: string,
  path: DataPath,
): ExpectationDifference[] {
  if (typeof expected === 'string' && isCondition(expected)) {
    const holds = values.fill(expected, actual ?? null);
    return holds === true
      ? []
      : [{ path, message: `${name} is ${shown(actual)}, for which ${expected} is ${shown(holds)}` }];
  }
  if (isList(expected)) {
    if (!isList(actual ?? null)) return [{ path, message: `${name} is ${shown(actual)}, not a list` }];
    const items = actual as readonly Json[];
    if (items.length !== expected.length) {
      return [{ path, message: `${name} has ${items.length} items, not ${expected.length}: ${shown(actual)}` }];
    }
    return expected.flatMap((item, index) =>
      compareExpected(item, items[index], values, `${name}[${index}]`, [...path, index]),
    );
  }
  if (isObject(expected)) {
    if (!isObject(actual ?? null)) return [{ path, message: `${name} is ${shown(actual)}, not a map` }];
    const members = actual as Readonly<Record<string, Json>>;
    return Object.entries(expected).flatMap(([key, value]) =>
      compareExpected(value, members[key], values, `${name}.${key}`, [...path, key]),
    );
  }
  const wanted = values.fill(expected);
  if (actual === undefined && wanted !== null)
    return [{ path, message: `${name} is missing: expected ${shown(wanted)}` }];
  return equal(wanted, actual ?? null) ? [] : [{ path, message: `${name} is ${shown(actual)}, not ${shown(wanted)}` }];
}

const LONGEST = 200;

/** Formats a value for messages. */
export function shown(value: Json | undefined): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}

/** Returns the value at a path such as `data.0.id`. */
export function dataAt(value: Json, path: string): Json | undefined {
  let at: Json | undefined = value;
  for (const key of path.split('.')) {
    if (isList(at ?? null)) at = (at as readonly Json[])[Number(key)];
    else at = isObject(at ?? null) ? (at as Readonly<Record<string, Json>>)[key] : undefined;
  }
  return at;
}
