import { NO_REQUEST } from '../../../engine/model/index.js';
import { PackWorld } from '../../support/pack-world.js';
import { minimal } from '../../support/sample-pack.js';

const FILES = {
  'resources/shop.yaml':
    'resource: shop\ncollection: shops\nfields: { name: string? }\noperations: { create: { do: [{ create: shop }] } }\n',
  'resources/order.yaml': `resource: order
collection: orders
fields: { shop: { ref: shop }, shape: json_schema }
operations:
  create:
    route: [POST /orders, "POST /shops/{shop}/orders"]
    params: { shop: { ref: shop, required: true }, shape: { type: json_schema, nullable: true } }
    do: [{ create: order, with: { shop: "\${params.shop}", shape: "\${default(params.shape, {})}" } }]
`,
};

let world: PackWorld;
let shop: string;

beforeEach(() => {
  world = new PackWorld(FILES);
  shop = String(world.do('shops.create')['id']);
});

test('a name in the path gives a required parameter its value, also against the body', () => {
  expect(world.do('orders.create', {}, { shop })).toMatchObject({ shop, shape: {} });
  expect(world.do('orders.create', { shop: 'elsewhere' }, { shop })).toMatchObject({ shop });
  expect(world.do('orders.create', { shop })).toMatchObject({ shop });
  expect(world.call('orders.create').body).toContain('"error":"missing","param":"shop"');
  expect(world.call('orders.create', {}, { shop: 'none' }).status).toBe(404);
});

test('a json_schema has to be one', () => {
  const shape = { type: 'object', properties: { crust: { type: 'string' } } };
  expect(world.do('orders.create', { shop, shape })['shape']).toEqual(shape);
  expect(world.do('orders.create', { shop, shape: null })['shape']).toEqual({});
  for (const [wrong, kind] of [
    ['object', 'object'],
    [{ type: 'bread' }, 'json_schema'],
  ] as const) {
    const { status, body } = world.call('orders.create', { shop, shape: wrong });
    expect([status, body]).toEqual([400, expect.stringContaining(`"param":"shape","kind":"${kind}"`)]);
  }
  expect(() => world.engine.seed({ orders: [{ id: 'a', shop, shape: { type: 'bread' } }] })).toThrow(/JSON Schema/);
});

test('null where a type of its own has to be is an error of the pack, and the next call is served', () => {
  const types = '{ one_of: [string, { const: x }, { enum: [y] }, { type: object, fields: {} }] }';
  const slices = `resource: slice
collection: slices
fields: { tags: { type: array, items: any } }
operations: { create: { params: { tags: { type: array, items: ${types} } }, do: [{ create: slice, with: { tags: "\${params.tags}" } }] } }
`;
  const bakery = new PackWorld({ 'resources/slice.yaml': slices });
  const { status, body } = bakery.call('slices.create', { tags: ['a', null] });
  expect([status, body]).toEqual([400, expect.stringContaining('"param":"tags.1"')]);
  expect(bakery.do('slices.create', { tags: ['a', {}] })).toMatchObject({ tags: ['a', {}] });
});

const CAKES = {
  'resources/cake.yaml': `resource: cake
collection: cakes
fields: { name: string, mark: string }
operations:
  create:
    params: { name: { type: string, min: 2 } }
    do:
      - { fail: burnt, when: "params.name == 'black'" }
      - { create: cake, with: { name: "\${params.name}", mark: "\${random_string(12)}" } }
`,
  'errors.yaml': `${minimal.files['errors.yaml']}  burnt: { status: 422, body: { mark: "\${random_string(12)}" } }
  parameter_empty: { status: 400, args: { param: string }, body: { error: empty, param: "\${param}" } }
  parameter_below_minimum: { status: 400, args: { param: string, limit: number }, body: { error: short, limit: "\${limit}" } }
`,
};

test('`min` of a string is its fewest characters', () => {
  const cakes = new PackWorld(CAKES);
  expect(cakes.call('cakes.create', { name: '' }).body).toBe('{"error":"empty","param":"name"}');
  expect(cakes.call('cakes.create', { name: 'x' }).body).toBe('{"error":"short","limit":2}');
  expect(cakes.do('cakes.create', { name: 'xy' })).toMatchObject({ name: 'xy' });
});

test('what an error draws differs from call to call and changes nothing in the world', () => {
  const marks = (burnt: number) => {
    const cakes = new PackWorld(CAKES);
    const errors = Array.from({ length: burnt }, () => cakes.call('cakes.create', { name: 'black' }).body);
    errors.push(...Array.from({ length: burnt }, () => cakes.engine.error('burnt', {}, NO_REQUEST).body));
    expect(cakes.defects).toEqual([]);
    return { errors, made: cakes.do('cakes.create', { name: 'white' })['mark'] };
  };
  const three = marks(3);
  expect(new Set(three.errors).size).toBe(6);
  expect(marks(3)).toEqual(three);
  expect(marks(0).made).toBe(three.made);
});

test('`min` and `max` of a list are its fewest and most items', () => {
  const cakes = new PackWorld({
    ...CAKES,
    'resources/cake.yaml': `resource: cake
collection: cakes
fields: { layers: { type: array, items: string } }
operations: { create: { params: { layers: { type: array, items: string, required: true, min: 2, max: 3 } } } }
`,
    'errors.yaml': `${CAKES['errors.yaml'].replace(/ +burnt: .*\n/, '')}  parameter_too_many: { status: 400, args: { limit: number }, body: { error: many, limit: "\${limit}" } }
`,
  });
  const bake = (...layers: string[]): unknown => cakes.call('cakes.create', { layers }).body;
  expect(bake()).toBe('{"error":"empty","param":"layers"}');
  expect(bake('a')).toBe('{"error":"short","limit":2}');
  expect(bake('a', 'b', 'c', 'd')).toBe('{"error":"many","limit":3}');
  expect(cakes.do('cakes.create', { layers: ['a', 'b'] })).toMatchObject({ layers: ['a', 'b'] });
});
