import fc from 'fast-check';
import { problemsOf } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** A wiki host, invented: organisations are chosen by header, by path, by a key of their own, or by a token. */
const PACK = `timestamps: unix
ids:
  short: { parts: [{ random: 6 }] }
  numbered: { parts: [{ tenant: 3, home: own }, "-", { random: 4 }] }
durations: { review: 1h }
auth: { schemes: [bearer], key: { prefix: wiki_, random: 8 }, tokens: { resource: badge, field: secret } }
tenants:
  resource: org
  home: org_main
  headers: [X-Org, Wiki-Org]
  echo: true
  paths: [org, id]
  key: secret
  token: org
  admits: "self.state != 'closed'"
idempotency: { header: Idempotency-Key, methods: [POST], replayed_header: X-Again, max_length: 99, retention: 24h }
lists: { envelope: { data: "\${data}", more: "\${has_more}" }, cursors: { after: after, before: before } }
events: { resource: note, with: { type: "\${type}", about: "\${snapshot}", org: "\${tenant()}" }, previous_attributes: "*.never" }
delivery:
  endpoint:
    resource: hook
    active: "true"
    events: endpoint.events
    tenants: endpoint.whose
    register: { url: "\${url}", events: "\${events}" }
  transports: { http: { record: { to: "\${endpoint.url}", body: "\${rest(event)}" } } }
  retries: []
`;
const FILES = {
  'pack.yaml': PACK,
  'resources/org.yaml': `resource: org
collection: orgs
path: /orgs
id: { prefix: org_, format: short }
indexes: [secret]
fields:
  name: string
  pages: { type: integer, view: "\${count(page)}" }
  secret: { type: string, hidden: true, default: "\${'key_' + random_string(8)}" }
  state: { enum: [open, closed], machine: true }
machine:
  initial: open
  states: { open: { on: { close: closed } }, closed: {} }
operations:
  create: { params: { name: { type: string, required: true } }, return: "\${merge(rest(self), {'secret': self.secret})}" }
  retrieve: {}
  list: {}
  delete: {}
  close: { route: "POST /orgs/{id}/close", do: [{ send: close }] }
events: { org.closed: { enter: closed } }
`,
  'resources/page.yaml': `resource: page
collection: pages
path: /pages
id: { prefix: pg_, format: numbered }
order: made
indexes: [slug]
fields:
  slug: string
  made: { type: timestamp, default: "\${now}" }
  author: { ref: person, nullable: true }
  origin: string?
  nth: { type: integer, default: 0 }
  state: { enum: [draft, published], machine: true }
machine:
  initial: draft
  states: { draft: { after: { review: published }, on: { publish: published } }, published: { entry: note } }
actions: { note: [{ set: self, to: { nth: "\${count(page, {'state': 'published'})}" } }] }
operations:
  create:
    params: { slug: { type: string, required: true }, author: { ref: person } }
    do:
      - { fail: slug_taken, when: "find(page, {'slug': params.slug}) != null" }
      - { create: page, from: params }
  retrieve: { route: ["GET /pages/{id}", "GET /o/{org}/pages/{id}"], params: { org: string } }
  list: { route: ["GET /pages", "GET /o/{org}/pages"], params: { org: string }, filters: { slug: {} } }
  share:
    route: POST /pages/{id}/share
    params: { to: { type: string, required: true } }
    do:
      - { run: copy_page, with: { page: "\${self}", to: "\${params.to}" }, as: copy }
      - return: "\${{'id': copy.id, 'there': within(params.to, count(page)), 'here': count(page), 'at': default(tenant(), 'nowhere')}}"
flows:
  copy_page:
    args: { page: page, to: string }
    do:
      - let: { from: "default(tenant(), 'main')" }
      - within: to
        do:
          - { create: page, with: { slug: "\${page.slug}", origin: "\${from}" }, as: copy }
          - return: "\${copy}"
events: { page.made: { on: created }, page.published: { enter: published } }
`,
  'resources/person.yaml': `resource: person
collection: people
path: /people
shared: true
id: { prefix: per_, format: short }
fields: { name: string }
operations: { create: { params: { name: { type: string, required: true } } }, list: {} }
`,
  'resources/settings.yaml': `resource: settings
collection: settings
path: /settings
singleton: true
fields: { id: { type: string, internal: true }, colour: { type: string, default: grey } }
operations: { retrieve: {}, update: { params: { colour: string } } }
`,
  'resources/badge.yaml': `resource: badge
collection: badges
path: /badges
id: { prefix: bdg_, format: short }
indexes: [secret]
fields: { org: { ref: org, nullable: true }, secret: { type: string, default: "\${'tok_' + random_string(8)}" } }
operations: { create: { params: { org: { ref: org } } } }
`,
  'resources/note.yaml': `resource: note
collection: notes
path: /notes
id: { prefix: note_, format: short }
fields: { type: string, about: map, org: "string?" }
operations: { list: {} }
`,
  'resources/hook.yaml': `resource: hook
collection: hooks
path: /hooks
id: { prefix: hook_, format: short }
fields:
  url: string
  events: { type: array, items: string, default: ["*"] }
  whose: { enum: [none, only, all], default: none }
operations: { create: { params: { url: { type: string, required: true }, whose: { enum: [none, only, all] } } } }
`,
  'causes.yaml': `causes:
  review_done:
    description: the reviewers are through
    subject: { param: page, resource: page }
    when: "self.state == 'draft'"
    do: [{ send: publish }]
`,
};
const ERRORS = `  tenant_unknown: { status: 403, args: { tenant: string, key: string }, body: { error: no_such_org, org: "\${tenant}" } }
  slug_taken: { status: 409, body: { error: slug_taken } }
  idempotency_mismatch: { status: 400, args: { key: string }, body: { error: mismatch } }
  cursor_not_found: { status: 400, args: { id: string }, body: { error: no_cursor } }
`;

type Told = Record<string, unknown>;

describe('tenants', () => {
  const options = { errors: ERRORS, key: 'wiki_a', seed: 'orgs', t0: '2026-01-01T00:00:00Z' };
  const sandbox = startSandbox(FILES, { each: 'test', ...options });
  const { call, admin: control } = sandbox;

  const newOrg = async (name: string): Promise<{ readonly id: string; readonly secret: string }> => {
    const { body } = await call('POST /orgs', { name });
    return { id: String(body['id']), secret: String(body['secret']) };
  };

  const slugs = async (line: string, headers: Record<string, string> = {}): Promise<unknown> =>
    ((await call(line, undefined, headers)).body['data'] as Told[]).map((each) => each['slug']);

  test('a header, a path, a key and a token choose whose objects a call sees', async () => {
    const [a, b] = [await newOrg('A'), await newOrg('B')];
    const token = (await call('POST /badges', { org: b.id })).body['secret'];
    await call('POST /pages', { slug: 'own' });
    const made = await call('POST /pages', { slug: 'in-a' }, { 'X-Org': a.id });
    expect(made.headers.get('X-Org')).toBe(a.id);
    expect(String(made.body['id'])).toMatch(new RegExp(`^pg_${a.id.slice(-3)}-`));
    await call('POST /pages', { slug: 'in-b' }, { Authorization: `Bearer ${b.secret}` });
    expect(await slugs('GET /pages')).toEqual(['own']);
    expect(await slugs('GET /pages', { 'Wiki-Org': a.id })).toEqual(['in-a']);
    expect(await slugs(`GET /o/${a.id}/pages`)).toEqual(['in-a']);
    expect(await slugs('GET /pages', { Authorization: `Bearer ${String(token)}` })).toEqual(['in-b']);
    expect(await slugs('GET /pages', { 'X-Org': 'org_main' })).toEqual(['own']);
    expect((await call('GET /pages')).headers.get('X-Org')).toBeNull();
  });

  test("a tenant that is unknown, closed, deleted or another key's is refused with the pack's error", async () => {
    const [a, b] = [await newOrg('A'), await newOrg('B')];
    const refused = async (headers: Record<string, string>, path = '/pages'): Promise<unknown> => {
      const { status, body } = await call(`GET ${path}`, undefined, headers);
      return [status, body['error'] ?? null, body['org'] ?? null];
    };
    expect(await refused({ 'X-Org': 'org_none' })).toEqual([403, 'no_such_org', 'org_none']);
    expect(await refused({}, '/o/org_none/pages')).toEqual([403, 'no_such_org', 'org_none']);
    expect(await refused({}, '/orgs/org_none')).toEqual([403, 'no_such_org', 'org_none']);
    expect(await refused({ 'X-Org': b.id, Authorization: `Bearer ${a.secret}` })).toEqual([403, 'no_such_org', b.id]);
    expect(await refused({ 'X-Org': b.id }, `/o/${a.id}/pages`)).toEqual([403, 'no_such_org', a.id]);
    expect((await call(`POST /orgs/${a.id}/close`)).status).toBe(200);
    expect(await refused({ 'X-Org': a.id })).toEqual([403, 'no_such_org', a.id]);
    expect(await refused({ Authorization: `Bearer ${a.secret}` })).toEqual([403, 'no_such_org', a.id]);
    expect((await call(`DELETE /orgs/${b.id}`)).status).toBe(200);
    expect(await refused({ 'X-Org': b.id })).toEqual([403, 'no_such_org', b.id]);
  });

  test("ids, unique values, cursors, idempotency keys and sums are each tenant's own; shared objects everybody's", async () => {
    const a = await newOrg('A');
    const here = { 'X-Org': a.id };
    const own = await call('POST /pages', { slug: 'start' }, { 'Idempotency-Key': 'one' });
    const there = await call('POST /pages', { slug: 'start' }, { ...here, 'Idempotency-Key': 'one' });
    expect([own.status, there.status, there.headers.get('X-Again')]).toEqual([200, 200, null]);
    expect(
      (await call('POST /pages', { slug: 'start' }, { ...here, 'Idempotency-Key': 'one' })).headers.get('X-Again'),
    ).toBe('true');
    expect((await call('POST /pages', { slug: 'start' }, here)).status).toBe(409);
    expect((await call(`GET /pages/${String(own.body['id'])}`, undefined, here)).status).toBe(404);
    expect((await call(`GET /pages?after=${String(own.body['id'])}`, undefined, here)).status).toBe(400);
    const person = (await call('POST /people', { name: 'Ann' })).body['id'];
    expect((await call('POST /pages', { slug: 'by-ann', author: person }, here)).status).toBe(200);
    await call('PATCH /settings', { colour: 'red' }, here);
    expect((await call('GET /settings')).body['colour']).toBe('grey');
    expect((await call('GET /settings', undefined, here)).body['colour']).toBe('red');
    // A view of the tenant is what it sees itself, whoever asks.
    expect((await call(`GET /orgs/${a.id}`)).body['pages']).toBe(2);
    expect((await call('GET /orgs')).body['data']).toEqual([{ id: a.id, name: 'A', pages: 2, state: 'open' }]);
  });

  test('steps and expressions act in another tenant on purpose; timers and causes in that of their object', async () => {
    const [a, b] = [await newOrg('A'), await newOrg('B')];
    const page = (await call('POST /pages', { slug: 'x' }, { 'X-Org': a.id })).body['id'];
    const shared = await call(`POST /pages/${String(page)}/share`, { to: b.id }, { 'X-Org': a.id });
    expect(shared.body).toEqual({ id: expect.stringMatching(`^pg_${b.id.slice(-3)}-`), there: 1, here: 1, at: a.id });
    const copy = (await call(`GET /o/${b.id}/pages/${String(shared.body['id'])}`)).body;
    expect(copy).toMatchObject({ slug: 'x', origin: a.id, state: 'draft' });
    const next = (await control('GET /world/next')).body['causes'];
    expect(next).toContainEqual(expect.objectContaining({ params: { page: copy['id'] } }));
    await control('POST /world/events', { cause: 'review_done', params: { page: copy['id'] } });
    await call('POST /pages', { slug: 'y' }, { 'X-Org': b.id });
    await control('POST /clock/advance', { duration: '1h' });
    expect(((await call(`GET /o/${b.id}/pages`)).body['data'] as Told[]).map((each) => each['nth'])).toEqual([2, 1]);
    expect(((await call(`GET /o/${a.id}/pages`)).body['data'] as Told[]).map((each) => each['nth'])).toEqual([1]);
    const types = async (org: string): Promise<unknown> =>
      ((await call('GET /notes', undefined, { 'X-Org': org })).body['data'] as Told[]).map((each) => [
        each['type'],
        each['org'],
      ]);
    expect(await types(b.id)).toEqual([
      ['page.published', b.id],
      ['page.made', b.id],
      ['page.published', b.id],
      ['page.made', b.id],
    ]);
    expect((await call('GET /notes')).body['data']).toEqual([]);
    await call(`POST /orgs/${a.id}/close`);
    expect((await control('GET /state')).body).toMatchObject({
      tenants: { [a.id]: { resources: { notes: { length: 3 } } } },
    });
  });

  test('no call of a tenant sees or changes another one, whatever it names', async () => {
    const names = ['A', 'B', 'C'];
    const orgs: { readonly id: string; readonly secret: string }[] = [];
    for (const name of names) orgs.push(await newOrg(name));
    const tenants = async (): Promise<unknown> => (await control('GET /state?resource=orgs')).body['resources'];
    const before = await tenants();
    const line = (own: string, other: string): fc.Arbitrary<readonly [string, unknown]> =>
      fc.constantFrom<readonly [string, unknown]>(
        ['GET /orgs', undefined],
        ['GET /orgs?limit=1', undefined],
        [`GET /orgs?after=${other}`, undefined],
        [`GET /orgs/${other}`, undefined],
        [`DELETE /orgs/${other}`, undefined],
        [`POST /orgs/${other}/close`, {}],
        [`GET /o/${other}/pages`, undefined],
        ['POST /orgs', { name: 'sibling' }],
        ['POST /badges', { org: other }],
        [`GET /orgs/${own}`, undefined],
      );
    const cases = fc
      .tuple(fc.nat(2), fc.nat(1), fc.boolean())
      .chain(([nth, step, byKey]) =>
        fc.tuple(fc.constant({ nth, byKey }), line(orgs[nth].id, orgs[(nth + 1 + step) % 3].id)),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ([{ nth, byKey }, [path, body]]) => {
        const own = orgs[nth];
        const headers: Record<string, string> = byKey ? { Authorization: `Bearer ${own.secret}` } : { 'X-Org': own.id };
        const called = await call(path, body, headers);
        const seen = JSON.stringify(called.body);
        const isOwn = path.endsWith(own.id) || /^GET \/orgs(\?limit=1)?$/.test(path);
        expect(called.status === 200).toBe(isOwn);
        if (isOwn) expect(orgs.filter(({ id }) => seen.includes(id))).toEqual([own]);
        expect(await tenants()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  test('endpoints get whose events they listen to', async () => {
    const a = await newOrg('A');
    for (const whose of ['none', 'only', 'all']) await call('POST /hooks', { url: `http://${whose}.example/`, whose });
    await call('POST /hooks', { url: 'http://own.example/' }, { 'X-Org': a.id });
    await call('POST /pages', { slug: 'x' });
    await call('POST /pages', { slug: 'y' }, { 'X-Org': a.id });
    await control('POST /webhooks/flush');
    const sent = (await control('GET /webhooks/deliveries')).body['data'] as { request: { body: string } }[];
    const told = sent
      .map((each) => JSON.stringify(each))
      .map((text) => [/http:\/\/(\w+)\./.exec(text)?.[1], text.includes(a.id)]);
    expect(told.sort()).toEqual([
      ['all', false],
      ['all', true],
      ['none', false],
      ['only', true],
      ['own', true],
    ]);
  });

  test('a first endpoint of a tenant counts from then on, whatever was sent and asked for before', async () => {
    const [a, b] = [await newOrg('A'), await newOrg('B')];
    const told = async (slug: string): Promise<number> => {
      for (const { id } of [a, b]) await call('POST /pages', { slug }, { 'X-Org': id });
      await control('POST /webhooks/flush');
      return ((await control('GET /webhooks/deliveries')).body['data'] as unknown[]).length;
    };
    expect(await told('x')).toBe(0);
    await control('POST /moments', { name: 'before' });
    for (const { id } of [b, a]) {
      const hook = (await call('POST /hooks', { url: 'http://own.example/' }, { 'X-Org': id })).body as { id: string };
      expect((await control(`GET /objects/${hook.id}`)).body).toMatchObject({ tenant: id });
    }
    expect(await told('y')).toBe(2);
    await control('POST /rewind', { to: 'before' });
    expect(await told('y')).toBe(0);
  });

  test('state is seeded again as it was told; ledger, diff, forks and rewinds know tenants', async () => {
    const a = await newOrg('A');
    await call('POST /pages', { slug: 'x' }, { 'X-Org': a.id });
    await control('POST /moments', { name: 'before' });
    await call('POST /pages', { slug: 'y' }, { 'X-Org': a.id });
    const diff = (await control('GET /diff?from=before')).body['objects'] as Told[];
    expect(diff.map(({ collection, tenant }) => [collection, tenant])).toEqual(
      expect.arrayContaining([
        ['pages', a.id],
        ['notes', a.id],
      ]),
    );
    const listed = (await control(`GET /objects?resource=pages&tenant=${a.id}`)).body;
    expect(listed['data']).toHaveLength(2);
    const [{ id }] = listed['data'] as { id: string }[];
    expect((await control(`GET /objects/${id}`)).body).toMatchObject({
      tenant: a.id,
      timers: [{ tenant: a.id }],
      history: [{}],
    });
    const state = (await control('GET /state')).body;
    await control('POST /reset', { empty: true });
    expect((await control('POST /seed', state)).status).toBe(200);
    expect((await control('GET /state')).body).toEqual(state);
    expect(
      (
        await control('POST /seed', {
          resources: {},
          tenants: { org_x: { resources: { pages: [{ id: 'pg_x', slug: 's' }] } } },
        })
      ).body,
    ).toMatchObject({
      error: { path: 'tenants.org_x.resources.pages[0].id', code: 'invalid_id' },
    });
    await control('POST /rewind', { to: 'before' });
    expect(await slugs(`GET /o/${a.id}/pages`)).toEqual(['x']);
    await control('POST /clock/advance', { duration: '2h' });
    expect((await call(`GET /o/${a.id}/pages`)).body['data']).toMatchObject([{ state: 'published' }]);
  });
});

test('what a pack says wrong of tenants is told', () => {
  const wrong = (tenants: string): string[] =>
    problemsOf({
      ...FILES,
      'pack.yaml': PACK.replace(/tenants:\n(?: {2}.*\n)+/, `tenants: ${tenants}\n`),
    }).filter((each) => each.includes('pack.yaml'));
  expect(wrong('{ resource: orgg, headers: [X-Org] }').join()).toMatch(/unknown resource 'orgg'/);
  expect(wrong('{ resource: org }').join()).toMatch(/nothing chooses a tenant/);
  expect(wrong('{ resource: settings, headers: [X-Org] }').join()).toMatch(/settings has one object only/);
  expect(wrong('{ resource: org, paths: [og] }').join()).toMatch(/'og'/);
  expect(wrong('{ resource: org, key: nam }').join()).toMatch(/unknown field 'nam'/);
  expect(wrong('{ resource: org, key: name }').join()).toMatch(/'name' has to be one of the indexes of org/);
  expect(wrong('{ resource: org, token: og }').join()).toMatch(/unknown field 'og'/);
  expect(wrong('{ resource: org, paths: [org], admits: self.name }').join()).toMatch(/this must be true or false/);
  const deaf = PACK.replace('endpoint.whose', 'endpoint.whos');
  expect(problemsOf({ ...FILES, 'pack.yaml': deaf }).join()).toMatch(/hook has no field 'whos'/);
  const without = problemsOf({
    ...FILES,
    'pack.yaml': PACK.replace(/tenants:\n(?: {2}.*\n)+/, ''),
  }).join('\n');
  expect(without).toMatch(/no-tenants resources\/person.yaml/);
  expect(without).toMatch(/no-tenants resources\/page.yaml/);
  expect(without).toMatch(/tenant\(\) needs a pack with `tenants`/);
});
