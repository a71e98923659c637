import {
  spendText,
  spendTurns,
  OutOfRange,
  type Json,
  patternProblem,
  pathText,
  schemaProblems,
  sharedText,
  synthesisProblem,
  synthesize,
  canonical,
  member,
  toText,
  isList,
} from '../values/index.js';
import { jsonOrNull, markdownHtml, patchLines, textDiff } from '../codecs/index.js';
import type { Environment } from './environment.js';
import { type FunctionSpec, LIST, MAP, ofTexts, onHost, onTime, PROBLEM, pure } from './function-kit.js';
import { type Host } from './host.js';
import { fromEntries, list, map, number, text, written } from './support.js';
import { groups } from './pattern-functions.js';
import { MESSAGES } from './messages.js';
import { addInterval, cycleAfter, dateParts, formatTime, startOfDay, timePatternProblem } from './time.js';
import { ANY, BOOLEAN, DURATION, join, listType, mapType, NUMBER, objectType, STRING, type Type } from './types.js';
import { percentOf, roundHalfAway } from './arithmetic.js';

const DELIVERY = objectType([
  ['id', STRING],
  ['event', STRING],
  ['type', STRING],
  ['status', STRING],
  ['attempts', NUMBER],
  ['made_at', ANY],
  ['done_at', ANY],
]);
const DIFF = objectType([
  ['additions', NUMBER],
  ['deletions', NUMBER],
  ['patch', STRING],
]);
const DIFF_LINE = objectType([
  ['position', NUMBER],
  ['hunk', NUMBER],
  ['before', NUMBER],
  ['after', NUMBER],
  ['text', STRING],
]);
const SECOND = 1000;
const MAX_LENGTH = 10_000;
/** Work units that generating a value costs, since it takes several tries. */
const SYNTHESIS_TURNS = 5000;
/** Work units that a search of the delivery log costs. */
const LOG_TURNS = 1000;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const element = ([type]: readonly Type[]): Type => (type.kind === 'list' ? type.of : ANY);
const same = ([type]: readonly Type[]): Type => (type.kind === 'list' ? type : LIST);

function scale(ms: number): FunctionSpec {
  return pure([NUMBER], DURATION, (n) => number(n) * ms);
}

function datePart(part: keyof ReturnType<typeof dateParts>): FunctionSpec {
  return onTime(['timestamp'], NUMBER, (_host, env, t) => dateParts(env.toMs(t))[part]);
}

const HOST_FUNCTIONS: Record<string, FunctionSpec> = {
  subscribers: onHost([STRING], NUMBER, (host, type) => host.subscribers(text(type))),
  undelivered: onHost([STRING], NUMBER, (host, id) => host.undelivered(text(id))),
  deliveries: onHost([STRING], listType(DELIVERY), (host, endpoint) => {
    spendTurns(LOG_TURNS);
    return host.deliveries(text(endpoint));
  }),
  random_string: onHost([NUMBER], STRING, (host, n) => host.randomString(length(n))),
  random_int: onHost([NUMBER, NUMBER], NUMBER, (host, low, high) => host.randomInt(number(low), number(high))),
  world_tag: onHost([], STRING, (host) => host.worldTag),
  hash: onHost([STRING, NUMBER], STRING, (host, of, n) => host.hash(text(of), length(n))),
  hash_base64: onHost([STRING, NUMBER], STRING, (host, of, n) => hashBase64(host, text(of), length(n))),
};

const SCHEMAS: Record<string, FunctionSpec> = {
  synthesize: onHost(
    [ANY, STRING, ANY],
    ANY,
    (host, schema, seed, hints) => {
      spendTurns(SYNTHESIS_TURNS);
      const made = synthesize(schema, seedNumber(host, text(seed)), hints ?? null, host.nowMs);
      spendText(JSON.stringify(made).length);
      return made;
    },
    1,
  ),
  synthesis_problems: pure([ANY, STRING], listType(PROBLEM), (schema, at) => {
    spendTurns(SYNTHESIS_TURNS);
    const message = synthesisProblem(schema);
    return message === undefined
      ? []
      : [{ param: text(at), message: `A value for this schema cannot be made up: it ${message}.` }];
  }),
  ...ofTexts({
    schema_problems: pure([ANY, ANY, STRING], listType(PROBLEM), (schema, value, at) =>
      schemaProblems(schema, value).map(({ path, message }) => ({ param: pathText(text(at), path), message })),
    ),
  }),
};

const NUMBERS: Record<string, FunctionSpec> = {
  round: pure([NUMBER], NUMBER, (n) => roundHalfAway(number(n))),
  floor: pure([NUMBER], NUMBER, (n) => Math.floor(number(n))),
  ceil: pure([NUMBER], NUMBER, (n) => Math.ceil(number(n))),
  abs: pure([NUMBER], NUMBER, (n) => Math.abs(number(n))),
  sqrt: pure([NUMBER], NUMBER, (n) => Math.sqrt(Math.max(0, number(n)))),
  float32: pure([LIST], STRING, (xs) => Buffer.from(Float32Array.from(list(xs), number).buffer).toString('base64')),
  min: pure([NUMBER, NUMBER], NUMBER, (a, b) => Math.min(number(a), number(b))),
  max: pure([NUMBER, NUMBER], NUMBER, (a, b) => Math.max(number(a), number(b))),
  percent: pure([NUMBER, NUMBER], NUMBER, (n, p) => percentOf(number(n), number(p))),
  int: pure([ANY], NUMBER, (value) => Math.trunc(toNumber(value, 'int'))),
  number: pure([ANY], NUMBER, (value) => toNumber(value, 'number')),
};

const LISTS: Record<string, FunctionSpec> = {
  size: { ...pure([ANY], NUMBER, (value) => sizeOf(value)), seesAddress: true },
  sum: pure([LIST], NUMBER, (xs) => list(xs).reduce<number>((total, x) => total + number(x), 0)),
  first: pure([LIST], element, (xs) => list(xs)[0] ?? null),
  last: pure([LIST], element, (xs) => list(xs).at(-1) ?? null),
  append: pure(
    [LIST, ANY],
    ([xs, x]) => (xs.kind === 'list' ? listType(join(xs.of, x)) : LIST),
    (xs, x) => [...list(xs), x],
  ),
  concat: pure(
    [LIST, LIST],
    ([a, b]) => join(a, b),
    (a, b) => [...list(a), ...list(b)],
  ),
  flatten: pure(
    [LIST],
    ([xs]) => (xs.kind === 'list' && xs.of.kind === 'list' ? xs.of : LIST),
    (xs) => list(xs).flatMap((x) => (x === null || isList(x) ? [...list(x)] : [x])),
  ),
  slice: pure(
    [LIST, NUMBER, NUMBER],
    same,
    (xs, from, to) => list(xs).slice(number(from), to === undefined || to === null ? undefined : number(to)),
    1,
  ),
  reverse: pure([LIST], same, (xs) => [...list(xs)].reverse()),
  range: pure([NUMBER], listType(NUMBER), (n) => {
    const count = Math.min(Math.max(number(n), 0), 10_000);
    spendTurns(count);
    return Array.from({ length: count }, (_, i) => i);
  }),
  ...ofTexts({
    sort_by: pure([LIST, STRING], same, (xs, key) => sortBy(list(xs), text(key))),
    sort: pure([LIST], same, (xs) => [...list(xs)].sort(inOrder)),
  }),
  unique: pure([LIST], same, (xs) => distinct(list(xs))),
};

const MAPS: Record<string, FunctionSpec> = {
  merge: pure([MAP, MAP], MAP, (a, b) => ({ ...map(a), ...map(b) })),
  patch: pure([MAP, MAP], MAP, (m, changes) =>
    changes === null
      ? {}
      : fromEntries(
          Object.entries({ ...map(m), ...map(changes) }).filter(([, value]) => value !== null && value !== ''),
        ),
  ),
  without: pure([MAP, listType(STRING)], MAP, (m, keys) => {
    const dropped = new Set(list(keys));
    return fromEntries(Object.entries(map(m)).filter(([key]) => !dropped.has(key)));
  }),
  pick: pure([MAP, listType(STRING)], MAP, (m, keys) => {
    const kept = new Set(list(keys));
    return fromEntries(Object.entries(map(m)).filter(([key]) => kept.has(key)));
  }),
  keys: pure([MAP], listType(STRING), (m) => Object.keys(map(m))),
  values: pure([MAP], LIST, (m) => Object.values(map(m))),
  group: pure([LIST, STRING, STRING], mapType(LIST), (xs, key, value) => group(list(xs), text(key), text(value))),
  entry: pure([STRING, ANY], MAP, (key, value) => fromEntries([[text(key), value]])),
};

const TEXT: Record<string, FunctionSpec> = ofTexts({
  string: pure([ANY], STRING, (value) => written(toText(value))),
  lower: pure([STRING], STRING, (s) => sharedText(text(s).toLowerCase())),
  upper: pure([STRING], STRING, (s) => sharedText(text(s).toUpperCase())),
  capitalize: pure([STRING], STRING, (s) => text(s).slice(0, 1).toUpperCase() + text(s).slice(1)),
  pad: pure([ANY, NUMBER], STRING, (n, width) => toText(n).padStart(length(width), '0')),
  decimal: pure([NUMBER, NUMBER], STRING, (n, places) => decimal(number(n), length(places))),
  split: pure([STRING, STRING], listType(STRING), (s, separator) => text(s).split(text(separator))),
  join: pure([LIST, STRING], STRING, (xs, separator) => written(list(xs).map(toText).join(text(separator)))),
  replace: pure([STRING, STRING, STRING], STRING, (s, from, to) => {
    const put = text(to);
    return written(text(s).replaceAll(text(from), () => put));
  }),
  substring: pure(
    [STRING, NUMBER, NUMBER],
    STRING,
    (s, from, to) => text(s).slice(number(from), to === undefined ? undefined : number(to)),
    1,
  ),
  trim: pure([STRING], STRING, (s) => text(s).trim()),
  diff: pure([STRING, STRING], DIFF, (before, after) => {
    spendText(text(before).length + text(after).length);
    const { additions, deletions, patch } = textDiff(text(before), text(after));
    return { additions, deletions, patch: written(patch) };
  }),
  diff_lines: pure([STRING], listType(DIFF_LINE), (patch) => {
    spendText(text(patch).length);
    return patchLines(text(patch)).map((line) => ({ ...line }));
  }),
  markdown: pure([STRING], STRING, (s) => {
    spendText(text(s).length);
    return written(markdownHtml(text(s)));
  }),
  mask: pure([STRING], STRING, (s) => maskSecret(text(s))),
  luhn: pure([STRING], BOOLEAN, (s) => luhn(text(s))),
  groups: pure([STRING, STRING], ANY, (s, pattern) =>
    s === null || pattern === null ? null : groups(text(s), text(pattern)),
  ),
  pattern_problems: pure([STRING, STRING], listType(PROBLEM), (pattern, at) => {
    const problem = pattern === null ? undefined : patternProblem(text(pattern));
    return problem === undefined ? [] : [{ param: text(at), message: problem.message }];
  }),
  json: pure([ANY], STRING, (value) => written(JSON.stringify(value))),
  from_json: pure([STRING], ANY, (s) => (s === null ? null : fromJson(text(s)))),
});

const TIME: Record<string, FunctionSpec> = {
  time_of: onTime([STRING], 'timestamp', (host, _env, id) => host.timeOf(text(id))),
  seconds: scale(SECOND),
  minutes: scale(60 * SECOND),
  hours: scale(3600 * SECOND),
  days: scale(86400 * SECOND),
  until: onTime(['timestamp'], DURATION, (host, env, t) => (t === null ? null : Math.max(0, env.toMs(t) - host.nowMs))),
  since: onTime(['timestamp'], DURATION, (host, env, t) => (t === null ? null : Math.max(0, host.nowMs - env.toMs(t)))),
  milliseconds: pure([DURATION], NUMBER, (d) => d),
  shift: onTime(['timestamp', DURATION], 'timestamp', (_host, env, t, d) =>
    d === null ? null : env.fromMs(env.toMs(t) + number(d)),
  ),
  add_interval: onTime(
    ['timestamp', STRING, NUMBER, 'timestamp'],
    'timestamp',
    (_host, env, t, unit, n, anchor) =>
      env.fromMs(
        addInterval(
          env.toMs(t),
          text(unit),
          number(n),
          anchor === undefined || anchor === null ? undefined : env.toMs(anchor),
        ),
      ),
    1,
  ),
  cycle_after: onTime(['timestamp', STRING, NUMBER, 'timestamp'], 'timestamp', (_host, env, anchor, unit, n, t) =>
    env.fromMs(cycleAfter(env.toMs(anchor), text(unit), number(n), env.toMs(t))),
  ),
  start_of_day: onTime(['timestamp'], 'timestamp', (_host, env, t) => env.fromMs(startOfDay(env.toMs(t)))),
  format_time: {
    ...onTime(['timestamp', STRING], STRING, (_host, env, t, pattern) => formatTime(env.toMs(t), text(pattern))),
    problemOf: ([, pattern]) => (typeof pattern === 'string' ? timePatternProblem(pattern) : undefined),
  },
  unix: onTime(['timestamp'], NUMBER, (_host, env, t) => Math.floor(env.toMs(t) / SECOND)),
  year: datePart('year'),
  month: datePart('month'),
  day: datePart('day'),
  hour: datePart('hour'),
  minute: datePart('minute'),
  second: datePart('second'),
  weekday: datePart('weekday'),
  parse_time: onTime([STRING], 'timestamp', (_host, env, s) => parsedTime(env, text(s))),
};

/** Functions called by name, such as `round(x)`. */
export const functions: ReadonlyMap<string, FunctionSpec> = new Map(
  Object.entries({ ...HOST_FUNCTIONS, ...SCHEMAS, ...MESSAGES, ...NUMBERS, ...LISTS, ...MAPS, ...TEXT, ...TIME }),
);

/** Functions called on a value, such as `s.startsWith(p)`; the value is the first argument. */
export const methods: ReadonlyMap<string, FunctionSpec> = new Map(
  Object.entries({
    ...ofTexts({
      startsWith: pure([STRING, STRING], BOOLEAN, (s, part) => text(s).startsWith(text(part))),
      endsWith: pure([STRING, STRING], BOOLEAN, (s, part) => text(s).endsWith(text(part))),
      contains: pure([STRING, STRING], BOOLEAN, (s, part) => text(s).includes(text(part))),
    }),
    size: LISTS.size,
  }),
);

/** Parses an ISO 8601 time; null if invalid. */
function parsedTime(env: Environment, value: string): Json {
  const ms = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value)
    ? Date.parse(/[Zz]|[+-]\d\d:?\d\d$/.test(value.slice(10)) || value.length === 10 ? value : `${value}Z`)
    : NaN;
  return Number.isNaN(ms) ? null : env.fromMs(ms);
}

/** The items without later duplicates. */
function distinct(xs: readonly Json[]): Json[] {
  const seen = new Set<Json>();
  return xs.filter((x) => {
    const key = typeof x === 'object' && x !== null ? `\n${written(canonical(x))}` : x;
    return seen.size < seen.add(key).size;
  });
}

/** Checks a length in characters or bytes. @throws OutOfRange above the limit for packs, or if it isn't a whole number */
function length(value: Json): number {
  const n = number(value);
  if (Number.isInteger(n) && n >= 0 && n <= MAX_LENGTH) return n;
  throw new OutOfRange(`a length is an integer from 0 to ${MAX_LENGTH}, not ${n}`);
}

/** Formats minor units as a decimal: 1234 hundredths are `12.34`. */
function decimal(units: number, places: number): string {
  const digits = String(Math.abs(Math.round(units))).padStart(places + 1, '0');
  const whole = `${units < 0 ? '-' : ''}${digits.slice(0, digits.length - places)}`;
  return places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
}

/** `count` bytes in base64, derived from the text and the world's seed: two characters of the hash make one byte. */
function hashBase64(host: Host, of: string, count: number): string {
  const digits = host.hash(of, count * 2);
  const bytes = Uint8Array.from(
    { length: count },
    (_, at) => BASE62.indexOf(digits[2 * at]) * 62 + BASE62.indexOf(digits[2 * at + 1]),
  );
  return Buffer.from(bytes).toString('base64');
}

/** A 31-bit number derived from a text and the world's seed. */
function seedNumber(host: Host, of: string): number {
  return [...host.hash(`synthesize ${of}`, 5)].reduce((n, digit) => n * 62 + BASE62.indexOf(digit), 0);
}

/** Members `value` of the items, grouped by their members `key`, in the order of first occurrence. */
function group(xs: readonly Json[], key: string, value: string): Record<string, Json> {
  const groups = new Map<string, Json[]>();
  for (const x of xs) {
    const name = toText(member(x, key));
    const found = groups.get(name);
    if (found) found.push(member(x, value));
    else groups.set(name, [member(x, value)]);
  }
  return fromEntries([...groups]);
}

function fromJson(source: string): Json {
  spendText(source.length);
  return jsonOrNull(source);
}

function toNumber(value: Json, name: string): number {
  const n = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof n === 'number' && Number.isFinite(n)) return n;
  throw new OutOfRange(`${name}() cannot read ${JSON.stringify(value)}`);
}

function sizeOf(value: Json): number {
  if (value === null) return 0;
  if (typeof value === 'string') return [...text(value)].length;
  if (Array.isArray(value)) return value.length;
  return Object.keys(map(value)).length;
}

function sortBy(xs: readonly Json[], key: string): Json[] {
  const rank = (x: Json) => member(x, key);
  return [...xs].sort((a, b) => inOrder(rank(a), rank(b)));
}

/** Compares numbers by value, everything else by its text. */
function inOrder(x: Json, y: Json): number {
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  return toText(x) < toText(y) ? -1 : toText(x) > toText(y) ? 1 : 0;
}

/**
 * Keeps the prefix (up to the last underscore in the first 8 characters) and the last 4 characters; replaces the rest by stars.
 */
function maskSecret(secret: string): string {
  const prefix = /^[a-z]{2}_[a-z]+_/.exec(secret)?.[0] ?? '';
  const tail = secret.length - prefix.length > 4 ? secret.slice(-4) : '';
  return prefix + '*'.repeat(Math.max(0, secret.length - prefix.length - tail.length)) + tail;
}

function luhn(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false;
  let total = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 1 ? 2 : 1);
    total += digit > 9 ? digit - 9 : digit;
  }
  return total % 10 === 0;
}
