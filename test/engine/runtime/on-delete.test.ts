import { PackWorld, problemsOf } from '../../support/pack-world.js';

const PACK = `ids: { short: { parts: [{ random: 6 }] } }
events: { resource: event, with: { type: "\${type}", about: "\${object.id}" } }
`;

/** A resource with create, retrieve and delete, whose ids its callers choose. */
function resource(name: string, fields: string, rest = ''): string {
  return `resource: ${name}
collection: ${name}s
path: /${name}s
id: { pattern: "^[a-zA-Z0-9]+$" }
fields: { ${fields} }
operations:
  create: { params: { name: string, OF: "string?" }, do: [{ create: ${name}, id: "\${params.name}", with: { of: "\${params.OF}" } }] }
  delete: {}
events: { ${name}.deleted: { on: deleted }${name === 'note' ? ', note.updated: { on: updated }' : ''} }
${rest}`.replaceAll('OF', 'of');
}

const EVENT = `resource: event
collection: events
path: /events
id: { prefix: evt_, format: short }
fields: { type: string, about: string }
operations: [list]
`;

const FILES = {
  'pack.yaml': PACK,
  'resources/event.yaml': EVENT,
  'resources/city.yaml': resource('city', 'of: string?', 'on_delete: cascade\n'),
  'resources/shop.yaml': resource('shop', 'of: { ref: city, nullable: true }'),
  'resources/cake.yaml': resource('cake', 'of: { ref: shop, nullable: true, on_delete: cascade }'),
  'resources/note.yaml': resource('note', 'of: { ref: cake, nullable: true, on_delete: clear }'),
  'resources/loan.yaml': resource('loan', 'of: { ref: cake, nullable: true, on_delete: refuse }'),
  'resources/twin.yaml': resource('twin', 'of: { ref: twin, nullable: true, on_delete: cascade }'),
};
const ERRORS = `  still_referenced: { status: 409, args: { id: string, by: string, by_id: string }, body: { code: used, by: "\${by} \${by_id}" } }
`;

describe('what is deleted', () => {
  let world: PackWorld;
  beforeEach(() => {
    world = new PackWorld(FILES, 'bakery', ERRORS);
    for (const [kind, name, of] of [
      ['city', 'oslo', null],
      ['shop', 's1', 'oslo'],
      ['shop', 's2', 'oslo'],
      ['cake', 'c1', 's1'],
      ['cake', 'c2', 's2'],
      ['note', 'n1', 'c1'],
    ])
      world.do(`${kind}s.create`, { name, of });
  });

  const told = (): string[] =>
    world.rows('events').map(({ value }) => `${String(value['type'])} ${String(value['about'])}`);

  test('takes along what cascades, before itself, and clears what does not', () => {
    world.do('citys.delete', {}, { id: 'oslo' });
    for (const collection of ['citys', 'shops', 'cakes']) expect(world.rows(collection)).toHaveLength(0);
    expect(world.rows('notes').map(({ value }) => value['of'])).toEqual([null]);
    expect(told()).toEqual([
      'note.updated n1',
      'cake.deleted c1',
      'shop.deleted s1',
      'cake.deleted c2',
      'shop.deleted s2',
      'city.deleted oslo',
    ]);
  });

  test('stays, with all that would go along, when something refuses', () => {
    world.do('loans.create', { name: 'l1', of: 'c2' });
    const refused = world.call('citys.delete', {}, { id: 'oslo' });
    expect([refused.status, refused.body]).toEqual([409, '{"code":"used","by":"loan l1"}']);
    expect(world.rows('cakes')).toHaveLength(2);
    expect(told()).toEqual([]);
  });

  test('goes once, where references lead in a circle', () => {
    world.do('twins.create', { name: 'a', of: null });
    world.do('twins.create', { name: 'b', of: 'a' });
    const [, a] = [world.rows('twins')[1], world.rows('twins')[0]];
    world.engine.command('circle', 'control', (command) => command.replace(a, { ...a.value, of: 'b' }));
    world.do('twins.delete', {}, { id: 'a' });
    expect(told()).toEqual(['twin.deleted b', 'twin.deleted a']);
  });
});

test.each([
  ['resources/shop.yaml', resource('shop', 'of: { ref: city, on_delete: clear }'), "'of' of shop cannot be null"],
  [
    'resources/shop.yaml',
    resource('shop', 'of: { type: string, on_delete: cascade }'),
    "'of' is not a stored reference",
  ],
  ['resources/loan.yaml', resource('loan', 'of: string?', 'on_delete: cascade\n'), 'nothing refers to loan'],
  ['resources/loan.yaml', resource('loan', 'of: { ref: cake, on_delete: refuse }'), "unknown error 'still_referenced'"],
])('a mistake in %s', (file, text, told) => {
  expect(problemsOf({ ...FILES, [file]: text }).join('\n')).toContain(told);
});
