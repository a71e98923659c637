import { inspect, problemsOf } from '../../support/pack-world.js';

/** browser.yaml: the vendor's library for pages, and the mistakes that are found in it when the pack loads. */

const PACK = 'auth: { others: { public: { prefix: pk_, browsers: true }, quiet: { prefix: qk_ } } }\n';
const ORDER = `resource: order
collection: orders
fields: { note: string? }
operations:
  create: { keys: [public], params: { note: string } }
  delete: {}
`;
const METHODS = `  order: { takes: [data], operation: orders.create, sends: { note: data.note }, gives: order }
`;

const problems = (methods: string, head = 'script: [/js]\nglobal: Bakery\nkey: public\n'): string[] =>
  problemsOf({ 'pack.yaml': PACK, 'resources/order.yaml': ORDER, 'browser.yaml': `${head}methods:\n${methods}` }).map(
    (problem) => problem.replace(/^(\S+) \S+ /, '$1 '),
  );

test('methods become calls of the operations that they name', () => {
  const { pack, problems: found } = inspect({
    'pack.yaml': PACK,
    'resources/order.yaml': ORDER,
    'browser.yaml': `script: [/js]\nglobal: Bakery\nkey: public\nmethods:\n${METHODS}`,
  });
  expect(found).toEqual([]);
  expect(pack?.browser).toMatchObject({
    paths: ['/js'],
    description: {
      keyPrefix: 'pk_',
      methods: { order: { method: 'POST', path: '/orders', sends: [{ to: 'note', from: ['data.note'] }] } },
    },
  });
  expect(pack?.routes.match('GET', '/js').kind).toBe('library');
});

test.each([
  ['  a: { takes: [], operation: orders.creat }', "unknown operation 'orders.creat'"],
  ['  a: { takes: [], operation: orders.delete }', "the key 'public' does not open orders.delete"],
  ['  a: { takes: [] }', "a method has either 'operation' or 'page'"],
  ['  a: { takes: [], page: shelf }', "unknown page 'shelf'"],
  ['  a: { takes: [data], operation: orders.create, sends: { notes: data.x } }', "unknown parameter 'notes'"],
  ['  a: { takes: [data], operation: orders.create, sends: { note: date.x } }', "unknown argument 'date'"],
  ['  a: { takes: [], operation: orders.create, again: b }', "unknown method 'b'"],
])('%s is refused', (methods, message) => {
  expect(problems(`${methods}\n`).join('\n')).toContain(message);
});

test('the key has to be one that pages have, and the path free', () => {
  const head = (key: string, path = '/js'): string => `script: [${path}]\nglobal: Bakery\nkey: ${key}\n`;
  expect(problems(METHODS, head('pubic')).join()).toContain("'pubic'");
  expect(problems(METHODS, head('quiet')).join()).toContain("needs 'browsers: true'");
  expect(problems(METHODS.replace('order:', 'bake:'), head('public', '/same, /same')).join()).toContain(
    'is also the route of',
  );
});
