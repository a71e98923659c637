import type { Json, JsonObject } from '../../../engine/values/index.js';
import {
  misfit,
  type Model,
  parseSchema,
  type SourceLocation,
  rulesOf,
  type Schema,
  schemaAt,
  type TypeFile,
  visitSchema,
} from '../../../engine/model/index.js';
import { inspect, problemsOf } from '../../support/pack-world.js';

const FILES = {
  'pack.yaml': 'formats: { mail: { title: mail address, pattern: "^[^@]+@[^@]+$" } }\n',
  'types.yaml': `note: { type: string, max_length: 5, unset: true, default: none }
crust: { type: object, fields: { flour: string, salt: integer? } }
tags: { type: map, values: { type: string, max_length: 3 }, max: 2, max_length: 4, update: merge }
`,
  'resources/bread.yaml': `resource: bread
collection: breads
fields: { name: { type: string, default: rye } }
operations: { retrieve: {} }
`,
};

let model: Model;
let place: SourceLocation;

beforeAll(() => {
  const { pack, problems } = inspect(FILES);
  if (!pack) throw new Error(JSON.stringify(problems));
  ({ model } = pack);
  const [bread] = model.resources;
  ({ place } = bread);
});

function parse(file: TypeFile): Schema {
  return parseSchema(file, place, model.context);
}

/** What a schema says, without what every schema has and what is not said. */
function told(schema: Schema): JsonObject {
  const hidden = new Set(['expr', 'place']);
  const plain = (value: unknown): Json => {
    if (
      value instanceof RegExp ||
      (typeof value === 'object' && value !== null && 'test' in value && 'source' in value)
    )
      return String(value.source);
    if (value instanceof Map)
      return Object.fromEntries([...(value as Map<string, unknown>)].map(([key, each]) => [key, plain(each)]));
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value as Json;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, each]) => !hidden.has(key) && each !== undefined && each !== false)
        .map(([key, each]) => [key, plain(each)]),
    );
  };
  return plain(schema) as JsonObject;
}

describe('a type says what kind it is, and only what its kind has', () => {
  test.each<[TypeFile, JsonObject]>([
    ['string', { kind: 'string' }],
    ['integer?', { kind: 'integer', nullable: true }],
    ['any', { kind: 'any', nullable: true }],
    ['timestamp', { kind: 'timestamp' }],
    [{ type: 'map' }, { kind: 'map' }],
    [{ type: 'object', open: true }, { kind: 'map' }],
    [
      { type: 'object?', fields: { a: 'string' }, open: true },
      { kind: 'object', nullable: true, fields: { a: { kind: 'string' } }, open: true },
    ],
    [{ type: 'array' }, { kind: 'array', items: { kind: 'any', nullable: true } }],
    [
      { items: 'boolean', min: 1, max: 3 },
      { kind: 'array', items: { kind: 'boolean' }, min: 1, max: 3 },
    ],
    [{ enum: ['a', 2] }, { kind: 'enum', values: ['a', '2'] }],
    [{ const: null }, { kind: 'const', constant: null, nullable: true }],
    [
      { ref: 'bread', nullable: true },
      { kind: 'ref', refs: ['bread'], nullable: true },
    ],
    [
      { one_of: ['string', 'integer?'] },
      { kind: 'one_of', nullable: true, options: [{ kind: 'string' }, { kind: 'integer', nullable: true }] },
    ],
    [
      { type: 'number', min: 1, clamp: true },
      { kind: 'number', min: 1, clamp: true },
    ],
    [
      { type: 'string', pattern: '^a', format: 'mail', min: 1, required: true },
      {
        kind: 'string',
        pattern: '^a',
        format: { name: 'mail', title: 'mail address', pattern: '^[^@]+@[^@]+$' },
        min: 1,
        required: true,
      },
    ],
    [
      { type: 'string', internal: true },
      { kind: 'string', internal: true, hidden: true },
    ],
    [{ view: '${self.id}' }, { kind: 'string', view: '${self.id}' }],
    [
      { one_of: ['string', 'integer'], max: 9, max_length: 3 },
      { kind: 'one_of', options: [{ kind: 'string' }, { kind: 'integer' }] },
    ],
  ])('%j', (file, expected) => {
    const { nullable, ...rest } = told(parse(file));
    expect({ ...rest, ...(nullable === true && { nullable }) }).toEqual(expected);
  });
});

test('a named type brings its rules and attributes; what stands beside its name goes before', () => {
  expect(told(parse('note?'))).toEqual({ kind: 'string', nullable: true, max_length: 5, unset: true, default: 'none' });
  expect(told(parse({ type: 'note', unset: false, default: null, min: 2 }))).toEqual({
    kind: 'string',
    max_length: 5,
    min: 2,
    default: null,
  });
  expect(told(parse({ type: 'tags', max: 9 }))).toEqual({
    kind: 'map',
    of: { kind: 'string', max_length: 3 },
    max: 9,
    max_length: 4,
    merge: true,
  });
  expect(told(parse({ type: 'crust', open: true }))).toMatchObject({ kind: 'object', open: true });
});

test('rules are those of the kind', () => {
  expect(rulesOf(parse({ type: 'note', pattern: '^x' }))).toEqual({ max_length: 5, pattern: /^x/u });
  expect(rulesOf(parse({ type: 'integer', max: 3, clamp: true }))).toEqual({ max: 3, clamp: true });
  expect(rulesOf(parse('tags'))).toEqual({ max: 2, max_length: 4 });
  expect(rulesOf(parse('crust'))).toEqual({});
});

test('a path leads through objects and the values of maps', () => {
  const schema = parse({ type: 'object', fields: { crust: 'crust', tags: 'tags', layers: { items: 'crust' } } });
  expect(schemaAt(schema, ['crust', 'salt'])?.kind).toBe('integer');
  expect(schemaAt(schema, ['tags', 'anything'])?.kind).toBe('string');
  expect(schemaAt(schema, ['layers', 'salt'])).toBeUndefined();
  expect(schemaAt(schema, ['crust', 'sugar', 'more'])).toBeUndefined();
  expect(schemaAt(schema, [])).toBe(schema);
});

test('a visit sees a schema and everything inside it once', () => {
  const schema = parse({
    type: 'object',
    fields: { a: { items: 'crust' }, b: 'tags', c: { one_of: ['string', 'boolean'] } },
  });
  const seen = new Set<Schema>();
  const kinds: string[] = [];
  for (let i = 0; i < 2; i++) visitSchema(schema, ({ kind }) => kinds.push(kind), seen);
  expect(kinds).toEqual([
    'object',
    'array',
    'object',
    'string',
    'integer',
    'map',
    'string',
    'one_of',
    'string',
    'boolean',
  ]);
});

describe('a value fits its type or the first misfit is told', () => {
  const crusts: TypeFile = { items: 'crust' };
  const label: TypeFile = { type: 'string', min: 2, max_length: 4, pattern: '^[a-z]+$' };
  test.each<[TypeFile, Json, string | undefined]>([
    ['string', 'a', undefined],
    ['string', 1, 'x must be text'],
    ['string', null, 'x must not be null'],
    ['string?', null, undefined],
    [{ type: 'string', optional: true }, null, undefined],
    [label, 'abc', undefined],
    [label, 'a', 'x has less than 2 characters'],
    [label, 'abcde', 'x has more than 4 characters'],
    [label, 'ab1', 'x does not match ^[a-z]+$'],
    [{ type: 'string', format: 'mail' }, 'me', 'x is not a valid mail address'],
    [{ ref: 'bread' }, 7, 'x must be text'],
    [{ enum: ['a', 'b'] }, 'b', undefined],
    [{ enum: ['a', 'b'] }, 'c', "x must be one of a, b, not 'c'"],
    [{ const: { a: 1 } }, { a: 1 }, undefined],
    [{ const: 'a' }, 'b', 'x must be "a"'],
    ['integer', 1.5, 'x must be an integer'],
    ['integer', 2 ** 53, 'x must be an integer'],
    ['number', '1', 'x must be a number'],
    [{ type: 'integer', min: 1, max: 3 }, 0, 'x must be at least 1'],
    [{ type: 'number', min: 1, max: 3 }, 3.5, 'x must be at most 3'],
    ['boolean', 0, 'x must be true or false'],
    ['timestamp', '2026-01-01T00:00:00Z', undefined],
    ['timestamp', 5, 'x must be an ISO 8601 time'],
    ['json_schema', { type: 'string' }, undefined],
    ['json_schema', { type: 'bread' }, 'x must be a JSON Schema: '],
    ['any', { deep: [1] }, undefined],
    ['map', [], 'x must be a map'],
    ['map', { any: [1] }, undefined],
    ['tags', { a: 'abc', b: 'abcd' }, 'x.b has more than 3 characters'],
    [{ type: 'array', items: 'integer', min: 1, max: 2 }, [], 'x has less than 1 items'],
    [{ type: 'array', items: 'integer', min: 1, max: 2 }, [1, 2, 3], 'x has more than 2 items'],
    [{ type: 'map', max: 1 }, { a: 1, b: 2 }, 'x has more than 1 keys'],
    [{ type: 'number', decimals: 2 }, 0.29, undefined],
    [{ type: 'number', decimals: 2 }, 1e21, undefined],
    [{ type: 'number', decimals: 2 }, 1.005, 'x has more than 2 decimals'],
    [{ type: 'number', decimals: 2 }, 1e-7, 'x has more than 2 decimals'],
    [{ type: 'map', max_length: 3 }, { abcd: 1 }, 'x.abcd has more than 3 characters in its name'],
    ['crust', {}, undefined],
    ['crust', 'rye', 'x must be a map'],
    ['crust', { sugar: 1 }, 'x.sugar is not a field'],
    [{ type: 'object', fields: { a: 'string' }, open: true }, { b: 1 }, undefined],
    [crusts, { salt: 1 }, 'x must be a list'],
    [crusts, [{ salt: 1 }, { flour: null }], 'x[1].flour must not be null'],
    [{ one_of: ['integer', 'crust'] }, { flour: 'rye' }, undefined],
    [{ one_of: ['integer', 'crust'] }, 'rye', 'x is of none of the types it may have'],
  ])('%j %j', (file, value, expected) => {
    const found = misfit(parse(file), value, 'x', 'iso8601');
    const message = found && `${found.path} ${found.message}`;
    if (expected === undefined) expect(message).toBeUndefined();
    else expect(message?.startsWith(expected)).toBe(true);
  });
});

test('times are whole seconds where the pack counts Unix seconds', () => {
  expect(misfit(parse('timestamp'), 5, 'x', 'unix')).toBeUndefined();
  expect(misfit(parse('timestamp'), '2026-01-01T00:00:00Z', 'x', 'unix')?.message).toContain('Unix seconds');
});

describe('rules that a type cannot obey are told where they stand', () => {
  test.each([
    ['{ type: string, max: 3 }', 'wrong-type', 'only numbers, lists and maps have bounds; this is a string'],
    ['{ type: boolean, min: 3 }', 'wrong-type', 'only numbers, lists and maps have bounds'],
    ['{ type: integer, max_length: 3 }', 'wrong-type', 'only text has a max length'],
    ['{ type: integer, decimals: 2 }', 'wrong-type', 'only numbers have decimals; this is a whole number'],
    ['{ type: string, decimals: 2 }', 'wrong-type', 'only numbers have decimals; this is a string'],
    ['{ type: boolean, pattern: x }', 'wrong-type', 'only text has a pattern'],
    ['{ type: integer, min: 3, max: 2 }', 'invalid-value', 'the least value 3 is above the greatest 2'],
    ['{ type: integer, clamp: true }', 'no-bounds', 'there is no bound'],
    ['{ type: string, format: mial }', 'unknown-format', "unknown format 'mial'"],
  ])('%s', (type, code, message) => {
    const found = problemsOf({ ...FILES, 'types.yaml': `${FILES['types.yaml']}odd: ${type}\n`, ...USE_OF_ODD });
    expect(found).toEqual([expect.stringContaining(`${code} types.yaml:4 ${message}`)]);
  });
});

const USE_OF_ODD = {
  'resources/bread.yaml': FILES['resources/bread.yaml'].replace('fields: {', 'fields: { odd: odd,'),
};
