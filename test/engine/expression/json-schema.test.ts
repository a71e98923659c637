import { type Json, type JsonObject, jsonSchemaProblem, schemaProblems } from '../../../engine/values/index.js';
import { pathText } from '../../../engine/values/json-schema.js';
import { synthesize } from '../../../engine/values/synthesis.js';

const INVOICE: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['number', 'lines'],
  properties: {
    number: { type: 'string', pattern: '^INV-[0-9]{6}$' },
    total: { type: 'number', minimum: 0 },
    state: { enum: ['open', 'paid'] },
    due: { type: 'string', format: 'date' },
    buyer: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 3 } } },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/$defs/line' } },
  },
  $defs: { line: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } } },
};

function told(schema: Json, value: Json): string[] {
  return schemaProblems(schema, value).map(({ path, message }) => `${pathText('in', path)}: ${message}`);
}

test('problems stand at the member they are about', () => {
  expect(told(INVOICE, { number: 'x', state: 'lost', lines: [{}, { sku: 1 }], extra: true })).toEqual([
    'in.extra: The value is not allowed.',
    'in.number: The value must match pattern "^INV-[0-9]{6}$".',
    'in.state: The value must be one of: open, paid.',
    'in.lines[0].sku: The value is required.',
    'in.lines[1].sku: The value must be string.',
  ]);
});

test('alternatives are told as one problem', () => {
  const either: Json = { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] };
  expect(told(either, 1)).toEqual(['in: The value must match a schema in anyOf.']);
  const named: Json = { propertyNames: { pattern: '^[a-z]+$' } };
  expect(told(named, { Up: 1 })).toEqual(['in.Up: The value has a name that is not allowed.']);
});

test.each<[string, JsonObject]>([
  ['the newest draft', {}],
  ['draft 2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema' }],
  ['draft 07', { $schema: 'http://json-schema.org/draft-07/schema#' }],
  ['a mixed style', { items: [{ type: 'string' }], additionalItems: false }],
])('keywords of all drafts hold in %s', (_what, style) => {
  const dependent: Json = { ...style, dependentRequired: { a: ['b'] } };
  expect(told(dependent, { a: 1 })).toEqual(['in.b: The value is required.']);
  expect(told(dependent, { b: 1 })).toEqual([]);
  const counted: Json = { ...style, contains: { const: 1 }, minContains: 2 };
  expect(told(counted, [1])).toContain('in: The value must contain at least 2 valid item(s).');
  const closed: Json = { ...style, allOf: [{ properties: { a: {} } }], unevaluatedProperties: false };
  expect(told(closed, { a: 1, b: 2 })).toEqual(['in.b: The value is not allowed.']);
});

test.each<[string, Json, boolean]>([
  ['an empty map', {}, true],
  ['unknown keywords', { type: 'string', nullable: true, 'x-note': 1 }, true],
  ['a tuple of draft 07', { type: 'array', items: [{ type: 'string' }] }, true],
  ['a tuple of draft 2020-12', { prefixItems: [{ type: 'string' }] }, true],
  ['a named draft', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' }, true],
  ['one id twice', { $id: 'https://example.com/a', type: 'string' }, true],
  ['the same id again', { $id: 'https://example.com/a', type: 'integer' }, true],
  ['text', 'string', false],
  ['an unknown type', { type: 'text' }, false],
  ['a broken pattern', { pattern: '(' }, false],
  ['a reference that leads elsewhere', { $ref: 'https://example.com/else' }, false],
  ['an asynchronous schema', { $async: true }, false],
])('%s: a schema or none', (_what, schema, valid) => {
  expect(jsonSchemaProblem(schema) === undefined).toBe(valid);
});

describe('synthesize()', () => {
  test('makes valid values, the same for the same seed', () => {
    for (let seed = 0; seed < 50; seed++) {
      const made = synthesize(INVOICE, seed, null);
      expect(told(INVOICE, made)).toEqual([]);
      expect(made).toEqual(synthesize(INVOICE, seed, null));
      expect(Object.keys(made as object)).toEqual(['number', 'total', 'state', 'due', 'buyer', 'lines']);
    }
    expect(synthesize(INVOICE, 1, null)).not.toEqual(synthesize(INVOICE, 2, null));
  });

  test('takes over what hints fit', () => {
    const made = synthesize(INVOICE, 1, { number: 'INV-000007', name: 'Ann', state: 'lost', other: 1 });
    expect(made).toMatchObject({ number: 'INV-000007', buyer: { name: 'Ann' } });
    expect(made).not.toHaveProperty('other');
    expect((made as { state: string }).state).not.toBe('lost');
  });

  test('gives an empty object without a schema and fails when nothing fits', () => {
    expect(synthesize({}, 1, null)).toEqual({});
    expect(synthesize(null, 1, { a: 1 })).toEqual({});
    expect(() => synthesize({ type: 'string', not: { type: 'string' } }, 1, null)).toThrow(/found no value that fits/);
  });
});

test('a schema may refer to itself, and another one may have its name', () => {
  const tree = (kind: string): Json => ({
    $id: 'https://example.com/tree',
    type: 'object',
    required: ['name'],
    properties: { name: { type: kind }, children: { type: 'array', items: { $ref: '#' } } },
  });
  const value = { name: 'a', children: [{ name: 1 }] };
  expect(told(tree('string'), value)).toEqual(['in.children[0].name: The value must be string.']);
  expect(told(tree('integer'), value)).toEqual(['in.name: The value must be integer.']);
  expect(jsonSchemaProblem(tree('bread'))).toBeDefined();
  expect(told(tree('number'), { name: 1.5 })).toEqual([]);
  for (const seed of [1, 2, 3]) {
    expect(told(tree('string'), synthesize(tree('string'), seed, null))).toEqual([]);
    const list: Json = {
      type: 'object',
      properties: { next: { $ref: '#' }, before: { $ref: '#' }, at: { type: 'integer' } },
    };
    expect(told(list, synthesize(list, seed, null))).toEqual([]);
  }
});

test.each<[string, Json]>([
  ['of an alternative', { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] }],
  ['of an alternative behind it', { oneOf: [{ type: 'null' }, { $ref: '#/$defs/node' }] }],
  ['of the second of three', { anyOf: [{ $ref: '#/$defs/node' }, { type: 'integer' }, { type: 'null' }] }],
])('a schema that has to refer to itself ends by way %s', (_, next) => {
  const node: Json = { type: 'object', required: ['v', 'next'], properties: { v: { type: 'string' }, next } };
  const list: Json = { $ref: '#/$defs/node', $defs: { node } };
  for (const seed of [1, 2, 3]) expect(told(list, synthesize(list, seed, null))).toEqual([]);
});

test('what nests deep is made to the bottom', () => {
  const leaf: Json = { type: 'string', pattern: '^[A-Z]{3}$' };
  const deep = Array.from({ length: 20 }).reduce<Json>(
    (inner) => ({ allOf: [{ type: 'object', required: ['in'], properties: { in: inner } }] }),
    leaf,
  );
  expect(told(deep, synthesize(deep, 1, null))).toEqual([]);
});
