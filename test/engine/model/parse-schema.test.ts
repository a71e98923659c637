import * as fc from 'fast-check';
import type { Json } from '../../../engine/values/index.js';
import { linked, problemsOf, resourceWith, typeOf, wrongWith } from './linked-model.js';

const TYPES = {
  'types.yaml': `address: { type: object, fields: { street: string, town: string? } }
label: { type: string, min: 2, max_length: 3 }
letters: { type: string, pattern: "^a+$" }
digit: { type: integer, min: 0, max: 9 }
mail: { type: string, format: email }
`,
  'tables/sizes.yaml':
    'table: sizes\ncolumns: { name: string? }\nrows: [{ name: small }, { name: large }, { name: null }]\n',
  'pack.yaml': 'formats: { email: { pattern: "^[^@ ]+@[^@ ]+$", title: email address } }\n',
};

/** A type as it is written, values that it takes, and values that it does not take with what is said of them. */
type Case = [written: string, takes: Json[], not: [Json, string][]];

test.each<Case>([
  [
    'string',
    ['', 'x', '🐢'],
    [
      [1, 'it: must be text'],
      [null, 'it: must not be null'],
    ],
  ],
  ['string?', ['x', null], [[false, 'it: must be text']]],
  ['{ type: string, nullable: true }', [null], []],
  [
    'integer',
    [0, -7, Number.MAX_SAFE_INTEGER],
    [
      [1.5, 'it: must be an integer'],
      ['1', 'it: must be an integer'],
    ],
  ],
  ['number', [0, 1.5, -1e300], [['1', 'it: must be a number']]],
  ['boolean', [true, false], [[0, 'it: must be true or false']]],
  ['any', [null, 1, 'x', [], {}], []],
  [
    'map',
    [{}, { a: { b: 1 } }],
    [
      [[], 'it: must be a map'],
      ['x', 'it: must be a map'],
    ],
  ],
  [
    'timestamp',
    ['2025-01-01T00:00:00Z'],
    [
      ['soon', 'it: must be an ISO 8601 time'],
      [1, 'it: must be an ISO 8601 time'],
    ],
  ],
  ['json_schema', [{}, { type: 'string' }], [[{ type: 'text' }, 'it: must be a JSON Schema: ']]],
  [
    '{ enum: [low, high] }',
    ['low', 'high'],
    [
      ['medium', 'it: must be one of low, high'],
      [1, 'it: must be one of low, high'],
    ],
  ],
  ['{ values_of: sizes.name }', ['small', 'large'], [['medium', 'it: must be one of small, large']]],
  ['{ const: order }', ['order'], [['orders', 'it: must be "order"']]],
  ['{ ref: thing }', ['thing_1'], [[{ id: 'thing_1' }, 'it: must be text']]],
  [
    '{ type: array, items: integer }',
    [[], [1, 2]],
    [
      [[1, 'x'], 'it[1]: must be an integer'],
      [1, 'it: must be a list'],
    ],
  ],
  ['{ type: array }', [[1, 'x', null]], [[{}, 'it: must be a list']]],
  ['{ type: map, values: boolean }', [{ a: true }], [[{ a: true, b: 1 }, 'it.b: must be true or false']]],
  [
    '{ type: object, fields: { a: integer, b: string? } }',
    [{}, { a: 1 }, { a: 1, b: null }],
    [
      [{ a: null }, 'it.a: must not be null'],
      [{ c: 1 }, 'it.c: is not a field'],
      [[], 'it: must be a map'],
    ],
  ],
  [
    '{ type: object, fields: { a: integer }, open: true }',
    [{ a: 1, c: [1] }],
    [[{ a: 'x' }, 'it.a: must be an integer']],
  ],
  ['{ one_of: [integer, { enum: [all] }] }', [7, 'all'], [['none', 'it: is of none of the types it may have']]],
  ['{ one_of: [integer, string?] }', [null, 1], [[true, 'it: is of none of the types it may have']]],
  [
    'label',
    ['ab', 'abc'],
    [
      ['a', 'it: has less than 2'],
      ['abcd', 'it: has more than 3'],
    ],
  ],
  ['letters', ['aa'], [['ab', 'it: does not match ^a+$']]],
  [
    'digit',
    [0, 9],
    [
      [-1, 'it: must be at least 0'],
      [10, 'it: must be at most 9'],
    ],
  ],
  ['mail', ['a@b'], [['a', 'it: is not a valid email address']]],
  ['address', [{ street: 'Dam 1' }], [[{ town: 1 }, 'it.town: must be text']]],
  ['address?', [null, {}], [[1, 'it: must be a map']]],
  ['{ type: array, items: digit }', [[1]], [[[1, 10], 'it[1]: must be at most 9']]],
  ['{ type: array, items: address }', [[{ street: 'x' }]], [[[{ street: 1 }], 'it[0].street: must be text']]],
])('%s', (written, takes, not) => {
  const schema = typeOf(written, TYPES);
  for (const value of takes) expect([value, wrongWith(schema, value)]).toEqual([value, undefined]);
  for (const [value, message] of not) expect(wrongWith(schema, value)).toContain(message);
});

test('timestamps are Unix seconds where the pack says so', () => {
  const schema = typeOf('timestamp', { 'pack.yaml': 'timestamps: unix\n' });
  expect([wrongWith(schema, 1_700_000_000, 'unix'), wrongWith(schema, 1.5, 'unix')]).toEqual([
    undefined,
    'it: must be a time in Unix seconds',
  ]);
});

test.each<[string, string]>([
  ['strng', "unknown-type: unknown type 'strng' -> string"],
  ['adress', "unknown-type: unknown type 'adress' -> address"],
  ['{ ref: thng }', "unknown-resource: unknown resource 'thng' -> thing"],
  ['{ values_of: size.name }', "unknown-table: unknown table 'size' -> sizes"],
  ['{ values_of: sizes.nam }', "unknown-column: unknown column 'nam' -> name"],
  ['{ ref: [thing, thng] }', "unknown-resource: unknown resource 'thng' -> thing"],
  ['{ type: array, items: { type: intger } }', "unknown-type: unknown type 'intger' -> integer"],
])('%s is told with what was meant', (written, told) => {
  expect(problemsOf(linked(resourceWith(`field: ${written}`, TYPES)))).toEqual([told]);
});

test('a type that contains itself is told, and does not hang', () => {
  const types = 'tree: { type: object, fields: { left: tree, right: tree? } }\n';
  const told = problemsOf(linked(resourceWith('field: tree', { 'types.yaml': types })));
  expect(new Set(told)).toEqual(new Set(["recursive-type: type 'tree' contains itself"]));
});

test('only a nullable type takes null, however deep and however it is written', () => {
  const scalars = fc.constantFrom('string', 'integer', 'boolean', 'map', 'address', 'timestamp');
  fc.assert(
    fc.property(scalars, fc.boolean(), fc.boolean(), (type, marked, listed) => {
      const written = marked ? `${type}?` : type;
      const schema = typeOf(listed ? `{ type: array, items: ${written} }` : `{ type: "${written}" }`, TYPES);
      expect(wrongWith(schema, listed ? [null] : null) === undefined).toBe(marked);
    }),
    { numRuns: 24 },
  );
});

test('a format that the pack does not have is told', () => {
  const types = TYPES['types.yaml'].replace('format: email', 'format: emial');
  expect(problemsOf(linked(resourceWith('field: mail', { ...TYPES, 'types.yaml': types })))).toEqual([
    "unknown-format: unknown format 'emial' -> email",
  ]);
});
