import { Bakery } from './bakery.js';

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

let bakery: Bakery;
let shop: string;

beforeEach(() => {
  bakery = new Bakery(FILES);
  shop = String(bakery.do('shops.create')['id']);
});

test('a name in the path gives a required parameter its value, also against the body', () => {
  expect(bakery.do('orders.create', {}, { shop })).toMatchObject({ shop, shape: {} });
  expect(bakery.do('orders.create', { shop: 'elsewhere' }, { shop })).toMatchObject({ shop });
  expect(bakery.do('orders.create', { shop })).toMatchObject({ shop });
  expect(bakery.call('orders.create').body).toContain('"error":"missing","param":"shop"');
  expect(bakery.call('orders.create', {}, { shop: 'none' }).status).toBe(404);
});

test('a json_schema has to be one', () => {
  const shape = { type: 'object', properties: { crust: { type: 'string' } } };
  expect(bakery.do('orders.create', { shop, shape })['shape']).toEqual(shape);
  expect(bakery.do('orders.create', { shop, shape: null })['shape']).toEqual({});
  for (const [wrong, kind] of [
    ['object', 'object'],
    [{ type: 'bread' }, 'json_schema'],
  ] as const) {
    const { status, body } = bakery.call('orders.create', { shop, shape: wrong });
    expect([status, body]).toEqual([400, expect.stringContaining(`"param":"shape","kind":"${kind}"`)]);
  }
  expect(() => bakery.engine.seed({ orders: [{ id: 'a', shop, shape: { type: 'bread' } }] })).toThrow(/JSON Schema/);
});
