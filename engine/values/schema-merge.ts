import type { Json, JsonObject } from './json-value.js';
import { equal, isList, isObject } from './values.js';

/** Thrown if an attempt found no value for a part of the schema. */
export class NothingFits extends Error {}

/** Thrown if a schema requires more values or text than the limit. */
export class TooLarge extends Error {}

/** Merges two schemas that the same value must match. Approximate where one schema can't express both. */
export function merged(a: JsonObject, b: JsonObject): JsonObject {
  const made: Record<string, Json> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const own = made[key];
    made[key] = own === undefined ? value : both(key, own, value);
  }
  return made;
}

function both(key: string, a: Json, b: Json): Json {
  switch (key) {
    case 'properties':
    case 'patternProperties':
    case '$defs': {
      const [left, right] = [keywordMap(a), keywordMap(b)];
      const common = Object.keys(right).filter((name) => Object.hasOwn(left, name));
      return {
        ...left,
        ...right,
        ...Object.fromEntries(common.map((name) => [name, { allOf: [left[name], right[name]] }])),
      };
    }
    case 'required':
      return [...new Set([...keywordTexts(a), ...keywordTexts(b)])];
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
    case 'contains':
      return a === false || b === false ? false : isList(a) || isList(b) ? b : { allOf: [a, b] };
    case 'enum':
      return isList(a) && isList(b) ? a.filter((each) => b.some((other) => equal(each, other))) : b;
    case 'type':
      return commonType(a, b);
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
    case 'minContains':
      return typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : b;
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : b;
    default:
      return b;
  }
}

function commonType(a: Json, b: Json): Json {
  const [left, right] = [a, b].map((each) => (isList(each) ? each.map(String) : [String(each)]));
  const common = left.filter((each) => right.includes(each) || (each === 'integer' && right.includes('number')));
  if (right.includes('integer') && left.includes('number') && !common.includes('integer')) common.push('integer');
  if (common.length === 0) throw new NothingFits();
  return common;
}

/** Returns the value of a keyword that is a map; an empty map for anything else. */
export function keywordMap(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the texts in the value of a keyword that is a list of texts; empty for anything else. */
export function keywordTexts(value: Json | undefined): string[] {
  return isList(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Returns the value of a keyword that is a number, or a default. */
export function numberOr(value: Json | undefined, other: number): number {
  return typeof value === 'number' ? value : other;
}
