import { PackWorld } from '../../support/pack-world.js';
import { minimal } from '../../support/sample-pack.js';

const ORDER = `resource: order
collection: orders
fields:
  bread: string
  weight: integer
  sliced: { type: boolean, default: false }
operations:
  create: { params: { bread: { type: string, required: true }, weight: { type: integer, required: true } } }
  search: { fields: { bread: string, weight: integer, sliced: boolean } }
`;
const ERRORS = '  search_query_invalid: { status: 400, args: { reason: string }, body: { reason: "${reason}" } }\n';
const SEARCH =
  'lists: { envelope: { data: "${data}" } }\nsearch: { param: query, page: page, envelope: { data: "${data}" }, shortest: 3 }\n';

function asked(query: string, pack = SEARCH, order = ORDER): unknown {
  const world = new PackWorld({
    'pack.yaml': pack,
    'errors.yaml': `${minimal.files['errors.yaml']}${ERRORS}`,
    'resources/order.yaml': order,
  });
  world.do('orders.create', { bread: 'Rye', weight: 750 });
  world.do('orders.create', { bread: 'Oat', weight: 500 });
  return JSON.parse(world.call('orders.search', { query }).body ?? '{}');
}

test.each([
  ["bread:'rye'", ['Rye']],
  ["bread~'rye'", ['Rye']],
  ['weight>600', ['Rye']],
  ["-bread~'rye' AND weight<=500", ['Oat']],
])('%s', (query, found) => {
  expect(asked(query)).toMatchObject({ data: found.map((bread) => ({ bread })) });
});

test.each([
  ["bread~'ry'", '~ needs at least 3 characters'],
  ["weight~'750'", 'Field `weight` cannot be compared with ~'],
  ["sliced~'true'", 'Field `sliced` cannot be compared with ~'],
  ["bread>'a'", 'Field `bread` cannot be compared with >'],
])('%s is refused', (query, reason) => {
  expect(asked(query)).toMatchObject({ reason });
});

test('without `shortest` one letter is enough', () => {
  expect(asked("bread~'r'", SEARCH.replace(', shortest: 3', ''))).toMatchObject({ data: [{ bread: 'Rye' }] });
});

test('what every item must meet holds for searches as well', () => {
  const light = ORDER.replace('  search: { fields', '  search: { where: "item.weight < 600", fields');
  expect(asked('weight>1', SEARCH, light)).toMatchObject({ data: [{ bread: 'Oat' }] });
  expect(asked("bread:'rye'", SEARCH, light)).toEqual({ data: [] });
});
