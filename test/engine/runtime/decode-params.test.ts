import type { Json, JsonObject } from '../../../engine/values/index.js';
import { parseFields, type Schema, type TypeFile } from '../../../engine/model/index.js';
import { decodeParams } from '../../../engine/runtime/params.js';
import { type ParamContext } from '../../../engine/runtime/param-errors.js';
import { inspect } from '../../support/pack-world.js';

const FILES = {
  'pack.yaml': 'formats: { mail: { title: mail address, pattern: "^[^@]+@[^@]+$" } }\n',
  'types.yaml': 'tags: { type: map, values: { type: string, max_length: 3 }, max: 2, max_length: 4, update: merge }\n',
  'resources/bread.yaml':
    'resource: bread\ncollection: breads\nfields: { name: { type: string, default: rye } }\noperations: { retrieve: {} }\n',
};

const CONTEXT: ParamContext = {
  text: false,
  time: 'unix',
  rejectUnknown: true,
  longestText: null,
  singleValues: null,
  suggest: (word, known) => [...known].find((each) => each.startsWith(word)),
  listAsMap: () => undefined,
  resolve: (refs, id, param) =>
    id.startsWith('x') ? { error: 'not_found', args: { resource: refs.join(' or '), param } } : id.toUpperCase(),
  object: () => undefined,
  hasSwitch: () => false,
};

let read: (files: Readonly<Record<string, TypeFile>>) => ReadonlyMap<string, Schema>;

beforeAll(() => {
  const { pack, problems } = inspect(FILES);
  if (!pack) throw new Error(JSON.stringify(problems));
  const { context, resources } = pack.model;
  read = (files) => parseFields(files, resources[0].place, context);
});

/** What a parameter `p` of a type becomes, or the errors with what they say. */
function decoded(type: TypeFile, given: Json, context: Partial<ParamContext> = {}): unknown {
  const { params, problems } = decodeParams(read({ p: type }), { p: given }, { ...CONTEXT, ...context });
  return problems.length === 0 ? params['p'] : problems.map(({ error, args }) => ({ error, ...args }));
}

const name: TypeFile = { type: 'string', min: 2, max_length: 4 };
const crust: TypeFile = { type: 'object', fields: { flour: { type: 'string', required: true }, salt: 'integer' } };

test.each<[TypeFile, Json, Json]>([
  ['any', { a: [1] }, { a: [1] }],
  [name, 'rye', 'rye'],
  [{ enum: ['a', 'b'] }, 'b', 'b'],
  [{ const: 1 }, '1', 1],
  ['integer', 3, 3],
  [{ type: 'integer', min: 1, max: 5, clamp: true }, 9, 5],
  [{ type: 'integer', min: 1, max: 5, clamp: 'max' }, 9, 5],
  [{ type: 'integer', min: 1, max: 5, clamp: 'min' }, -9, 1],
  ['boolean', false, false],
  ['timestamp', 1_700_000_000, 1_700_000_000],
  [{ ref: 'bread' }, 'b1', 'B1'],
  [crust, { flour: 'rye' }, { flour: 'rye' }],
  [{ type: 'object', fields: { a: 'string' }, open: true }, { b: 1 }, { b: 1 }],
  ['map', { any: [1] }, { any: [1] }],
  ['tags', { a: null, b: '' }, { a: null, b: '' }],
  [{ items: 'integer' }, [1, 2], [1, 2]],
  [{ one_of: ['integer', crust] }, { flour: 'rye' }, { flour: 'rye' }],
  ['string?', null, null],
  [{ type: 'string', unset: true }, null, null],
])('%j takes %j', (type, given, expected) => {
  expect(decoded(type, given)).toEqual(expected);
});

test.each<[TypeFile, Json, JsonObject]>([
  ['string', 7, { error: 'parameter_invalid_string', kind: 'string', value: '7' }],
  ['string', null, { error: 'parameter_invalid_string', kind: 'string', value: 'null' }],
  [name, 'a', { error: 'parameter_below_minimum', limit: 2, value: 'a' }],
  [name, '', { error: 'parameter_empty', limit: 2, value: '' }],
  [name, 'abcde', { error: 'parameter_too_long', limit: 4, value: 'abcde' }],
  [
    { type: 'string', pattern: '^a' },
    'b',
    { error: 'parameter_invalid_format', kind: 'format', value: 'b', format: '^a' },
  ],
  [
    { type: 'string', format: 'mail' },
    'b',
    { error: 'parameter_invalid_format', kind: 'format', value: 'b', format: 'mail address' },
  ],
  [{ enum: ['a', 'b'] }, 'c', { error: 'parameter_invalid_enum', kind: 'enum', value: 'c', values: ['a', 'b'] }],
  [{ const: 1 }, 2, { error: 'parameter_invalid_enum', kind: 'enum', value: '2', values: ['1'] }],
  ['integer', '3', { error: 'parameter_invalid_integer', kind: 'integer', value: '3' }],
  ['number', true, { error: 'parameter_invalid_number', kind: 'number', value: 'true' }],
  [
    { type: 'number', decimals: 2 },
    2.505,
    { error: 'parameter_invalid_format', kind: 'format', value: '2.505', format: 'number with at most 2 decimals' },
  ],
  [{ type: 'number', max: 2 }, 2.5, { error: 'parameter_above_maximum', limit: 2, value: '2.5' }],
  ['boolean', 'true', { error: 'parameter_invalid_boolean', kind: 'boolean', value: 'true' }],
  ['timestamp', 1.5, { error: 'parameter_invalid_timestamp', kind: 'timestamp', value: '1.5' }],
  [{ ref: 'bread' }, 1, { error: 'parameter_invalid_string', kind: 'string', value: '1' }],
  [{ ref: 'bread' }, 'x1', { error: 'not_found', resource: 'bread' }],
  [crust, 'rye', { error: 'parameter_invalid_object', kind: 'object', value: 'rye' }],
  ['map', 'rye', { error: 'parameter_invalid_object', kind: 'object', value: 'rye' }],
  ['tags', { a: 'a', b: 'b', c: 'c' }, { error: 'parameter_too_many', limit: 2, value: '3' }],
  ['json_schema', 1, { error: 'parameter_invalid_object', kind: 'object', value: '1' }],
  ['json_schema', { type: 'bread' }, { error: 'parameter_invalid_json_schema', kind: 'json_schema' }],
  [{ items: 'integer' }, 1, { error: 'parameter_invalid_array', kind: 'array', value: '1' }],
  [{ items: 'integer', min: 1 }, [], { error: 'parameter_empty', limit: 1 }],
  [{ items: 'integer', min: 2 }, [1], { error: 'parameter_below_minimum', limit: 2 }],
  [{ items: 'integer', max: 1 }, [1, 2], { error: 'parameter_too_many', limit: 1 }],
  [{ one_of: ['integer', 'boolean'] }, 'a', { error: 'parameter_invalid_boolean', kind: 'boolean', value: 'a' }],
])('%j refuses %j', (type, given, expected) => {
  expect(decoded(type, given)).toEqual([expect.objectContaining({ param: 'p', ...expected })]);
});

test('a problem inside names its path, as the request would write it', () => {
  const inner = { type: 'object', fields: { list: { items: crust } } };
  const given: Json = { list: [{ flour: 'rye' }, { salt: 'a', sugar: 2 }] };
  expect(decoded(inner, given)).toMatchObject([
    { error: 'parameter_invalid_integer', param: 'p.list.1.salt' },
    { error: 'parameter_unknown', param: 'p.list.1.sugar', suggestion: null },
    { error: 'parameter_missing', param: 'p.list.1.flour' },
  ]);
  expect(decoded(inner, given, { rejectUnknown: false, text: true })).toMatchObject([
    { error: 'parameter_invalid_integer', param: 'p[list][1][salt]' },
    { error: 'parameter_missing', param: 'p[list][1][flour]' },
  ]);
});

test('a text that says nothing of its length has that of the pack', () => {
  const long = { longestText: 3 };
  expect(decoded('string', 'ryes', long)).toMatchObject([{ error: 'parameter_too_long', param: 'p', limit: 3 }]);
  expect(decoded('string', 'rye', long)).toBe('rye');
  expect(decoded(name, 'ryes', long)).toBe('ryes');
  expect(decoded(crust, { flour: 'ryes' }, long)).toMatchObject([{ error: 'parameter_too_long', param: 'p.flour' }]);
  expect(decoded('string', 'ryes')).toBe('ryes');
});

test('so has a text inside of what has no type', () => {
  const long = { longestText: 3, text: true };
  const given = { rye: ['oat', { salt: 'much' }] };
  for (const schema of ['any', { type: 'map' }, { type: 'object', open: true, fields: {} }])
    expect(decoded(schema, given, long)).toMatchObject([
      { error: 'parameter_too_long', param: 'p[rye][1][salt]', limit: 3 },
    ]);
  expect(decoded('any', 'ryes', long)).toMatchObject([{ error: 'parameter_too_long', param: 'p', limit: 3 }]);
  expect(decoded('any', { rye: 'oat' }, long)).toEqual({ rye: 'oat' });
  expect(decoded({ type: 'map', values: { type: 'string', max_length: 9 } }, { rye: 'barley' }, long)).toEqual({
    rye: 'barley',
  });
});

test('text is read by the type of its parameter', () => {
  const text = { text: true };
  expect(decoded('integer', '12', text)).toBe(12);
  expect(decoded('number', '-1.5', text)).toBe(-1.5);
  expect(decoded('boolean', 'true', text)).toBe(true);
  expect(decoded('timestamp', '1700000000', text)).toBe(1_700_000_000);
  expect(decoded('integer', '1e3', text)).toMatchObject([{ error: 'parameter_invalid_integer', value: '1e3' }]);
});

test('empty text clears what can be cleared, and is else no value', () => {
  const text = { text: true };
  expect(decoded({ type: 'integer', unset: true }, '', text)).toBeNull();
  expect(decoded('integer?', '', text)).toBeNull();
  expect(decoded({ type: 'string', min: 0 }, '', text)).toBe('');
  expect(decoded('tags', '', text)).toEqual({});
  expect(decoded('integer', '', text)).toEqual([{ error: 'parameter_empty', param: 'p' }]);
});

test('what was not sent takes its default, or is missing', () => {
  const fields = read({ a: { type: 'string', default: 'x' }, b: { type: 'string', required: true }, c: 'string' });
  expect(decodeParams(fields, {}, CONTEXT)).toEqual({
    params: { a: 'x' },
    problems: [{ error: 'parameter_missing', args: { param: 'b' } }],
  });
});

test('a secret is left out of what its problems tell', () => {
  const given = { type: 'string', max_length: 2, secret: true };
  expect(decoded(given, 'hush')).toEqual([{ error: 'parameter_too_long', param: 'p', limit: 2, value: null }]);
});
