import type { Json, JsonObject } from '../../../engine/values/index.js';
import { blank, completed, hasTemplate, neutral, publicValue } from '../../../engine/model/index.js';
import { resourceOf, typeOf, wrongWith } from './linked-model.js';

test.each<[written: string, neutral: Json | undefined, blank: Json]>([
  ['string', undefined, ''],
  ['string?', null, null],
  ['integer', undefined, 0],
  ['boolean', undefined, false],
  ['timestamp', undefined, null],
  ['map', {}, {}],
  ['json_schema', {}, {}],
  ['{ type: array, items: integer }', [], []],
  ['{ const: order }', 'order', 'order'],
  ['{ enum: [low, high] }', undefined, 'low'],
  ['{ type: integer, default: 7 }', 7, 7],
  ['{ type: string, default: "${now}" }', undefined, ''],
  ['{ type: string, optional: true }', null, null],
  ['{ type: object, fields: { a: string?, b: { const: 1 } } }', { a: null, b: 1 }, { a: null, b: 1 }],
  ['{ type: object, fields: { a: string?, b: integer } }', undefined, { a: null, b: 0 }],
])('%s: %j where nothing decides it, %j where it must be something', (written, expected, filled) => {
  const schema = typeOf(written);
  expect(neutral(schema)).toEqual(expected);
  expect(blank(schema)).toEqual(filled);
});

test('a blank value fits its type', () => {
  for (const written of ['string', 'integer?', 'map', '{ enum: [a] }', '{ type: object, fields: { a: integer } }']) {
    const schema = typeOf(written);
    expect([written, wrongWith(schema, blank(schema))]).toEqual([written, undefined]);
  }
});

test('a completed object has every stored field, in the order of its schema, and keeps what it had', () => {
  const { schema } = resourceOf(`
name: string
size: { type: object, fields: { width: integer, unit: { type: string, default: cm } } }
label: { type: string, view: "\${self.name}" }
note: string?`);
  const made = completed(schema, { note: 'n', id: 'thing_1', size: { width: 3 } });
  expect(made).toEqual({ id: 'thing_1', name: '', size: { width: 3, unit: 'cm' }, note: 'n' });
  expect(Object.keys(made)).toEqual(['id', 'name', 'size', 'note']);
});

test('an open object keeps further keys behind its fields', () => {
  const schema = typeOf('{ type: object, fields: { a: integer }, open: true }');
  if (schema.kind !== 'object') throw new Error(schema.kind);
  expect(Object.entries(completed(schema, { z: 1, a: 2 }))).toEqual([
    ['a', 2],
    ['z', 1],
  ]);
});

test.each<[Json, boolean]>([
  ['a ${b} c', true],
  ['a $b {c}', false],
  [[1, { a: ['${x}'] }], true],
  [{ '${key}': 1 }, false],
  [null, false],
])('%j holds an expression: %j', (value, holds) => {
  expect(hasTemplate(value)).toBe(holds);
});

describe('what tests see of an object', () => {
  const FIELDS = `
name: string
secret: { type: string, hidden: true }
trace: { type: string, internal: true }
card: { type: object, fields: { last4: string, number: { type: string, hidden: true } } }
cards: { type: array, items: { type: object, fields: { last4: string, number: { type: string, hidden: true } } } }`;
  const VALUE: JsonObject = {
    id: 'thing_1',
    name: 'n',
    secret: 's',
    trace: 't',
    card: { last4: '4242', number: '4242424242424242' },
    cards: [{ last4: '1', number: '2' }],
  };

  test('secrets are left out, also inside; what is internal is there', () => {
    expect(publicValue(resourceOf(FIELDS), VALUE)).toEqual({
      id: 'thing_1',
      name: 'n',
      trace: 't',
      card: { last4: '4242' },
      cards: [{ last4: '1' }],
    });
  });

  test('the object itself stays as it is', () => {
    const before = structuredClone(VALUE);
    publicValue(resourceOf(FIELDS), VALUE);
    expect(VALUE).toEqual(before);
  });

  test('nulls and lists where an object could be are kept', () => {
    expect(publicValue(resourceOf(FIELDS), { id: 'x', card: null, cards: [null] })).toEqual({
      id: 'x',
      card: null,
      cards: [null],
    });
  });

  test('an object without secrets is shown as it is stored', () => {
    const value = { id: 'thing_1', name: 'n' };
    expect(publicValue(resourceOf('name: string'), value)).toEqual(value);
  });
});
