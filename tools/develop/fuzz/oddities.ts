import type { Json } from '../../../engine/values/index.js';
import type { Dice } from '../simulate/dice.js';

export const BIG = 'a'.repeat(70_000);
export const TEXTS = [
  '',
  ' ',
  'null',
  'true',
  '-1',
  '0',
  '1e9',
  '9007199254740991',
  '9007199254740993',
  '1e308',
  'NaN',
  '\u0000',
  '\ud800',
  '😀',
  '__proto__',
  'constructor',
  '../../etc',
  '${now}',
  '<b>',
  '%',
  '%00',
  '[]',
  '{}',
  '"',
  "'",
  '\r\nX: y',
  'http://',
  `http://${BIG} b`,
  'javascript:alert(1)',
  '9999-12-31T23:59:59Z',
  '0000-00-00',
  '2024-02-30T00:00:00Z',
  '999999999999',
  BIG,
  '☃'.repeat(300),
  '*',
  '(a+)+$',
  'a@b',
];
export const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  99,
  100,
  1e3,
  1e9,
  1e12,
  2 ** 31,
  2 ** 53 - 1,
  -(2 ** 53),
  2 ** 53,
  1e21,
  0.1,
  1.5,
  1e308,
];
export const SCHEMAS: readonly Json[] = [
  { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
  { type: 'array', minItems: 10_000_000 },
  { minLength: 1e9 },
  { $ref: '#' },
  { not: {} },
  { type: 'array', uniqueItems: true, minItems: 200 },
  { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' },
  { type: 'object', required: ['a'], properties: { a: { $ref: '#' } } },
  { enum: [] },
  { type: 'string', format: 'email', maxLength: 3 },
  { patternProperties: { '^((a{100}){100}){100}$': {} } },
  { type: ['string', 'null'], default: 5 },
  { allOf: [{ type: 'string' }, { type: 'integer' }] },
  {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'array', items: {}, minItems: 9000 }, minItems: 9000 },
    minProperties: 9000,
  },
];
export const DURATIONS = [
  '1s',
  '0s',
  '60s',
  '1h',
  '32d',
  '400d',
  '5w',
  '-1s',
  '99999999999999999999999d',
  'abc',
  '1d12h',
  '2900000d',
];

/** Generates a value that operations rarely accept. */
export function odd(dice: Dice): Json {
  const all: Json[] = [
    dice.one(TEXTS),
    dice.one(NUMBERS),
    null,
    true,
    [],
    {},
    [[[[]]]],
    { a: { b: { c: 1 } } },
    nested(80),
    dice.one(SCHEMAS),
  ];
  return dice.one(all);
}

function nested(levels: number): Json {
  let made: Json = 1;
  for (let level = 0; level < levels; level++) made = [made];
  return made;
}
