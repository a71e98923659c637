import * as fc from 'fast-check';
import type { JsonObject } from '../../../engine/values/index.js';
import { Collection, type CollectionConfig, Row } from '../../../engine/world/index.js';
import { OWNER } from '../../support/world-rows.js';

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
  return new Row(OWNER, id, seq, value.at, { ...value });
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
    fc.property(steps, fc.nat(12), (script: readonly Step[], asked: number) => {
      const collection = new Collection(0, CONFIG);
      const model = new Model();
      let seq = 0;
      for (const step of script) {
        const id = `thing_${step.id}`;
        const row = model.rows.get(id);
        // What is looked for in between is found, and is kept right from then on.
        if (step.id === asked) {
          expect(collection.ordered('kind', 1).all()).toEqual(model.ordered('kind', 1));
          expect(collection.get(id)).toBe(row);
        }
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

/** What a collection tells, with nothing of how it holds it. */
function told(collection: Collection): unknown {
  const plain = (rows: readonly Row[]): unknown =>
    rows.map(({ id, seq, value, provenance }) => [id, seq, value, provenance]);
  const { size, ever } = collection;
  return {
    size,
    ever,
    stones: [...collection.tombstones()],
    places: Array.from({ length: 13 }, (_, n) => [
      collection.placeOf(`thing_${n}`)?.seq,
      collection.deleted(`thing_${n}`),
    ]),
    owners: OWNERS.map((owner) => plain(collection.ordered('owner', owner).all())),
    kinds: KINDS.map((kind) => plain(collection.ordered('kind', kind).all())),
    all: plain(collection.ordered().all()),
  };
}

/** Does the steps to objects that are there, or not, as the step needs. @param looks at some indexes in between */
function play(collection: Collection, script: readonly Step[], from: number, looks: boolean): void {
  let seq = from;
  for (const step of script) {
    seq++;
    const id = `thing_${step.id}`;
    if (looks && step.kind !== 'insert' && step.id % 4 === 0) collection.ordered('owner', OWNERS[seq % 3]);
    if (step.kind === 'insert') {
      if (collection.get(id) !== undefined) continue;
      const row = rowOf(id, seq, step.value);
      if (step.id % 3 === 0) row.provenance = [{ path: 'kind', source: 'pin', value: null }];
      const stone = collection.insert(row);
      if (step.id % 5 === 0) collection.forget(row, stone);
      continue;
    }
    const row = collection.get(id);
    if (row === undefined) continue;
    if (step.kind === 'replace') collection.replace(row, { ...step.value });
    else {
      collection.remove(row);
      if (step.kind === 'forget') collection.insert(row);
    }
  }
}

test('a copy that makes rows when they are asked for tells what one does that has them all', () => {
  fc.assert(
    fc.property(steps, steps, fc.boolean(), (before: readonly Step[], after: readonly Step[], looks: boolean) => {
      const origin = new Collection(0, CONFIG);
      play(origin, before, 0, false);
      const standing = origin.standing();
      expect(origin.standing()).toBe(standing);
      const then = told(origin);
      const [lazy, whole] = [new Collection(0, CONFIG), new Collection(0, CONFIG)];
      for (const copy of [lazy, whole]) copy.copyLater(standing, () => undefined);
      whole.ordered();
      for (const copy of [lazy, whole]) play(copy, after, 1000, looks);
      const again = new Collection(0, CONFIG);
      expect(lazy.size).toBe(whole.size);
      again.copyLater(lazy.standing(), () => undefined);
      expect(told(lazy)).toEqual(told(whole));
      expect(told(again)).toEqual(told(whole));
      expect(told(origin)).toEqual(then);
    }),
  );
});

test('what was read at some moments stays as it was then, also where rows go, come back and change', () => {
  fc.assert(
    fc.property(steps, fc.nat(12), (script: readonly Step[], read: number) => {
      const collection = new Collection(0, CONFIG);
      const gone = new Map<string, Row>();
      const moments: [ReturnType<Collection['standing']>, unknown][] = [];
      let seq = 0;
      for (const step of script) {
        const id = `thing_${step.id}`;
        const row = collection.get(id);
        if (step.id === read) moments.push([collection.standing(), told(collection)]);
        if (step.kind === 'insert') {
          if (row === undefined) collection.insert(gone.get(id) ?? rowOf(id, ++seq, step.value));
          gone.delete(id);
        } else if (row === undefined) continue;
        else if (step.kind === 'replace') {
          collection.explain(row, step.named ? [{ path: 'kind', source: 'pin', value: seq++ }] : null);
          collection.replace(row, { ...step.value });
        } else {
          if (step.kind === 'remove') collection.remove(row);
          else collection.forget(row, undefined);
          gone.set(id, row);
        }
      }
      for (const [standing, then] of moments) {
        const copy = new Collection(0, CONFIG);
        copy.copyLater(standing);
        expect(told(copy)).toEqual(then);
      }
      expect(collection.standing()).toBe(collection.standing());
    }),
  );
});

test('a copy makes rows only of the objects that are asked for, and none again', () => {
  const origin = new Collection(0, CONFIG);
  for (let n = 0; n < 9; n++) origin.insert(rowOf(`thing_${n}`, n, { at: n, owner: OWNERS[n % 3], kind: 1 }));
  const made: string[] = [];
  const copy = new Collection(0, CONFIG);
  copy.copyLater(origin.standing(), ({ id }) => made.push(id));
  expect([copy.size, copy.ever, copy.standing()]).toEqual([9, 9, origin.standing()]);
  copy.insert(rowOf('thing_new', 20, { at: 20, kind: 1 }));
  copy.get('thing_4');
  expect(made).toEqual(['thing_4']);
  expect(
    copy
      .ordered('owner', 'bob')
      .all()
      .map(({ id }) => id),
  ).toEqual(['thing_1', 'thing_4', 'thing_7']);
  expect(made).toEqual(['thing_4', 'thing_1', 'thing_7']);
});

test('an id of enough chance is free without a look only where all ids were drawn', () => {
  const [drawn, given] = [new Collection(0, CONFIG), new Collection(0, CONFIG)];
  for (const collection of [drawn, given]) {
    expect(collection.isFree('thing_1', 80)).toBe(true);
    collection.insert(rowOf('thing_1', 1, { at: 1, kind: 1 }));
  }
  expect([drawn.isFree('thing_1', 80), drawn.isFree('thing_1', 20)]).toEqual([true, false]);
  given.insert(rowOf('thing_2', 2, { at: 1, kind: 1 }));
  expect([given.isFree('thing_1', 80), given.isFree('thing_2', 80), given.isFree('thing_3', 80)]).toEqual([
    false,
    false,
    true,
  ]);
  const copy = new Collection(0, CONFIG);
  copy.copyLater(drawn.standing());
  expect(copy.isFree('thing_1', 80)).toBe(false);
});

test('without an order, objects stand in the order of their creation', () => {
  const collection = new Collection(0, { name: 'things', indexes: [] });
  const rows = [3, 1, 2].map((seq) => new Row(OWNER, `thing_${seq}`, seq, 0, {}));
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
    row.shown.text = '{}';
    row.shown.answer = {};
    collection.replace(row, { at, kind: 1 });
    expect([row.shown.text, row.shown.answer]).toEqual([null, null]);
  }
});
