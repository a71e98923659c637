import { isList, isObject, type Json } from '../values/index.js';
import type { Schema, SchemaRules, TextSchema, RefSchema } from './schema.js';

/** A rule of a type that a value breaks, as data, which parameters, seed data and pins word differently. */
export interface BrokenRule {
  readonly rule: 'min' | 'max' | 'decimals' | 'max_length' | 'pattern' | 'format';
  /** The measured quantity: a text's characters, the number itself, a list's items, or a map's keys. */
  readonly of: 'text' | 'number' | 'list' | 'map' | 'key';
  /** The bound, or the pattern's source or the format's title. */
  readonly limit: number | string;
  /** The measured amount: a count of characters, items, keys or decimals, or the number itself. */
  readonly size: number;
  /** The key of a map that breaks the rule; null if the value itself does. */
  readonly key: string | null;
}

/**
 * Returns the first rule of a schema that a value of the right kind breaks; undefined if none. Nested values aren't checked.
 * All checks of values (parameters, seed data, pins, faults) use this.
 * @param sent the value as sent, such as a number as text
 */
export function brokenRule(schema: Schema, value: Json, sent: Json = value): BrokenRule | undefined {
  switch (schema.kind) {
    case 'string':
    case 'ref':
      return typeof value === 'string' ? brokenByText(schema, value) : undefined;
    case 'integer':
    case 'number':
      if (typeof value !== 'number') return undefined;
      return outOfBounds(schema, 'number', value) ?? tooPrecise(schema.decimals, sent);
    case 'array': {
      const { min = schema.many === true ? 1 : 0, max } = schema;
      return isList(value) ? outOfBounds({ min, max }, 'list', value.length) : undefined;
    }
    case 'map':
      return isObject(value) ? brokenByKeys(schema, Object.keys(value)) : undefined;
    default:
      return undefined;
  }
}

type Bounds = Pick<SchemaRules, 'min' | 'max'>;

function outOfBounds({ min, max }: Bounds, of: BrokenRule['of'], size: number): BrokenRule | undefined {
  if (min !== undefined && size < min) return { rule: 'min', of, limit: min, size, key: null };
  if (max !== undefined && size > max) return { rule: 'max', of, limit: max, size, key: null };
  return undefined;
}

function tooPrecise(decimals: number | undefined, sent: Json): BrokenRule | undefined {
  if (decimals === undefined) return undefined;
  const [, digits = '', power = '0'] = /^[^.e]*(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(String(sent)) ?? [];
  const size = Math.max(0, digits.length - Number(power));
  return size > decimals ? { rule: 'decimals', of: 'number', limit: decimals, size, key: null } : undefined;
}

/** Matches control characters, which no known format of text allows and headers can't contain. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x1f\x7f]/;

function brokenByText(schema: TextSchema | RefSchema, value: string): BrokenRule | undefined {
  const { min, max_length, pattern, format } = schema;
  const size = value.length;
  const of = 'text';
  if (min !== undefined && size < min) return { rule: 'min', of, limit: min, size, key: null };
  if (max_length !== undefined && size > max_length)
    return { rule: 'max_length', of, limit: max_length, size, key: null };
  if (pattern && !pattern.test(value)) return { rule: 'pattern', of, limit: pattern.source, size, key: null };
  if (format && (!format.pattern.test(value) || CONTROLS.test(value)))
    return { rule: 'format', of, limit: format.title, size, key: null };
  return undefined;
}

function brokenByKeys({ max, max_length }: SchemaRules, keys: readonly string[]): BrokenRule | undefined {
  const many = outOfBounds({ max }, 'map', keys.length);
  if (many !== undefined || max_length === undefined) return many;
  const key = keys.find((each) => each.length > max_length);
  return key === undefined ? undefined : { rule: 'max_length', of: 'key', limit: max_length, size: key.length, key };
}
