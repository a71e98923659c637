import { problemsOf } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Numbers that count within a parent: tickets and notes of a counter share theirs. */

const CHILD = (name: string, more: string, operations: string): string => `resource: ${name}
collection: ${name}s
path: /desks/{desk}/${name}s
id: { key: [desk, number] }
parent: { desk_id: [desk] }
fields:
  desk_id: { ref: desk }
  number: { type: integer, sequence: { per: desk_id${more} } }
  text: string
operations: { create: {}, ${operations} }
`;
const PACK = {
  'pack.yaml': 'lists: { envelope: { data: =data } }\n',
  'resources/desk.yaml': `resource: desk
collection: desks
path: /desks
fields: { name: string }
operations:
  create: { params: { name: string }, do: [{ create: desk, id: =params.name, from: params }] }
`,
  'resources/ticket.yaml': CHILD(
    'ticket',
    ', of: papers',
    'retrieve: {}, delete: {}, list: {}, torn: { route: "POST /desks/{desk}/torn", do: [{ create: ticket, with: { text: x } }, { fail: torn }] }',
  ),
  'resources/note.yaml': CHILD('note', ', of: papers', 'retrieve: {}'),
  'resources/stamp.yaml': CHILD('stamp', '', 'retrieve: {}'),
};
const ERRORS = '  torn: { status: 409, body: { error: torn } }\n';

const sandbox = startSandbox(PACK, { errors: ERRORS, each: 'test', seed: 's', t0: '2026-01-01T00:00:00Z' });
const { result: call } = sandbox;
beforeEach(async () => {
  for (const name of ['left', 'right']) await call('POST /desks', { name });
});
const add = async (path: string): Promise<unknown> => (await call(`POST /desks/${path}`, { text: 'x' }))[1]['number'];

test('each parent counts from 1, and what shares a name counts together', async () => {
  expect(await add('left/tickets')).toBe(1);
  expect(await add('left/notes')).toBe(2);
  expect(await add('right/tickets')).toBe(1);
  expect(await add('left/stamps')).toBe(1);
  expect(await add('left/tickets')).toBe(3);
  expect((await call('GET /desks/left/tickets/3'))[1]).toMatchObject({ id: 'left/3', number: 3 });
  expect((await call('GET /desks/left/tickets/2'))[0]).toBe(404);
});

test('a number does not come again after its object is deleted, and comes again after its command failed', async () => {
  await add('left/tickets');
  await add('left/tickets');
  await call('DELETE /desks/left/tickets/2');
  expect((await call('POST /desks/left/torn'))[0]).toBe(409);
  expect(await add('left/tickets')).toBe(3);
});

test('a rewind takes numbers back, and seeded objects count', async () => {
  const admin = (line: string, body?: object) => call(line.replace(' /', ' /__admin__/'), body);
  await add('left/tickets');
  await admin('POST /moments', { name: 'one' });
  await add('left/tickets');
  expect((await admin('POST /rewind', { to: 'one' }))[0]).toBe(200);
  expect(await add('left/tickets')).toBe(2);
  await admin('POST /reset', {});
  await call('POST /desks', { name: 'left' });
  const [status, problem] = await admin('POST /seed', {
    resource: 'tickets',
    objects: [{ id: 'left/7', desk_id: 'left', number: 7, text: 'seeded' }],
  });
  expect([status, problem]).toEqual([200, expect.anything()]);
  expect(await add('left/tickets')).toBe(8);
});

const STAMP = (sequence: string, number = 'integer'): Parameters<typeof problemsOf>[0] => ({
  ...PACK,
  'resources/stamp.yaml': CHILD('stamp', '', 'retrieve: {}')
    .replace('sequence: { per: desk_id }', `sequence: ${sequence}`)
    .replace('type: integer', `type: ${number}`),
});
test.each([
  ['{ per: desk }', 'integer', "unknown field 'desk'"],
  ['{ per: text }', 'integer', "'text' does not refer to an object"],
  ['{ per: desk_id }', 'string', "'number' cannot count: a sequence is a stored integer"],
  ['{ of: papers }', 'integer', "sequence needs the key 'per'"],
])('a mistake in a sequence is reported: %s of %s', (sequence, type, message) => {
  const problems = problemsOf(STAMP(sequence, type)).join('\n');
  expect(problems).toContain('stamp.yaml:8');
  expect(problems).toContain(message);
});
