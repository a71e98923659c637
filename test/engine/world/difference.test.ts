import * as fc from 'fast-check';
import type { JsonObject } from '../../../engine/values/index.js';
import { Collection, LateRow, Row, writtenOf } from '../../../engine/world/index.js';
import { Difference, type Layout } from '../../../engine/world/difference.js';

const NAMES = Array.from({ length: 13 }, (_, at) => `field_${at}`);

/** As packs compile it, with a loop. */
const LAYOUT: Layout = {
  size: NAMES.length,
  values: (object) => NAMES.map((name) => object[name]),
  object: (values) => Object.fromEntries(NAMES.map((name, at) => [name, values[at]])),
  differing(object, values, places, held) {
    let count = 0;
    NAMES.forEach((name, at) => {
      if (object[name] === values[at]) return;
      places[count] = at;
      held[count++] = object[name];
    });
    return count;
  },
};

const CONFIG = { name: 'things', indexes: [], layout: () => LAYOUT };
const nested = [{ a: 1 }, { a: 1 }, ['x']];

/** Few of the values differ from object to object, and some of those are objects. */
const objects: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.nat(2), fc.constantFrom('', 'x', null, ...nested)), { maxKeys: 5 })
  .map((some) => Object.fromEntries(NAMES.map((name) => [name, some[name] ?? null])));

test('whatever is kept of objects, they are the same as before, in text too', () => {
  fc.assert(
    fc.property(fc.array(objects, { maxLength: 20 }), (list) => {
      const collection = new Collection(0, CONFIG);
      const kept = list.map((each) => collection.shortened(each));
      expect(kept.map((each) => JSON.stringify(writtenOf(each)))).toEqual(list.map((each) => JSON.stringify(each)));
    }),
  );
});

const alike = (id: number): JsonObject => LAYOUT.object([id, 'x', ...Array<null>(NAMES.length - 2).fill(null)]);

test('of objects that differ in little only that is kept, and of others all', () => {
  const collection = new Collection(0, CONFIG);
  const other = LAYOUT.object(NAMES.map((_, at) => at));
  const kept = [alike(1), alike(2), alike(3), other, alike(4), alike(5)].map((each) => collection.shortened(each));
  expect(kept.map((each) => each instanceof Difference)).toEqual([false, true, true, false, false, true]);
  expect(collection.shortened(alike(6))).toMatchObject({ places: [0], a: 6 });
});

describe('rows of which less than the value is held', () => {
  const collection = new Collection(0, CONFIG);
  collection.shortened(alike(1));
  const difference = (id: number): Difference => collection.shortened(alike(id)) as Difference;

  test('have it when it is read, for as long as that runs, and take another one', async () => {
    const row = new Row(collection, 'row_2', 1, 0, alike(2));
    row.shorten(difference(2));
    expect(row.held instanceof Difference).toBe(true);
    expect(row.field('field_0')).toBe(2);
    const { held, value } = row;
    expect(row.value).toBe(value);
    await Promise.resolve();
    expect(row.value).not.toBe(value);
    expect([row.value, row.held]).toEqual([value, held]);
    row.value = alike(3);
    await Promise.resolve();
    expect([row.value, row.held]).toEqual([alike(3), alike(3)]);
  });

  test('are the same at an earlier moment and in a fork, whatever becomes of them', () => {
    const things = new Collection(0, CONFIG);
    const row = new Row(things, 'row_2', 1, 0, alike(2));
    things.insert(row);
    row.shorten(difference(2));
    const standing = things.standing();
    things.replace(row, alike(4));
    const copy = new Collection(0, CONFIG);
    copy.copyLater(standing);
    expect([writtenOf(standing.held(0)), copy.get('row_2')?.value, row.value]).toEqual([alike(2), alike(2), alike(4)]);
  });

  test('that are written later show the state of their time', () => {
    const form = { own: {}, write: (_facts: JsonObject, state: JsonObject) => ({ shows: state }) };
    const late = new LateRow(collection, 'event_1', { seq: 1, order: 0 }, form, {}, alike(2), null);
    late.shortenState(difference(2));
    expect([late.copyFirst(collection).value, late.value]).toEqual(Array(2).fill({ shows: alike(2) }));
  });
});
