import { problemsOf } from '../../support/pack-world.js';
import { type Body } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Who calls, and what that person may reach: notebooks of the members of a club. */

const PACK = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
vars: { keeper: mem_keeper00 }
auth:
  actor: { resource: member, id: "request.key == 'token' ? get(pass, request.token).member : vars.keeper" }
  tokens:
    resource: pass
    field: id
    scopes: self.scopes
    implies: { "notes:write": ["notes:read"], admin: ["notes:write"] }
events: { resource: event, with: { kind: "\${type}", by: "\${actor.name}", note: "\${snapshot}" } }
`,
  'resources/member.yaml': `resource: member
collection: members
path: /members
id: { prefix: mem_, format: short }
fields: { name: string }
operations: { create: { params: { id: string, name: string }, do: [{ create: member, id: "\${params.id}", with: { name: "\${params.name}" } }] } }
`,
  'resources/pass.yaml': `resource: pass
collection: passes
path: /passes
id: { prefix: pas_, format: short }
fields: { member: { ref: member }, scopes: { type: array, items: string } }
operations: { create: {} }
`,
  'resources/event.yaml': `resource: event
collection: events
path: /events
id: { prefix: evt_, format: short }
fields: { kind: string, by: string?, note: map }
operations: { list: {} }
`,
  'resources/note.yaml': `resource: note
collection: notes
path: /notes
id: { prefix: not_, format: short }
access:
  - { allow: "!self.private || self.author == actor.id" }
  - { allow: "self.author == actor.id", else: not_yours, with: { name: "\${actor.name}" }, for: [update, delete] }
fields:
  text: string
  private: { type: boolean, default: false }
  author: { ref: member, default: "\${actor.id}" }
  mine: { type: boolean, view: "\${self.author == actor.id}" }
  may_write: { type: boolean, view: "\${has_scope('notes:write')}" }
operations:
  create: { params: { text: string, private: boolean }, scopes: ["notes:write"] }
  retrieve: { scopes: ["notes:read"] }
  update: { params: { text: string } }
  burn:
    do:
      - fail: scope_missing
        when: "!['notes:burn', self.private ? 'admin' : 'notes:write'].exists(s, has_scope(s))"
        with: { scopes: ["notes:burn"] }
      - delete: self
  delete: { any_scope: [admin, "notes:burn"] }
  list: {}
  mine: { kind: list, route: GET /mine, where: "item.author == actor.id" }
events:
  note.created: { on: created }
`,
};
const ERRORS = `  not_yours: { status: 403, args: { name: string }, body: { message: "\${name} may not" } }
  scope_missing: { status: 403, args: { scopes: { type: array, items: string } }, body: { lacks: "\${scopes}" } }
`;

const sandbox = startSandbox(PACK, { errors: ERRORS, seed: 's', t0: '2026-01-01T00:00:00Z' });
const passes: Record<string, string> = {};
beforeAll(async () => {
  for (const [name, scopes] of [
    ['keeper', ['admin']],
    ['ann', ['notes:write']],
    ['bob', ['notes:read', 'notes:burn']],
    ['eve', []],
  ] as const) {
    const id = `mem_${name}00000000`.slice(0, 12);
    await call('POST /members', { id, name });
    passes[name] = String((await call('POST /passes', { member: id, scopes }))[1]['id']);
  }
});
const call = (line: string, body?: object, by?: string): Promise<[number, Body]> =>
  sandbox.result(line, body, by === undefined ? {} : { authorization: `Bearer ${passes[by]}` });
const write = async (text: string, by: string, more = {}): Promise<string> =>
  String((await call('POST /notes', { text, ...more }, by))[1]['id']);

test('defaults, views and events see who calls, whoever read the object before', async () => {
  const id = await write('hello', 'ann');
  expect((await call(`GET /notes/${id}`, undefined, 'ann'))[1]).toMatchObject({ author: 'mem_ann00000', mine: true });
  expect((await call(`GET /notes/${id}`, undefined, 'bob'))[1]).toMatchObject({ mine: false });
  expect((await call(`GET /notes/${id}`))[1]).toMatchObject({ mine: false });
  const [, { data }] = await call('GET /events');
  expect(data).toMatchObject([{ by: 'ann', note: { mine: true } }]);
});

test('lists are filtered by who calls', async () => {
  await write('of the keeper', 'keeper');
  const [, { data }] = await call('GET /mine');
  expect(data).toMatchObject([{ text: 'of the keeper', mine: true }]);
});

test('what others may not see is not found, and in no list', async () => {
  const id = await write('secret', 'ann', { private: true });
  expect((await call(`GET /notes/${id}`, undefined, 'ann'))[0]).toBe(200);
  const [status, missing] = await call(`GET /notes/${id}`, undefined, 'bob');
  const [, unknown] = await call('GET /notes/not_00000000', undefined, 'bob');
  expect([status, JSON.stringify(missing)]).toEqual([404, JSON.stringify(unknown).replace('not_00000000', id)]);
  const texts = async (by: string): Promise<unknown[]> =>
    ((await call('GET /notes', undefined, by))[1]['data'] as { text: string }[]).map(({ text }) => text);
  expect(await texts('ann')).toContain('secret');
  expect(await texts('bob')).not.toContain('secret');
});

test('a rule for some operations rejects with its own error, and nothing happens', async () => {
  const id = await write('mine', 'ann');
  expect(await call(`PATCH /notes/${id}`, { text: 'yours' }, 'bob')).toEqual([403, { message: 'bob may not' }]);
  expect((await call(`PATCH /notes/${id}`, { text: 'still mine' }, 'ann'))[1]).toMatchObject({ text: 'still mine' });
});

test.each([
  ['ann', 'POST /notes', 200, 'the scope itself'],
  ['keeper', 'POST /notes', 200, 'a scope that implies it'],
  ['bob', 'POST /notes', 403, 'a lesser scope'],
  ['keeper', 'GET /notes/not_00000000', 404, 'a scope implied by an implied one'],
  ['eve', 'GET /notes/not_00000000', 403, 'no scope'],
  ['bob', 'DELETE /notes/not_00000000', 404, 'one of several'],
  ['ann', 'DELETE /notes/not_00000000', 403, 'none of several'],
] as const)('%s calls %s: %d, with %s', async (by, line, status, _why) => {
  expect((await call(line, line.startsWith('POST') ? { text: 'x' } : undefined, by))[0]).toBe(status);
});

test('scopes may depend on the object, and a view sees those of who reads', async () => {
  const open = await write('open', 'ann');
  const own = await write('hidden', 'ann', { private: true });
  const mayWrite = async (by?: string): Promise<unknown> =>
    (await call(`GET /notes/${open}`, undefined, by))[1]['may_write'];
  expect([await mayWrite('ann'), await mayWrite('bob'), await mayWrite('keeper'), await mayWrite()]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(await call(`POST /notes/${own}/burn`, {}, 'ann')).toEqual([403, { lacks: ['notes:burn'] }]);
  expect((await call(`POST /notes/${open}/burn`, {}, 'ann'))[0]).toBe(200);
  expect((await call(`POST /notes/${open}/burn`, {}, 'eve'))[0]).toBe(404);
});

test('all scopes of which one is enough are named', async () => {
  const [, body] = await call('DELETE /notes/not_00000000', undefined, 'ann');
  expect(body).toEqual({ lacks: ['admin', 'notes:burn'] });
});

test('an unknown error of a rule is reported where it stands', () => {
  const problems = problemsOf(NOTE('allow: "true"\n    else: not_fond'));
  expect(problems).toEqual([expect.stringMatching(/^unknown-error .*note.yaml:7 unknown error 'not_fond'/)]);
});

const NOTE = (access: string, pack = 'actor: { resource: note, id: "null" }'): Parameters<typeof problemsOf>[0] => ({
  'pack.yaml': `auth: { ${pack} }\n`,
  'resources/note.yaml': `resource: note
collection: notes
path: /notes
id: { prefix: not_ }
access:
  - ${access}
fields: { text: string }
operations: { retrieve: {} }
`,
});
test.each([
  ['{ allow: "self.txt == null" }', 'note.yaml:6', "note has no field 'txt'"],
  ['{ allow: "actor.txt == null" }', 'note.yaml:6', "note has no field 'txt'"],
  ['{ allow: "actr == null" }', 'note.yaml:6', "unknown name 'actr'"],
  ['{ allow: "self.text" }', 'note.yaml:6', 'this must be true or false, it is a string'],
  ['{ allow: "true", else: not_fond }', 'note.yaml:6', "unknown error 'not_fond'"],
  ['{ allow: "true", for: [retrive] }', 'note.yaml:6', "unknown operation 'retrive'"],
])('a mistake in a rule is reported at its line: %s', (rule, place, message) => {
  const problems = problemsOf(NOTE(rule)).join('\n');
  expect(problems).toContain(place);
  expect(problems).toContain(message);
});

test.each([
  ["has_scope('a')", 'has_scope() needs a pack with `auth.tokens.scopes`'],
  ['has_scope(1)', 'has_scope() needs'],
])('a scope of a pack without scopes is a mistake: %s', (allow, message) => {
  expect(problemsOf(NOTE(`{ allow: "${allow}" }`)).join('\n')).toContain(message);
});

test.each([
  ['actor: { resource: nte, id: "null" }', "unknown resource 'nte'"],
  ['actor: { resource: note, id: "actor.id" }', "unknown name 'actor'"],
])('a mistake in who calls is reported: %s', (auth, message) => {
  expect(problemsOf(NOTE('{ allow: "true" }', auth)).join('\n')).toContain(message);
});
