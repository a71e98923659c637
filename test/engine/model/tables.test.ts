import * as fc from 'fast-check';
import { equal } from '../../../engine/values/index.js';
import { linked, problemsOf } from './linked-model.js';

const TABLE = `table: rooms
key: name
columns: { name: string, floor: integer?, doors: { type: integer, default: 1 }, tags: { type: array, items: string } }
rows:
  - { name: attic, tags: [cold] }
  - { name: hall, floor: 0, doors: 3 }
  - { name: cellar, floor: -1 }
  - { name: hall2, floor: 0 }
`;
const tableOf = (text: string) => {
  const model = linked({ 'tables/rooms.yaml': text });
  const table = model.tables.get('rooms');
  if (!table) throw new Error('there is no table');
  return { table, model };
};

test('what a row leaves out takes the natural value of its column', () => {
  expect(tableOf(TABLE).table.rows).toEqual([
    { name: 'attic', floor: null, doors: 1, tags: ['cold'] },
    { name: 'hall', floor: 0, doors: 3, tags: [] },
    { name: 'cellar', floor: -1, doors: 1, tags: [] },
    { name: 'hall2', floor: 0, doors: 1, tags: [] },
  ]);
});

test('finding by any column gives the first row that has the value, or null', () => {
  const { table } = tableOf(TABLE);
  const columns = fc.constantFrom('name', 'floor', 'doors', 'tags');
  const values = fc.constantFrom<null | string | number | string[]>(null, 'hall', 'none', 0, -1, 1, '0', [], ['cold']);
  fc.assert(
    fc.property(columns, values, (column, value) => {
      expect(table.find(column, value)).toBe(table.rows.find((row) => equal(row[column], value)) ?? null);
    }),
  );
});

test.each<[string, string, string, string]>([
  ['a value of another type', 'floor: -1', 'floor: low', 'invalid-value: floor must be an integer'],
  ['a value that is missing', '{ name: cellar, floor', '{ floor', "missing-column: the row has no 'name'"],
  ['a misspelt column', 'doors: 3', 'dors: 3', "unknown-column: unknown column 'dors' -> doors"],
  ['a key that is no column', 'key: name', 'key: nam', "unknown-column: unknown column 'nam' -> name"],
  ['one key twice', 'hall2', 'hall', "duplicate-row: 'hall' is in two rows"],
])('%s is told', (_, from, to, told) => {
  const { table, model } = tableOf(TABLE.replace(from, to));
  table.check();
  expect(table.rows).toHaveLength(4);
  expect(problemsOf(model)[0]).toBe(told);
});

test('two tables of one name are told at both', () => {
  const model = linked({ 'tables/rooms.yaml': TABLE, 'tables/more.yaml': TABLE });
  const told = problemsOf(model);
  expect(told).toEqual(Array(2).fill("duplicate-table: two tables are called 'rooms'"));
});
