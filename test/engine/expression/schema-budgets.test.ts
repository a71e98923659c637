import {
  type Json,
  patternProblem,
  jsonSchemaProblem,
  schemaProblems,
  textPattern,
} from '../../../engine/values/index.js';
import { synthesisProblem, synthesize } from '../../../engine/values/synthesis.js';
import { LIMITS } from '../../../engine/limits.js';

/** Nothing here may take more of the processor: without budgets it is seconds to hours. */
const MOST_MS = 30_000;

function bounded<T>(run: () => T): T {
  const before = process.cpuUsage();
  const made = run();
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(MOST_MS);
  return made;
}

const text = (pattern: string): Json => ({ type: 'string', pattern });

describe('checking values', () => {
  test.each<[string, Json, Json]>([
    ['^(a+)+$', text('^(a+)+$'), `${'a'.repeat(40)}!`],
    ['^(a|a)*$', text('^(a|a)*$'), `${'a'.repeat(40)}!`],
    ['a*a*a*a*b$', text('a*a*a*a*b$'), 'a'.repeat(3000)],
    [
      'a pattern of names',
      { patternProperties: { '^(a+)+$': false }, minProperties: 2 },
      { [`${'a'.repeat(40)}!`]: 1 },
    ],
    [
      'alternatives in alternatives',
      {
        $defs: {
          t: {
            anyOf: [
              { properties: { a: { $ref: '#/$defs/t' } }, required: ['z'] },
              { properties: { a: { $ref: '#/$defs/t' } }, required: ['z'] },
            ],
          },
        },
        $ref: '#/$defs/t',
      },
      Array.from({ length: 60 }).reduce<Json>((inner) => ({ a: inner }), {}),
    ],
    [
      'many things missing',
      { items: { required: Array.from({ length: 1000 }, (_, n) => `k${n}`) } },
      Array.from({ length: 10_000 }, () => ({})),
    ],
  ])('%s ends', (_what, schema, value) => {
    expect(bounded(() => schemaProblems(schema, value)).length).toBeGreaterThan(0);
  });

  test('20,000 objects are compared in linear time', () => {
    const unique: Json = { type: 'array', uniqueItems: true };
    const items = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    expect(bounded(() => schemaProblems(unique, items))).toEqual([]);
    expect(bounded(() => schemaProblems(unique, [...items, { n: 7 }]))).toHaveLength(1);
    expect(
      schemaProblems(unique, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toHaveLength(1);
  });

  test('the steps of a check at the limit and beyond', () => {
    // An item costs the 2 steps of `items` beside the 2 of the list itself.
    const schema: Json = { items: { type: 'integer' } };
    const items = (count: number): Json => Array.from({ length: count }, () => 1);
    const most = LIMITS.schemaSteps.value - 2;
    expect(bounded(() => schemaProblems(schema, items(most - 1)))).toEqual([]);
    expect(bounded(() => schemaProblems(schema, items(most)))).toEqual([]);
    expect(bounded(() => schemaProblems(schema, items(most + 3)))).toEqual([
      { path: [], message: expect.stringMatching(/steps to check/) },
    ]);
  });
});

describe('schemas that are refused', () => {
  test.each<[string, Json, RegExp]>([
    ['one that is itself', { $ref: '#' }, /refers to itself/],
    [
      'one that is itself in a detour',
      { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
      /refers to itself/,
    ],
    ['a thousand million items', { minItems: 1e9 }, /minItems/],
    ['a thousand million characters', { properties: { a: { minLength: 1e9 } } }, /minLength/],
    ['powers of repetition', text('^((((a{100}){100}){100}){100}){100}$'), /pattern/],
    ['back-references', text('^(a)\\1$'), /refers back/],
    ['a look inside', text('^a(?=b)b$'), /looks around/],
    ['a broken pattern', text('('), /pattern/],
  ])('%s', (_what, schema, why) => {
    expect(bounded(() => jsonSchemaProblem(schema))).toMatch(why);
  });

  test.each([
    ['schemaItems', (n: number): Json => ({ type: 'array', minItems: n }), LIMITS.schemaItems.value],
    ['schemaItems', (n: number): Json => ({ type: 'object', minProperties: n }), LIMITS.schemaItems.value],
    ['schemaLength', (n: number): Json => ({ type: 'string', minLength: n }), LIMITS.schemaLength.value],
    ['schema', (n: number): Json => ({ title: 'x'.repeat(n - '{"title":""}'.length) }), LIMITS.schema.value],
    ['pattern', (n: number): Json => ({ pattern: `a(b|c)${'x'.repeat(n - 6)}` }), LIMITS.pattern.value],
  ])('%s: one less, exactly, one more', (_name, schema, most) => {
    expect(jsonSchemaProblem(schema(most - 1))).toBeUndefined();
    expect(jsonSchemaProblem(schema(most))).toBeUndefined();
    expect(jsonSchemaProblem(schema(most + 1))).toBeDefined();
  });

  test('a schema that refers to itself inside of the value is fine', () => {
    expect(jsonSchemaProblem({ properties: { child: { $ref: '#' } }, items: { $ref: '#' } })).toBeUndefined();
  });
});

describe('patterns', () => {
  test.each<[string, string, boolean]>([
    ['^https?://[^\\s/]+\\S*$', 'http://a\u00a0b', false],
    ['^(?=.*[A-Z])(?=.*\\d)(?!.*x).{8,}$', 'Abcdefg1', true],
    ['^(?=.*[A-Z])(?=.*\\d)(?!.*x).{8,}$', 'Abcdefx1', false],
    ['^(?=.*[A-Z]).{8,}$', 'abcdefgh', false],
    ['^[\\p{Lu}][\\p{Ll}]+$', 'Äpfel', true],
    ['^\\p{Script=Greek}+$', 'αβγ', true],
    ['^[\\s\\S]*$', 'a\nb', true],
    ['^a.b$', 'a\u2028b', false],
    ['^[\\b]$', '\b', true],
    ['^(?<year>\\d{4})(-\\d\\d)?$', '2024-01', true],
  ])('%s: %j', (source, value, matches) => {
    expect(new RegExp(source, 'u').test(value)).toBe(matches);
    expect(patternProblem(source)).toBeUndefined();
    expect(textPattern(source).test(value)).toBe(matches);
  });

  test('an address of a million characters takes no time', () => {
    const pattern = textPattern('^https?://[^\\s/]+\\S*$');
    expect(bounded(() => pattern.test(`http://${'a'.repeat(1_000_000)} b`))).toBe(false);
  });
});

describe('values that are made up', () => {
  const wish = (properties: Record<string, Json>, more: Record<string, Json> = {}): Json => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
    ...more,
  });

  test.each<[string, Json]>([
    ['a default of another type', wish({ a: { type: 'string', default: null } })],
    ['an example of another type', wish({ a: { type: 'integer', examples: ['x'] } })],
    ['ten digits', wish({ a: { type: 'string', pattern: '^\\d+$', minLength: 10, maxLength: 10 } })],
    ['letters of any script', wish({ a: text('^[\\p{Lu}][\\p{Ll}]+$') })],
    ['an anchor', wish({ a: { $ref: '#money' } }, { $defs: { m: { $anchor: 'money', type: 'number' } } })],
    [
      'a reference to an id',
      wish(
        { a: { $ref: 'https://example.com/s#/$defs/m' } },
        { $id: 'https://example.com/s', $defs: { m: { type: 'number' } } },
      ),
    ],
    ['an encoded pointer', wish({ a: { $ref: '#/$defs/a~1b%20c' } }, { $defs: { 'a/b c': { type: 'boolean' } } })],
    [
      'names by a pattern',
      {
        type: 'object',
        patternProperties: { '^x-[a-z]+$': { type: 'integer' } },
        additionalProperties: false,
        minProperties: 3,
      },
    ],
    ['names with a rule', { type: 'object', propertyNames: { pattern: '^[a-z]{3}$' }, minProperties: 2 }],
    ['a list that contains', { type: 'array', contains: { const: 7 }, minItems: 2, items: { type: 'integer' } }],
    ['a list that contains three', { type: 'array', contains: { const: 7 }, minContains: 3 }],
    [
      'a tuple of draft 07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'array',
        items: [{ type: 'string' }, { type: 'integer' }],
        additionalItems: false,
        minItems: 2,
      },
    ],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { const: 2 }], items: false, minItems: 2 }],
    ['parts that add up', { allOf: [wish({ a: { type: 'string' } }), wish({ b: { type: 'integer', minimum: 5 } })] }],
    ['alternatives', { oneOf: [wish({ k: { const: 'a' } }), wish({ k: { const: 'b' }, n: { type: 'number' } })] }],
    [
      'a condition',
      {
        ...(wish({ k: { enum: ['a', 'b'] } }) as object),
        if: { properties: { k: { const: 'a' } } },
        then: { required: ['x'] },
        else: { required: ['y'] },
      },
    ],
    ['what it must not be', { type: 'string', not: { enum: ['amber'] } }],
    [
      'numbers',
      wish({
        a: { type: 'integer', minimum: 5, exclusiveMaximum: 7 },
        b: { type: 'number', multipleOf: 0.25, minimum: 0.3, maximum: 0.6 },
        c: { type: 'integer', multipleOf: 7, minimum: 100 },
      }),
    ],
    ['different items', { type: 'array', uniqueItems: true, minItems: 3, items: { enum: [1, 2, 3] } }],
    [
      'formats',
      wish({
        a: { type: 'string', format: 'uuid' },
        b: { type: 'string', format: 'date-time' },
        c: { type: 'string', format: 'ipv4' },
      }),
    ],
    ['a password', wish({ p: text('^(?=.*[A-Z])(?=.*[0-9])[A-Z0-9]{8,12}$') })],
    [
      'an optional null',
      wish({ a: { type: ['string', 'null'] }, b: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }),
    ],
    ['a text of 100 to 120', wish({ a: { type: 'string', minLength: 100, maxLength: 120 } })],
    ['a text of 2', wish({ email: { type: 'string', maxLength: 2 } })],
    [
      'dependent members',
      { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], dependentRequired: { a: ['b'] } },
    ],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1 }],
    [
      'an optional part that cannot be met',
      { type: 'object', properties: { a: { type: 'integer', minimum: 5, maximum: 1 }, b: { type: 'integer' } } },
    ],
    ['the largest list', { type: 'array', items: { type: 'integer' }, minItems: LIMITS.schemaItems.value }],
    ['the longest text', { type: 'string', minLength: LIMITS.schemaLength.value }],
  ])('%s', (_what, schema) => {
    expect(jsonSchemaProblem(schema)).toBeUndefined();
    for (const seed of [1, 2, 3]) {
      const made = bounded(() => synthesize(schema, seed, null));
      expect(schemaProblems(schema, made)).toEqual([]);
      expect(synthesize(schema, seed, null)).toEqual(made);
    }
  });

  test('one optional member that cannot be met does not take the others along', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', default: null }, b: { type: 'integer' }, c: { not: {} } },
    };
    expect(Object.keys(synthesize(schema, 1, null) as object)).toEqual(['a', 'b']);
  });

  test.each<[string, Json]>([
    ['nothing', { not: {} }],
    ['false', wish({ a: false })],
    ['more than most', wish({ a: { type: 'integer', minimum: 5, maximum: 1 } })],
    ['two types at once', { allOf: [{ type: 'string' }, { type: 'integer' }] }],
    ['no end', { $defs: { n: wish({ next: { $ref: '#/$defs/n' } }) }, $ref: '#/$defs/n' }],
    ['a closed object that needs more', { type: 'object', additionalProperties: false, required: ['a'] }],
    [
      '100,000,000 items in lists of lists',
      { type: 'array', minItems: 10_000, items: { type: 'array', minItems: 10_000 } },
    ],
    ['a lot of text', { type: 'array', minItems: 10_000, items: { type: 'string', minLength: 100_000 } }],
    [
      '2 to the 60th',
      Array.from({ length: 60 }).reduce<Json>(
        (inner) => ({ type: 'object', required: ['a', 'b'], properties: { a: inner, b: inner } }),
        { type: 'integer' },
      ),
    ],
  ])('nothing fits: %s', (_what, schema) => {
    expect(bounded(() => synthesisProblem(schema))).toBeDefined();
    expect(() => synthesize(schema, 1, null)).toThrow(/synthesize\(\)/);
  });

  test('values follow names, formats and the clock', () => {
    const now = Date.UTC(2026, 5, 9, 12);
    const schema = wish({
      email: { type: 'string' },
      website_url: { type: 'string' },
      created_at: { type: 'string', format: 'date-time' },
      currency: { type: 'string' },
      price: { type: 'number' },
    });
    const made = synthesize(schema, 5, null, now) as Record<string, string | number>;
    expect(made['email']).toMatch(/@example\.com$/);
    expect(made['website_url']).toMatch(/^https:\/\//);
    expect(made['currency']).toMatch(/^[a-z]{3}$/);
    const age = now - Date.parse(String(made['created_at']));
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThanOrEqual(31 * 86_400_000);
    expect(Number(made['price'])).toBe(Math.round(Number(made['price']) * 100) / 100);
  });
});

test('made up values follow the names of members and the clock', () => {
  const nowMs = Date.UTC(2026, 5, 9);
  const names = ['created_at', 'year', 'longitude', 'price', 'last4', 'timezone', 'iban', 'email'];
  const of = (type: string): Json => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type }])),
  });
  const month = 31 * 86_400;
  for (let seed = 0; seed < 20; seed++) {
    const numbers = synthesize(of('number'), seed, null, nowMs) as Record<string, number>;
    expect(numbers['created_at']).toBeLessThanOrEqual(nowMs / 1000);
    expect(numbers['created_at']).toBeGreaterThan(nowMs / 1000 - month);
    expect(Math.abs(numbers['longitude'])).toBeLessThanOrEqual(180);
    expect(numbers['year']).toBeLessThanOrEqual(2026);
    expect(synthesize(of('string'), seed, null, nowMs)).toMatchObject({
      created_at: expect.stringMatching(/^2026-0[56]-/),
      price: expect.stringMatching(/^\d+\.\d\d$/),
      last4: expect.stringMatching(/^\d{4}$/),
      timezone: expect.stringContaining('/'),
      iban: expect.stringMatching(/^DE\d{20}$/),
      email: expect.stringContaining('@example.com'),
    });
  }
});
