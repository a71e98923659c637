import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../engine/values/index.js';
import { Difference } from '../../../engine/world/difference.js';
import {
  type CommandInfo,
  LateRow,
  type Layout,
  Row,
  Timer,
  type Transaction,
  World,
} from '../../../engine/world/index.js';
import { WaysBack } from '../../../engine/world/transaction.js';
import { OWNER } from '../../support/world-rows.js';

const INFO: CommandInfo = { command: 'test', origin: 'control' };

/** What differs is worth keeping alone where objects are large: so large that it always is. */
const LAYOUT: Layout = {
  size: 100,
  values: ({ at, owner }) => [at, owner],
  object: ([at, owner]) => ({ at, owner }),
  differing(object, values, places, held) {
    const names = ['at', 'owner'];
    const found = [0, 1].filter((at) => object[names[at]] !== values[at]);
    found.forEach((at, n) => {
      places[n] = at;
      held[n] = object[names[at]];
    });
    return found.length;
  },
};

const worldOf = (): World =>
  new World({
    collections: [
      { name: 'orders', order: (value) => Number(value['at']), indexes: ['owner'] },
      { name: 'notes', indexes: [], layout: () => LAYOUT },
    ],
    timeFormat: 'unix',
    seed: 'transactions',
    t0: 1_700_000_000_000,
    ledgerLimit: 1000,
    traceLimit: 10,
  });

/** One change that a command may make; numbers choose among what there is. */
interface Step {
  readonly kind: 'create' | 'replace' | 'delete' | 'arm' | 'disarm' | 'register' | 'explain' | 'draw';
  readonly collection: number;
  readonly which: number;
  readonly at: number;
  readonly owner: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'create',
    'create',
    'replace',
    'replace',
    'delete',
    'arm',
    'disarm',
    'register',
    'explain',
    'draw',
  ),
  collection: fc.nat(1),
  which: fc.nat(20),
  at: fc.nat(3),
  owner: fc.constantFrom('ann', 'bob'),
});
const steps = fc.array(step, { maxLength: 30, size: 'max' });

function perform(world: World, transaction: Transaction, { kind, collection: index, which, at, owner }: Step): void {
  const collection = world.collections[index];
  const rows = collection.ordered().all();
  const row = rows[which % Math.max(1, rows.length)] as Row | undefined;
  if (kind === 'create') {
    const id = `${collection.config.name}_${which}`;
    const value = { at, owner };
    if (collection.get(id)) return;
    transaction.create(collection, new Row(collection, id, world.nextSeq(), collection.orderOf(value), value));
  } else if (kind === 'draw') world.random.next();
  else if (kind === 'register') {
    transaction.write(world.durations, `wait_${which % 3}`, at === 0 ? undefined : at);
  } else if (row === undefined) return;
  else if (kind === 'replace') {
    transaction.replace(collection, row, { ...row.value, at, owner }, ['at', 'owner']);
  } else if (kind === 'explain') transaction.explain(collection, row, [{ path: 'owner', source: 'pin', value: owner }]);
  else if (kind === 'arm') {
    const timer = new Timer(row, `t${which}`, world.nowMs + at, world.nextSeq(), null);
    transaction.arm(timer);
  } else {
    for (const timer of row.timers) transaction.disarm(timer);
    if (kind === 'delete') transaction.delete(collection, row);
  }
}

/** Everything of a world that a call or a test can see. */
function stateOf(world: World): unknown {
  return {
    collections: world.collections.map((collection) => ({
      rows: collection
        .ordered()
        .all()
        .map(({ id, seq, order, value, provenance, alive }) => ({ id, seq, order, value, provenance, alive })),
      owners: ['ann', 'bob', null].map((owner) =>
        collection
          .ordered('owner', owner)
          .all()
          .map(({ id }) => id),
      ),
      byId: Array.from({ length: 21 }, (_, n) => collection.get(`${collection.config.name}_${n}`)?.value),
    })),
    timers: world.timers.list().map(({ row, trigger, due, seq }) => [row.id, trigger, due, seq]),
    durations: Object.fromEntries(world.durations.entries()),
    now: world.now,
  };
}

/** Runs a command that is kept. */
function commit(world: World, script: readonly Step[]): void {
  const transaction = world.begin();
  for (const each of script) perform(world, transaction, each);
  world.commit(INFO);
}

test('a command that is rolled back leaves nothing: objects, indexes, timers, registers, randomness, numbers', () => {
  fc.assert(
    fc.property(steps, steps, steps, (before, failed, after) => {
      const world = worldOf();
      const twin = worldOf();
      for (const each of [world, twin]) commit(each, before);
      const state = stateOf(world);

      const transaction = world.begin();
      for (const each of failed) perform(world, transaction, each);
      world.rollback();
      expect(stateOf(world)).toEqual(state);
      expect(world.random.position).toBe(twin.random.position);
      expect(world.ledger.count).toBe(twin.ledger.count);

      // What follows is what would have followed without it.
      for (const each of [world, twin]) commit(each, after);
      expect(stateOf(world)).toEqual(stateOf(twin));
      expect(world.nextSeq()).toBe(twin.nextSeq());
    }),
  );
});

test('a command may come back to a mark, keeps what it did before, and is taken back like any other', () => {
  fc.assert(
    fc.property(steps, steps, steps, steps, (before, kept, undone, after) => {
      const world = worldOf();
      commit(world, before);
      const first = stateOf(world);
      const transaction = world.begin();
      for (const each of kept) perform(world, transaction, each);
      const state = stateOf(world);
      const mark = transaction.mark();
      for (const each of undone) perform(world, transaction, each);
      transaction.rollbackTo(mark);
      expect(stateOf(world)).toEqual(state);
      for (const each of after) perform(world, transaction, each);
      const last = stateOf(world);
      world.commit(INFO);
      expect(stateOf(world)).toEqual(last);

      const ways = new WaysBack();
      ways.note(1, transaction);
      const route = ways.to(0, 1);
      if (route !== null) ways.follow(route, world);
      expect(stateOf(world)).toEqual(first);
    }),
  );
});

test('marks nest: the outer one takes back the inner part too', () => {
  const world = worldOf();
  const [orders] = world.collections;
  const transaction = world.begin();
  const create = (id: string): void =>
    transaction.create(orders, new Row(OWNER, id, world.nextSeq(), 0, { at: 0, owner: 'ann' }));
  const ids = (): string[] =>
    world.collections[0]
      .ordered('owner', 'ann')
      .all()
      .map(({ id }) => id);
  create('a');
  const outer = transaction.mark();
  create('b');
  const inner = transaction.mark();
  create('c');
  transaction.rollbackTo(inner);
  expect(ids()).toEqual(['a', 'b']);
  create('d');
  transaction.rollbackTo(outer);
  expect(ids()).toEqual(['a']);
  world.commit(INFO);
});

test('changes are seen at once by the command that makes them', () => {
  const world = worldOf();
  const [orders] = world.collections;
  const transaction = world.begin();
  const row = new Row(OWNER, 'order_1', world.nextSeq(), 1, { at: 1, owner: 'ann' });
  transaction.create(orders, row);
  transaction.replace(orders, row, { at: 1, owner: 'bob' }, ['owner']);
  expect(world.row(0, 'order_1')?.value).toEqual({ at: 1, owner: 'bob' });
  expect([orders.ordered('owner', 'ann').size, orders.ordered('owner', 'bob').size]).toEqual([0, 1]);
  world.rollback();
  expect(world.row(0, 'order_1')).toBeUndefined();
});

test('commands never nest, end once, and one that was left open keeps no other out for long', () => {
  const world = worldOf();
  world.begin();
  expect(() => world.begin()).toThrow('already running');
  world.begin();
  world.rollback();
  expect(() => world.rollback()).toThrow('no command is running');
  expect(() => world.commit(INFO)).toThrow('no command is running');
});

test('a command that changes nothing is no entry of the ledger', () => {
  const world = worldOf();
  world.begin();
  world.random.next();
  world.commit(INFO);
  expect(world.ledger.count).toBe(0);
});

test('the clock moves forward only, unless the world begins anew', () => {
  const world = worldOf();
  const moves: number[] = [];
  world.onMove((ms) => moves.push(ms));
  world.moveTo(1_700_000_005_000);
  world.moveTo(1_700_000_001_000);
  expect([world.nowMs, world.now]).toEqual([1_700_000_005_000, 1_700_000_005]);
  world.startAt(1_600_000_000_000);
  expect([world.nowMs, world.t0]).toEqual([1_600_000_000_000, 1_600_000_000_000]);
  expect(moves).toEqual([1_700_000_005_000]);
});

test('a reset world is a new one: the same commands give the same again', () => {
  fc.assert(
    fc.property(steps, steps, (first, second) => {
      const world = worldOf();
      const draw = (): Json[] => [world.random.text(8), world.requestStream.text(8), world.stableText('x', 8)];
      commit(world, first);
      const [state, drawn] = [stateOf(world), draw()];
      commit(world, second);
      world.moveTo(world.nowMs + 1000);
      world.reset();
      expect(world.collections.map(({ size }) => size)).toEqual([0, 0]);
      expect([world.timers.size, world.durations.size]).toEqual([0, 0]);
      commit(world, first);
      expect([stateOf(world), draw()]).toEqual([state, drawn]);
    }),
  );
});

test('a reset may keep durations and begin at another time', () => {
  const world = worldOf();
  const transaction = world.begin();
  transaction.write(world.durations, 'wait', 5);
  world.commit(INFO);
  world.reset(1_500_000_000_000, ['durations']);
  expect([world.durations.get('wait'), world.now, world.t0]).toEqual([5, 1_500_000_000, 1_500_000_000_000]);
});

test('objects of a collection are told oldest first', () => {
  const world = worldOf();
  const objects: JsonObject[] = [2, 1, 3].map((at) => ({ at, owner: 'ann' }));
  const transaction = world.begin();
  objects.forEach((value, n) =>
    transaction.create(world.collections[0], new Row(OWNER, `order_${n}`, world.nextSeq(), Number(value['at']), value)),
  );
  world.commit(INFO);
  expect(world.objects(0).map(({ at }) => at)).toEqual([1, 2, 3]);
});

test('a command that brings back a deleted id and is rolled back leaves the tombstone', () => {
  const world = worldOf();
  const [orders] = world.collections;
  const run = (change: (transaction: Transaction) => void): void => change(world.begin());
  const value = { at: 1, owner: 'ann' };
  const row = new Row(OWNER, 'order_1', 1, 1, value);
  run((transaction) => transaction.create(orders, row));
  world.commit(INFO);
  run((transaction) => transaction.delete(orders, row));
  world.commit(INFO);
  run((transaction) => transaction.create(orders, new Row(OWNER, 'order_1', 2, 1, value)));
  world.rollback();
  expect(orders.deleted('order_1')).toEqual(value);
});

test('objects that are written later show what they are about as it was when they were made', () => {
  const world = worldOf();
  const [orders, notes] = world.collections;
  const form = { own: {}, write: (_facts: JsonObject, state: JsonObject) => ({ at: 0, owner: null, shows: state }) };
  const made = ['ann', 'bob'].map((owner, n) => {
    const transaction = world.begin();
    const row = new Row(notes, `note_${n}`, world.nextSeq(), 0, { at: 1, owner });
    transaction.create(notes, row);
    const reports = [1, 2, 3].map((at) => {
      if (at > 1) transaction.replace(notes, row, { at, owner }, ['at']);
      const place = { seq: world.nextSeq(), order: 0 };
      const report = new LateRow(orders, `order_${n}_${at}`, place, form, {}, row.value, null);
      transaction.createLate(orders, report, row, notes);
      return report;
    });
    world.commit(INFO);
    return { row, reports };
  });
  // The first object of a collection is kept whole, and others as what differs from it.
  expect(made.map(({ row }) => row.held instanceof Difference)).toEqual([false, true]);
  for (const { row, reports } of made) {
    const { owner } = row.value;
    expect(reports.map(({ value }) => value['shows'])).toEqual([1, 2, 3].map((at) => ({ at, owner })));
  }
});
