import { PackWorld, problemsOf } from '../../support/pack-world.js';
import { type PackFiles } from '../../support/sample-pack.js';

/** What a resource says of objects that a seed brings. */

const SHOP = `
resource: shop
collection: shops
fields: { city: string, open: { type: integer, default: 0 } }
operations: [create]
`;

const ORDER = `
resource: order
collection: orders
indexes: [shop]
fields:
  shop: { ref: shop }
  loaves: integer
  price: integer
  note: string?
  baked_at: timestamp?
  status: { enum: [new, baking, done], machine: true }
machine:
  initial: new
  states:
    new: { on: { start: baking } }
    baking: { after: { bake_time: done } }
    done: {}
operations:
  create: { params: { shop!, loaves!: { type: integer, min: 0, max: 1000 }, price!, note, baked_at } }
  start: { do: [{ send: start }] }
seeded:
  do:
    - { set: self, to: { price: "\${self.loaves * 3}" }, when: "self.loaves != null" }
    - { set: self, to: { note: "\${'for ' + get(shop, self.shop).city}" }, when: "!has(given.note)" }
  refuse:
    - { when: "self.loaves > 100", path: loaves, message: are too many }
  since: self.baked_at
`;

const FILES: PackFiles = {
  'pack.yaml': 'durations: { bake_time: 1h }\n',
  'resources/shop.yaml': SHOP,
  'resources/order.yaml': ORDER.replace('seeded:\n', 'seeded:\n  after: [shop]\n'),
};

const shops = [{ id: 'main', city: 'Ulm' }];
const order = { id: 'a', shop: 'main', loaves: 2 };

function seeded(...orders: readonly object[]): PackWorld {
  const world = new PackWorld(FILES);
  world.engine.seed({ orders: orders as never, shops });
  return world;
}

test('steps complete what the seed leaves out', () => {
  const [row] = seeded(order).rows('orders');
  expect(row.value).toMatchObject({ price: 6, note: 'for Ulm', status: 'new' });
});

test('a derived value may be written as it would be, and one that is only completed as one likes', () => {
  const [row] = seeded({ ...order, price: 6, note: null }).rows('orders');
  expect(row.value).toMatchObject({ price: 6, note: null });
});

test.each([
  [{ price: 7 }, 'engine_derived', 'price'],
  [{ loaves: 101 }, 'invalid_value', 'loaves'],
  [{ loaves: undefined }, 'missing_field', 'loaves'],
  [{ shop: 'none' }, 'unknown_reference', 'shop'],
  [{ nonsense: 1 }, 'unknown_field', 'nonsense'],
])('%j is refused, and nothing is kept', (change, code, field) => {
  const world = new PackWorld(FILES);
  const given = JSON.parse(JSON.stringify([{ ...order, ...change }])) as never;
  let refusal: unknown;
  try {
    world.engine.seed({ shops, orders: given });
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ code, path: `orders[0].${field}` });
  expect([...world.rows('shops'), ...world.rows('orders')]).toEqual([]);
});

test('waits count from when the object entered its status', () => {
  const world = seeded({ ...order, status: 'baking', baked_at: '2025-12-31T23:30:00.000Z' });
  expect(world.engine.world.timers.list().map(({ due }) => new Date(due).toISOString())).toEqual([
    '2026-01-01T00:30:00.000Z',
  ]);
});

test('timers that the seed names are armed instead', () => {
  const world = new PackWorld(FILES);
  const orders = [{ ...order, status: 'baking' }] as never;
  const timer = { collection: 'orders', id: 'a', timer: 'bake_time', due: '2026-01-03T00:00:00.000Z' };
  world.engine.seed({ shops, orders }, null, { timers: [timer] });
  expect(world.engine.world.timers.list().map(({ due }) => new Date(due).toISOString())).toEqual([timer.due]);
  const wrong = { ...timer, timer: 'bake_tim' };
  expect(() => world.engine.seed({ orders }, null, { timers: [wrong] })).toThrow(/is none that a has now/);
});

test.each([
  [
    'an unknown resource',
    { 'resources/order.yaml': ORDER.replace('seeded:\n', 'seeded:\n  after: [shp]\n') },
    'unknown-resource',
  ],
  ['itself', { 'resources/order.yaml': ORDER.replace('seeded:\n', 'seeded:\n  after: [order]\n') }, 'seed-circle'],
  ['an unknown field', { 'resources/order.yaml': ORDER.replace('path: loaves', 'path: loafs') }, 'unknown-field'],
  [
    'a condition that is none',
    { 'resources/order.yaml': ORDER.replace('"self.loaves > 100"', 'self.loaves') },
    'wrong-type',
  ],
  [
    'an unknown member',
    { 'resources/order.yaml': ORDER.replace('since: self.baked_at', 'since: self.bakd_at') },
    "no field 'bakd_at'",
  ],
  ['a misspelt key', { 'resources/order.yaml': ORDER.replace('  since:', '  sinse:') }, 'unknown-key'],
])('%s is told when the pack loads', (_what, files, code) => {
  expect(problemsOf({ ...FILES, ...files }).join('\n')).toContain(code);
});
