import * as fc from 'fast-check';
import type { JsonObject } from '../../../engine/values/index.js';
import { Collection, type CollectionConfig, Row } from '../../../engine/world/index.js';

const CONFIG: CollectionConfig = { name: 'things', order: (value) => Number(value['at']), indexes: ['owner', 'kind'] };
const OWNERS = ['ann', 'bob', null] as const;
const KINDS = [1, '1', true] as const;

interface Fields {
  readonly at: number;
  readonly owner?: string | null;
  readonly kind: number | string | boolean;
}

/** Objects of few values, so that many share a bucket of an index; some lack the indexed field. */
const fields: fc.Arbitrary<Fields> = fc.record(
  { at: fc.nat(4), owner: fc.constantFrom(...OWNERS), kind: fc.constantFrom(...KINDS) },
  { requiredKeys: ['at', 'kind'] },
);

type Step =
  | { readonly kind: 'insert'; readonly id: number; readonly value: Fields }
  | { readonly kind: 'remove'; readonly id: number }
  | { readonly kind: 'forget'; readonly id: number }
  | { readonly kind: 'replace'; readonly id: number; readonly value: Fields; readonly named: boolean };

const ids = fc.nat(12);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), id: ids, value: fields }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: ids }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), id: ids }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('replace' as const), id: ids, value: fields, named: fc.boolean() }),
    },
  ),
  { maxLength: 150, size: 'max' },
);

/** The same, as plainly as it can be said: a list that is searched and sorted. */
class Model {
  readonly rows = new Map<string, Row>();
  readonly deleted = new Map<string, { order: number; seq: number; value: JsonObject }>();

  ordered(field?: string, value?: unknown): Row[] {
    return [...this.rows.values()]
      .filter((row) => field === undefined || (row.value[field] ?? null) === (value ?? null))
      .sort((a, b) => Number(a.value['at']) - Number(b.value['at']) || a.seq - b.seq);
  }
}

function rowOf(id: string, seq: number, value: Fields): Row {
  return new Row(0, id, seq, value.at, { ...value });
}

function expectAlike(collection: Collection, model: Model): void {
  expect(collection.size).toBe(model.rows.size);
  expect(collection.ordered().all()).toEqual(model.ordered());
  for (const owner of [...OWNERS, 'nobody', undefined])
    expect(collection.ordered('owner', owner).all()).toEqual(model.ordered('owner', owner));
  for (const kind of KINDS) expect(collection.ordered('kind', kind).all()).toEqual(model.ordered('kind', kind));
  for (let n = 0; n <= 12; n++) {
    const id = `thing_${n}`;
    const [row, grave] = [model.rows.get(id), model.deleted.get(id)];
    expect(collection.get(id)).toBe(row);
    expect(collection.deleted(id)).toEqual(grave?.value);
    const place = collection.placeOf(id);
    expect(place && { order: place.order, seq: place.seq }).toEqual(
      row ? { order: row.value['at'], seq: row.seq } : grave && { order: grave.order, seq: grave.seq },
    );
  }
}

test('list order, ids and indexes are those of a plain list, whatever came, changed and went', () => {
  fc.assert(
    fc.property(steps, (script: readonly Step[]) => {
      const collection = new Collection(0, CONFIG);
      const model = new Model();
      let seq = 0;
      for (const step of script) {
        const id = `thing_${step.id}`;
        const row = model.rows.get(id);
        if (step.kind === 'insert') {
          if (row) continue;
          const made = rowOf(id, ++seq, step.value);
          collection.insert(made);
          model.rows.set(id, made);
          model.deleted.delete(id);
        } else if (row === undefined) continue;
        else if (step.kind === 'replace') {
          const names = (['at', 'owner', 'kind'] as const).filter((name) => row.value[name] !== step.value[name]);
          const value = { ...step.value };
          collection.replace(row, value, step.named ? names : undefined);
          expect(row.value).toBe(value);
        } else {
          model.rows.delete(id);
          if (step.kind === 'remove') {
            collection.remove(row);
            model.deleted.set(id, { order: Number(row.value['at']), seq: row.seq, value: row.value });
          } else collection.forget(row, undefined);
          expect(row.alive).toBe(false);
        }
      }
      expectAlike(collection, model);
    }),
  );
});

test('without an order, objects stand in the order of their creation', () => {
  const collection = new Collection(0, { name: 'things', indexes: [] });
  const rows = [3, 1, 2].map((seq) => new Row(0, `thing_${seq}`, seq, 0, {}));
  for (const row of rows) collection.insert(row);
  expect(collection.orderOf({ at: 9 })).toBe(0);
  expect(
    collection
      .ordered()
      .all()
      .map(({ seq }) => seq),
  ).toEqual([1, 2, 3]);
});

test('a field without an index gives all rows', () => {
  const collection = new Collection(0, CONFIG);
  const row = rowOf('thing_1', 1, { at: 1, kind: 1 });
  collection.insert(row);
  expect([collection.hasIndex('owner'), collection.hasIndex('at')]).toEqual([true, false]);
  expect(collection.ordered('at', 7).all()).toEqual([row]);
});

test('what was made of a value is dropped when the value is replaced', () => {
  const collection = new Collection(0, CONFIG);
  const row = rowOf('thing_1', 1, { at: 1, kind: 1 });
  collection.insert(row);
  for (const at of [1, 2]) {
    row.json = '{}';
    row.answer = {};
    collection.replace(row, { at, kind: 1 });
    expect([row.json, row.answer]).toEqual([null, null]);
  }
});
