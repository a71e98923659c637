import { PackWorld, problemsOf } from '../../support/pack-world.js';

const ORDER = `resource: order
collection: orders
indexes: [shop]
fields:
  bread: string
  shop: { type: string, default: north }
  size: { enum: [small, large], default: small }
  weight: { type: integer, default: 500 }
  baker: { ref: baker, nullable: true }
operations:
  create:
    params: { bread: { type: string, required: true }, shop: { type: string, default: north }, size: { enum: [small, large], default: small } }
  list:
    filters:
      bread: { type: string, many: true }
      size: { many: true }
      shop: { many: true }
      weight: {}
      baker: {}
  list_of_baker: { kind: list, route: "GET /bakers/{baker}/orders", filters: { baker: {} } }
`;
const BAKER = 'resource: baker\ncollection: bakers\nfields: { name: string? }\n';
const LENIENT =
  'lists: { envelope: { data: "${data}" }, size: { param: Limit }, cursors: { after: [next, after], before: before }, lenient: true }\n';

function worldOf(pack = ''): PackWorld {
  const made = new PackWorld({ 'pack.yaml': pack, 'resources/order.yaml': ORDER, 'resources/baker.yaml': BAKER });
  for (const bread of ['rye', 'spelt', 'wheat', 'oat'])
    made.do('orders.create', {
      bread,
      shop: bread === 'oat' ? 'south' : 'north',
      size: bread === 'rye' ? 'large' : 'small',
    });
  return made;
}

function breads(made: PackWorld, given: Record<string, string | string[]>): string[] {
  const { data } = made.do('orders.list', given, {}, true) as { data: { bread: string }[] };
  return data.map(({ bread }) => bread);
}

test.each<[Record<string, string | string[]>, string[]]>([
  [{ bread: 'rye' }, ['rye']],
  [{ bread: 'rye, oat' }, ['oat', 'rye']],
  [{ bread: ['rye', 'wheat,oat'] }, ['oat', 'wheat', 'rye']],
  [{ bread: 'cake' }, []],
  [{ bread: 'cake,rye' }, ['rye']],
  [{ shop: 'north,south', size: ['small'] }, ['oat', 'wheat', 'spelt']],
  [{ shop: 'south' }, ['oat']],
])('a filter of many takes any of its values: %p', (given, expected) => {
  expect(breads(worldOf(), given)).toEqual(expected);
});

test('a filter of many refuses what is none of its values', () => {
  const { status, body } = worldOf().call('orders.list', { size: 'small,huge' }, {}, true);
  expect([status, body]).toEqual([400, expect.stringContaining('"kind":"enum"')]);
});

test('many and range exclude each other', () => {
  const order = ORDER.replace('weight: {}', 'weight: { range: true, many: true }');
  expect(() => new PackWorld({ 'resources/order.yaml': order, 'resources/baker.yaml': BAKER })).toThrow(
    'exclude each other',
  );
});

test.each<[Record<string, string>, string[]]>([
  [{ Limit: 'two' }, ['oat', 'wheat', 'spelt', 'rye']],
  [{ Limit: '2' }, ['oat', 'wheat']],
  [{ Limit: '0' }, ['oat']],
  [{ weight: 'heavy' }, ['oat', 'wheat', 'spelt', 'rye']],
  [{ weight: '' }, ['oat', 'wheat', 'spelt', 'rye']],
  [{ bread: ',' }, ['oat', 'wheat', 'spelt', 'rye']],
  [{ baker: 'nobody' }, []],
  [{ next: 'nothing' }, ['oat', 'wheat', 'spelt', 'rye']],
  [{ before: 'nothing', Limit: '1' }, ['oat']],
])('a lenient list ignores what it cannot read: %p', (given, expected) => {
  expect(breads(worldOf(LENIENT), given)).toEqual(expected);
});

test('a cursor may have several names, of which the first that is sent counts', () => {
  const made = worldOf(LENIENT);
  const [rye, spelt] = made.rows('orders').map(({ id }) => id);
  expect(breads(made, { after: spelt })).toEqual(['rye']);
  expect(breads(made, { next: spelt, after: rye })).toEqual(['rye']);
  expect(breads(made, { next: spelt, before: rye })).toEqual(['rye']);
});

test('an object that the route of a lenient list names must exist', () => {
  const answer = worldOf(LENIENT).call('orders.list_of_baker', {}, { baker: 'nobody' }, true);
  expect([answer.status, answer.body]).toEqual([404, expect.stringContaining('"param":"baker"')]);
});

describe('a list with `sort`', () => {
  const sorted = (more: string): PackWorld => {
    const made = new PackWorld({
      'pack.yaml':
        'lists: { envelope: { data: "${data}" }, cursors: { after: starting_after, before: ending_before } }\n',
      'resources/order.yaml': ORDER.replace('  list:\n', `  list:\n    sort: bread\n${more}`).replace(
        '  create:',
        '  delete: {}\n  create:',
      ),
      'resources/baker.yaml': BAKER,
    });
    for (const bread of ['rye', 'spelt', 'wheat', 'oat', 'rye']) made.do('orders.create', { bread });
    return made;
  };

  test('is in the order of the field, the newest first among equals, and goes on behind a cursor that is gone', () => {
    const made = sorted('');
    expect(breads(made, {})).toEqual(['wheat', 'spelt', 'rye', 'rye', 'oat']);
    const rows = made.rows('orders');
    const newerRye = rows[4].id;
    made.do('orders.delete', {}, { id: newerRye });
    expect(breads(made, { limit: '2', starting_after: newerRye })).toEqual(['rye', 'oat']);
    expect(breads(made, { limit: '2', ending_before: rows[0].id })).toEqual(['wheat', 'spelt']);
  });

  test('is ascending when it says so', () => {
    expect(breads(sorted('    ascending: true\n'), { limit: '3' })).toEqual(['oat', 'rye', 'rye']);
  });
});

test('the order that is meant where none is asked for may depend on what a list is sorted by', () => {
  const made = worldOf(`lists:
  envelope: { data: "\${data}" }
  order: { param: way, values: { up: ascending, down: descending }, default: down, defaults: { name: up } }
  sort: { param: by, fields: { name: bread, place: shop } }
`);
  expect(breads(made, { by: 'name' })).toEqual(['oat', 'rye', 'spelt', 'wheat']);
  expect(breads(made, { by: 'name', way: 'down' })).toEqual(['wheat', 'spelt', 'rye', 'oat']);
  expect(breads(made, { by: 'place' })).toEqual(['oat', 'wheat', 'spelt', 'rye']);
  expect(breads(made, { by: 'place', way: 'up' })).toEqual(['rye', 'spelt', 'wheat', 'oat']);
});

test('defaults of an order name values of both parameters', () => {
  const pack = `lists:
  envelope: { data: "\${data}" }
  order: { param: way, values: { up: ascending }, defaults: { nmae: up, name: upp } }
  sort: { param: by, fields: { name: bread } }
`;
  expect(problemsOf({ 'pack.yaml': pack, 'resources/order.yaml': ORDER, 'resources/baker.yaml': BAKER })).toEqual([
    expect.stringContaining("unknown value 'nmae'"),
    expect.stringContaining("unknown value 'upp'"),
  ]);
});
