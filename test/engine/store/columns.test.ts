import fc from 'fast-check';
import { packed, unpackedColumns } from '../../../engine/store/columns.js';

/** What is packed into columns is the same JSON afterwards, text for text. */

const through = (values: readonly object[]): unknown =>
  unpackedColumns(JSON.parse(JSON.stringify(packed(values))) as ReturnType<typeof packed>);

test('values of any shape come back as they were, with the order of their keys', () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', '1', '0', '__proto__', 'op'), fc.string({ maxLength: 3 }));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 0, -1, 1.5, '', 'text', 'x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  const change = fc.record({ op: fc.constantFrom('put', 'delete'), collection: fc.constantFrom('a', 'b'), value });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (values) => {
      // Only what JSON holds is packed.
      const plain = JSON.parse(JSON.stringify(values)) as object[];
      expect(JSON.stringify(through(plain))).toBe(JSON.stringify(plain));
    }),
    { numRuns: 500 },
  );
});

test('keys without values are left out, as JSON does', () => {
  const values = [
    { a: 1, b: undefined, c: { d: undefined } },
    { a: 2, c: { d: 3 } },
    { a: 2, b: undefined, c: { d: {} } },
  ];
  expect(JSON.stringify(through(values))).toBe(JSON.stringify(values));
});

test('what is the same in many values stands once', () => {
  const values = Array.from({ length: 1000 }, (_, n) => ({
    op: 'put',
    id: `object_${n}`,
    value: { id: `object_${n}`, text: 'the same', list: [1, 2, 3], inner: { n, same: { far: 'down' } } },
  }));
  expect(through(values)).toEqual(values);
  expect(JSON.stringify(packed(values)).length).toBeLessThan(JSON.stringify(values).length / 3);
});
