import { problemsOf } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Routes below other objects: shelves of libraries, their books, and loans of books. */

const RESOURCES = {
  'resources/library.yaml': `resource: library
collection: libraries
path: /libraries
id: { key: [town, library] }
access: [{ allow: "!self.closed" }]
fields: { town: string, name: string, closed: { type: boolean, default: false }, on_strike: { type: boolean, default: false } }
operations:
  create:
    params: { town: string, name: string }
    do: [{ create: library, id: "\${params.town}/\${params.name}", from: params }]
  retrieve: {}
  close: { route: "POST /close/{town}/{library}", do: [{ set: self, to: { closed: true } }] }
  strike: { route: "POST /strike/{town}/{library}", do: [{ set: self, to: { on_strike: true } }] }
`,
  'resources/book.yaml': `resource: book
collection: books
title: book
path: /libraries/{town}/{library}/books
id: { prefix: bk_, format: short }
parent: library_id
fields:
  library_id: { ref: library }
  title: string
operations:
  create: { headers: { X-Library: "\${parent.name}" } }
  retrieve: { return: { id: =self.id, title: =self.title, in: "\${parent.town} \${parent.name}" } }
  update: { params: { title: string } }
  delete: {}
  list: {}
  everywhere: { kind: list, route: GET /books }
  anywhere: { kind: retrieve, route: "GET /books/{id}", return: { in: =parent.name } }
  find: { kind: search, route: "GET /libraries/{town}/{library}/search", fields: { title: string } }
`,
  'resources/loan.yaml': `resource: loan
collection: loans
path: /books/{book}/loans
id: { prefix: ln_, format: short }
parent: { book_id: [book] }
fields: { book_id: { ref: book }, to: string }
operations: { create: {}, list: {}, retrieve: {} }
`,
  // A library on strike lends nothing, shows no card that is not public, and lists none.
  'resources/card.yaml': `resource: card
collection: cards
title: card
path: /libraries/{town}/{library}/cards
id: { prefix: cd_, format: short }
parent: library_id
access:
  - { allow: "!parent.on_strike", else: on_strike, with: { name: =parent.name }, for: [create, list, count] }
  - { allow: "!parent.on_strike", for: [update] }
  - { allow: "self.open || !parent.on_strike", for: [retrieve, everywhere] }
fields: { library_id: { ref: library }, open: { type: boolean, default: false } }
operations:
  create: {}
  retrieve: {}
  update: {}
  list: {}
  count: { kind: action, route: "GET /libraries/{town}/{library}/card-count", return: { cards: "=count(card, {'library_id': parent.id})" } }
  everywhere: { kind: list, route: GET /cards }
`,
};
const PACK = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
lists: { envelope: { data: =data } }
search: { param: query, page: page, envelope: { data: =data } }
`,
  ...RESOURCES,
};

const ERRORS = `  search_query_invalid: { status: 400, args: { reason: string }, body: { reason: "\${reason}" } }
  on_strike: { status: 403, args: { name: string }, body: { closed: "\${name}" } }
`;

const options = { errors: ERRORS, seed: 's', t0: '2026-01-01T00:00:00Z' };
const sandbox = startSandbox(PACK, { each: 'test', ...options });
const { result: call } = sandbox;
beforeEach(async () => {
  for (const name of ['north', 'south']) await call('POST /libraries', { town: 'ulm', name });
});
const add = async (library: string, title: string): Promise<string> =>
  String((await call(`POST /libraries/ulm/${library}/books`, { title }))[1]['id']);
const titles = async (path: string): Promise<unknown[]> =>
  ((await call(`GET ${path}`))[1]['data'] as { title: string }[]).map(({ title }) => title);

test('what is created below a route belongs to what the route names', async () => {
  expect((await call('POST /libraries/ulm/north/books', { title: 'Maps' }))[1]).toMatchObject({
    library_id: 'ulm/north',
    title: 'Maps',
  });
  const response = await sandbox.call('POST /libraries/ulm/south/books', { title: 'Atlas' });
  expect(response.headers.get('x-library')).toBe('south');
});

test('a list below a route holds what is in the parent, others hold all', async () => {
  for (const [library, title] of [
    ['north', 'Maps'],
    ['south', 'Atlas'],
    ['north', 'Globes'],
  ])
    await add(library, title);
  expect(await titles('/libraries/ulm/north/books')).toEqual(['Globes', 'Maps']);
  expect(await titles('/libraries/ulm/north/books?limit=1')).toEqual(['Globes']);
  expect(await titles('/books')).toEqual(['Globes', 'Atlas', 'Maps']);
  expect(await titles('/libraries/ulm/south/search?query=title~"a"')).toEqual(['Atlas']);
});

test('an object below another parent is not found', async () => {
  const id = await add('north', 'Maps');
  expect((await call(`GET /libraries/ulm/north/books/${id}`))[1]).toEqual({ id, title: 'Maps', in: 'ulm north' });
  const [status, wrong] = await call(`GET /libraries/ulm/south/books/${id}`);
  const [, unknown] = await call('GET /libraries/ulm/south/books/bk_00000000');
  expect([status, JSON.stringify(wrong)]).toEqual([404, JSON.stringify(unknown).replace('bk_00000000', id)]);
  for (const line of ['PATCH', 'DELETE'])
    expect(
      (await call(`${line} /libraries/ulm/south/books/${id}`, line === 'PATCH' ? { title: 'x' } : undefined))[0],
    ).toBe(404);
  expect(await titles('/books')).toEqual(['Maps']);
});

test('where the route does not name it, the parent is what the object refers to', async () => {
  expect((await call(`GET /books/${await add('south', 'Maps')}`))[1]).toEqual({ in: 'south' });
});

test.each([
  ['GET /libraries/ulm/west/books', undefined],
  ['POST /libraries/ulm/west/books', { title: 'Maps' }],
  ['POST /libraries/ulm/west/books', {}],
  ['GET /libraries/ulm/west/books/bk_00000000', undefined],
  ['GET /books/bk_00000000/loans', undefined],
] as const)('%s is rejected for a parent that is not there', async (line, body) => {
  const [status, { id }] = await call(line, body);
  expect(status).toBe(404);
  expect(id).toBe(line.includes('west') ? 'ulm/west' : 'bk_00000000');
});

test('what is in a parent that hides is hidden, at every depth', async () => {
  const id = await add('north', 'Maps');
  const loan = String((await call(`POST /books/${id}/loans`, { to: 'ann' }))[1]['id']);
  const lines = [
    'GET /libraries/ulm/north/books',
    `GET /libraries/ulm/north/books/${id}`,
    `GET /books/${id}`,
    `GET /books/${id}/loans`,
    `GET /books/${id}/loans/${loan}`,
  ];
  for (const line of lines) expect((await call(line))[0]).toBe(200);
  await call('POST /close/ulm/north');
  for (const line of lines) expect([line, (await call(line))[0]]).toEqual([line, 404]);
  expect(await titles('/books')).toEqual([]);
});

test('a rule that reads the parent alone decides also what is made and listed below it', async () => {
  const card = async (open: boolean): Promise<string> =>
    String((await call('POST /libraries/ulm/north/cards', { open }))[1]['id']);
  const [open, secret] = [await card(true), await card(false)];
  await call('POST /libraries/ulm/south/cards', { open: false });
  await call('POST /strike/ulm/north');
  const north = '/libraries/ulm/north';
  for (const line of [`POST ${north}/cards`, `GET ${north}/cards`, `GET ${north}/card-count`])
    expect([line, ...(await call(line, line.startsWith('POST') ? {} : undefined))]).toEqual([
      line,
      403,
      { closed: 'north' },
    ]);
  expect(await call(`PATCH ${north}/cards/${open}`, { open: false })).toEqual([
    404,
    expect.objectContaining({ id: 'ulm/north' }),
  ]);
  expect((await call(`GET ${north}/cards/${open}`))[1]).toMatchObject({ open: true });
  expect((await call(`GET ${north}/cards/${secret}`))[0]).toBe(404);
  expect((await call('GET /cards'))[1]['data']).toMatchObject([{ library_id: 'ulm/south' }, { id: open }]);
});

test.each([
  ['self.to != null', 'only what it belongs to: read `parent` instead of `self`', '[create]', ''],
  ['parent.title != null', 'its routes name no loan', '[anywhere]', ', anywhere: { kind: create, route: POST /loans }'],
])('a rule that nothing asks is a mistake: %s', (allow, message, names, more) => {
  const all = problemsOf({
    ...PACK,
    'resources/loan.yaml': `resource: loan
collection: loans
path: /books/{book}/loans
id: { prefix: ln_, format: short }
parent: { book_id: [book] }
access: [{ allow: "${allow}", for: ${names} }]
fields: { book_id: { ref: book }, to: string }
operations: { create: {}, list: {}${more} }
`,
  });
  const problems = all.filter((each) => each.includes('loan.yaml'));
  expect(problems).toEqual([expect.stringMatching(/^unasked-rule .*loan\.yaml:6 nothing asks this rule/)]);
  expect(problems[0]).toContain(message);
});

const PARENT = (parent: string, more = ''): Parameters<typeof problemsOf>[0] => ({
  ...PACK,
  'resources/loan.yaml': `resource: loan
collection: loans
path: /books/{book}/loans
id: { prefix: ln_, format: short }
parent: ${parent}
fields: { book_id: { ref: book }, to: string, any_id: { ref: [book, library] }, next: { ref: loan }, at: { ref: library }${more} }
operations: { list: { } }
`,
});
test.each([
  ['bok_id', "unknown field 'bok_id'"],
  ['{ bok_id: [book] }', "unknown field 'bok_id'"],
  ['to', "'to' does not refer to objects of one resource"],
  ['any_id', "'any_id' does not refer to objects of one resource"],
  ['next', 'it belongs to itself: loan -> loan'],
  ['{ at: [town] }', 'the id of library has 2 parts (town, library), not 1'],
  ['{ book_id: [book, page] }', 'the id of book has 1 part, not 2'],
  ['{ book_id: [bok] }', "unknown route parameter 'book'"],
])('a mistake in a parent is reported at its line: %s', (parent, message) => {
  const problems = problemsOf(PARENT(parent)).join('\n');
  expect(problems).toContain('loan.yaml:');
  expect(problems).toContain(message);
});
