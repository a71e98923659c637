import type { Json } from '../../engine/values/index.js';
import { formDifferences, formOfValue, RecordedForms } from '../../tools/develop/tells/forms.js';

/** By what an agent could tell a response from a recorded one: members, forms of values, order. */

const signs = (recorded: Json, ours: Json, others: readonly Json[] = []) => {
  const known = new RecordedForms();
  for (const each of [recorded, ...others]) known.add(each);
  return [...formDifferences(recorded, ours, known, true)].map(({ kind, path }) => `${kind} ${path}`);
};

test.each<[Json, string]>([
  ['pi_3MtwBwLkdIwHu7ix28a3tqPa', 'pi_ and 24 of 0-9A-Za-z'],
  ['AC0123456789abcdef0123456789abcdef', 'AC and 32 of 0-9a-f'],
  ['2025-11-30 20:41:40.842161+00', 'time 0000-00-00 00:00:00.000000+00'],
  ['2025-05-19T21:24:04Z', 'time 0000-00-00T00:00:00Z'],
  ['Thu, 30 Jul 2015 20:00:00 +0000', 'time Aaa, 00 Aaa 0000 00:00:00 +0000'],
  ['0e054c0b-7ea1-5b35-a069-cbcbfcc8a481', 'uuid'],
  ['https://files.slack.com/upload/v1/x', 'https://*.slack.com'],
  ['A text', 'text'],
  [1_774_963_707, 'seconds'],
  [3, 'number'],
  [null, 'null'],
])('the form of %j', (value, form) => {
  expect(formOfValue(value)).toBe(form);
});

test('members on one side only, other forms and another order are found at any depth', () => {
  const recorded = { id: 'cus_Aa1Bb2Cc3Dd4Ee', items: [{ a: 1, b: '2025-01-01T00:00:00Z', c: null }] };
  expect(signs(recorded, { id: 'cus_Aa1Bb2', items: [{ b: '2025-01-01T00:00:00.000Z', a: 2, d: 1 }] })).toEqual([
    'form id',
    'form items.*.b',
    'missing items.*.c',
    'more items.*.d',
    'order items.*.{a}',
  ]);
});

test('what another recording shows too is none', () => {
  const others = [{ b: 2, a: null, d: 'x' }];
  expect(signs({ a: 1, b: 2, c: 3 }, { b: 2, a: null, d: 'y' }, others)).toEqual([]);
});
