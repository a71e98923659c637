import { isObject, type Json, type JsonObject, textFor, textPattern } from '../../engine/values/index.js';
import type { OperationFacts } from './facts.js';
import type { PackType } from './types.js';

/** The kinds of constraints that are violated. */
const BROKEN_KINDS = [
  'required',
  'type',
  'enum',
  'minimum',
  'maximum',
  'min_length',
  'max_length',
  'pattern',
  'items',
] as const;
export type BrokenKind = (typeof BROKEN_KINDS)[number];

/** Parameters that violate one constraint of the document and are otherwise valid. */
interface BrokenParams {
  readonly kind: BrokenKind;
  /** The parameter's path, such as `a.b`. */
  readonly param: string;
  readonly params: JsonObject;
}

type Long = Readonly<Record<string, unknown>>;

/** Parameters nested more deeply aren't tested. */
const MAX_DEPTH = 2;
const LONGEST = 10_000;

/**
 * Yields a copy of valid parameters for each constraint of an operation, with that constraint violated. An absent parameter is added with an invalid
 * value.
 * @param text the parameters are sent as text, in which numbers are also strings
 */
export function* brokenParams(facts: OperationFacts, valid: JsonObject, text: boolean): Iterable<BrokenParams> {
  for (const [name, type] of Object.entries(facts.params ?? {})) yield* brokenAt(type, name, name, valid, text, 1);
}

function* brokenAt(
  given: PackType,
  name: string,
  path: string,
  holder: JsonObject,
  text: boolean,
  depth: number,
): Iterable<BrokenParams> {
  const type = longOf(given);
  const broken = (kind: BrokenKind, value: Json): BrokenParams => ({
    kind,
    param: path,
    params: { ...holder, [name]: value },
  });
  if (type['required'] === true && Object.hasOwn(holder, name)) {
    const { [name]: _, ...params } = holder;
    yield { kind: 'required', param: path, params };
  }
  for (const [kind, value] of brokenValues(type, text)) yield broken(kind, value);
  if (!isObject(type['fields']) || depth >= MAX_DEPTH) return;
  const own = isObject(holder[name] ?? null) ? (holder[name] as JsonObject) : sampleOf(type);
  if (!isObject(own)) return;
  for (const [member, inner] of Object.entries(type['fields'] as Readonly<Record<string, PackType>>))
    for (const { kind, param, params } of brokenAt(inner, member, `${path}.${member}`, own, text, depth + 1))
      yield { kind, param, params: { ...holder, [name]: params } };
}

/** Yields values that violate one constraint of a type, with the constraint's name. */
function* brokenValues(type: Long, text: boolean): Iterable<readonly [BrokenKind, Json]> {
  const { min, max, max_length: longest } = type;
  if (Array.isArray(type['enum'])) yield ['enum', 'no-such-value'];
  switch (kindOf(type)) {
    case 'integer':
      yield ['type', 'word'];
      if (!text) yield ['type', 1.5];
      break;
    case 'number':
    case 'boolean':
      yield ['type', 'word'];
      break;
    case 'array':
      yield ['type', 'word'];
      if (typeof min === 'number' && min > 0) yield ['items', []];
      if (typeof max === 'number' && max < 200)
        yield ['items', Array.from({ length: max + 1 }, () => sampleOf(longOf((type['items'] ?? 'any') as PackType)))];
      return;
    case 'object':
      yield ['type', 'word'];
      return;
    case 'string':
      if (!text) yield ['type', { an: 'object' }];
      // In a form, an empty text counts as absent.
      if (typeof min === 'number' && min > (text ? 1 : 0)) yield ['min_length', 'a'.repeat(min - 1)];
      if (typeof longest === 'number' && longest < LONGEST) yield ['max_length', lengthened(type, longest + 1)];
      if (typeof type['pattern'] === 'string') {
        const outside = UNLIKELY.find((each) => !textPattern(String(type['pattern'])).test(each));
        if (outside !== undefined) yield ['pattern', outside];
      }
      return;
    default:
      return;
  }
  if (typeof min === 'number') yield ['minimum', min - 1];
  if (typeof max === 'number') yield ['maximum', max + 1];
}

/** Candidates for texts that violate a pattern. */
const UNLIKELY = ['!', '~~ ~~', 'zzzzzzzzzz', '0', ''];

function lengthened(type: Long, length: number): string {
  const sample = String(sampleOf(type));
  return (sample === '' ? 'a' : sample).padEnd(length, 'a').slice(0, length);
}

/** The smallest value that a type accepts. */
function sampleOf(type: Long): Json {
  if (Array.isArray(type['enum'])) return type['enum'][0] as Json;
  if (Array.isArray(type['one_of'])) return sampleOf(longOf((type['one_of'] as PackType[])[0]));
  const { min, pattern } = type;
  const least = typeof min === 'number' ? min : undefined;
  switch (kindOf(type)) {
    case 'integer':
    case 'number':
      return least ?? 1;
    case 'boolean':
      return true;
    case 'array': {
      const item = sampleOf(longOf((type['items'] ?? 'any') as PackType));
      return Array.from({ length: Math.max(1, least ?? 0) }, () => item);
    }
    case 'object': {
      const fields = Object.entries((type['fields'] ?? {}) as Readonly<Record<string, PackType>>);
      const needed = fields
        .map(([name, each]) => [name, longOf(each)] as const)
        .filter(([, each]) => each['required'] === true);
      return Object.fromEntries(needed.map(([name, each]) => [name, sampleOf(each)]));
    }
    default: {
      const made = typeof pattern === 'string' ? textFor(pattern, { draw: () => 0, extra: 0, most: 200 }) : undefined;
      return (made ?? 'text').padEnd(least ?? 0, 'x');
    }
  }
}

function kindOf(type: Long): string {
  if ('fields' in type) return 'object';
  if ('items' in type) return 'array';
  const name = typeof type['type'] === 'string' ? type['type'].replace(/\?$/, '') : '';
  return name === 'map' ? 'object' : name;
}

function longOf(type: PackType): Long {
  return typeof type === 'string' ? { type } : type;
}
