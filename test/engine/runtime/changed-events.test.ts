import type { Bug } from '../../../engine/control/index.js';
import { replayBug } from '../../../engine/hosting/index.js';
import { packFolder } from '../../support/sample-pack.js';
import { problemsOf } from '../../support/pack-world.js';
import { type Body } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** `on: changed`: an event of whatever changes an object, with the values before. */

const FILES = {
  'pack.yaml': `events: { resource: event, with: { type, data: =snapshot, before: =previous }, previous_attributes: "*.changed" }
durations: { rest: { default: 1h } }
lists: { envelope: =data }
`,
  'resources/event.yaml': `resource: event
collection: events
fields: { type: string, data: any, before: any }
operations: { list: { ascending: true } }
`,
  'resources/page.yaml': `resource: page
collection: pages
fields: { name: { type: string, default: a }, note: string?, other: { ref: page, nullable: true }, status: { machine: true } }
machine: { initial: on, states: { on: { on: { off: off } }, off: { after: { rest: on } } } }
operations:
  create: { params: { name, other: { ref: page } }, do: [{ create: page, from: params }, { set: page, to: { note: made } }] }
  update: { params: { name } }
  delete: {}
  rename: { params: { name! }, do: [{ set: self, to: { name: =params.name } }, { set: self, to: { note: renamed } }] }
  same: { do: [{ set: self, to: { name: =self.name } }] }
  both:
    do:
      - { set: self, to: { name: x } }
      - { let: { peer: get(self.other) } }
      - { set: peer, to: { name: y }, when: peer != null }
  off: { do: [{ send: off }] }
  fail: { do: [{ set: self, to: { name: z } }, { fail: not_found, with: { id: x, param: y } }] }
events:
  page.created: { on: created }
  page.changed: { on: changed }
  page.deleted: { on: deleted }
`,
  'causes.yaml': `causes:
  page.torn: { description: It tears., subject: { param: page, resource: page }, do: [{ set: self, to: { note: torn } }] }
`,
};

const pack = packFolder(FILES);
const { body, admin, status } = startSandbox(pack, { t0: '2026-01-01T00:00:00Z', reset: {} });

interface Happened {
  readonly type: string;
  readonly data: Body;
  readonly before: Body | null;
}

/** Type, name and what was before, of all events but creations. */
const changes = async (): Promise<unknown[]> =>
  (await body<readonly Happened[]>('GET /events'))
    .filter(({ type }) => type !== 'page.created')
    .map(({ type, data, before }) => [type, data['name'], before]);

const made = async (fields: Body = {}): Promise<string> => String((await body('POST /pages', fields))['id']);

test('every way of changing an object is reported once, with what it was', async () => {
  const other = await made({ name: 'o' });
  const id = await made({ other });
  expect(await changes()).toEqual([]);
  await body(`POST /pages/${id}/rename`, { name: 'b' });
  await body(`POST /pages/${id}/same`);
  await body(`POST /pages/${id}/both`);
  await body(`POST /pages/${id}/off`);
  await admin('POST /clock/advance', { duration: '2h' });
  await admin('POST /world/events', { cause: 'page.torn', page: id });
  expect(await status(`POST /pages/${id}/fail`)).toBe(404);
  await body(`PATCH /pages/${id}`, { name: 'c' });
  await body(`DELETE /pages/${id}`);
  expect(await changes()).toEqual([
    ['page.changed', 'b', { name: 'a', note: 'made' }],
    ['page.changed', 'x', { name: 'b' }],
    ['page.changed', 'y', { name: 'o' }],
    ['page.changed', 'x', { status: 'on' }],
    ['page.changed', 'x', { status: 'off' }],
    ['page.changed', 'x', { note: 'renamed' }],
    ['page.changed', 'c', { name: 'x' }],
    ['page.deleted', 'c', null],
  ]);
});

test('a replay makes the same events', async () => {
  const id = await made();
  await body(`POST /pages/${id}/rename`, { name: 'b' });
  await body(`POST /pages/${id}/off`);
  await admin('POST /clock/advance', { duration: '2h' });
  const { unlike, sandbox } = await replayBug((await admin<Bug>('GET /export')).body, { pack, port: 0 });
  await sandbox.close();
  expect(unlike).toBeNull();
});

test.each([
  ['page.changed: { on: changed }', 'page.changed: { on: updated }', []],
  ['  update: { params: { name } }\n', '', []],
])('%s -> %s has no warning', (from, to, told) => {
  const page = FILES['resources/page.yaml'].replace(from, to);
  expect(problemsOf({ ...FILES, 'resources/page.yaml': page }).filter((each) => each.startsWith('event'))).toEqual(
    told,
  );
});

test('an event of updates that no update operation makes is reported, with the word for all changes', () => {
  const page = FILES['resources/page.yaml']
    .replace('  update: { params: { name } }\n', '')
    .replace('on: changed', 'on: updated');
  const told = problemsOf({ ...FILES, 'resources/page.yaml': page }).filter((each) => each.startsWith('event'));
  expect(told).toEqual([expect.stringContaining('`on: changed` is for all steps that change one')]);
});
