import { startSandbox } from '../../support/start-sandbox.js';

/** Clubs by their names, whatever their case, and members who are in several of them under one number. */

const PACK = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
lists: { envelope: { data: =data }, cursors: { after: after }, size: { param: limit } }
`,
  'resources/club.yaml': `resource: club
collection: clubs
path: /clubs
id: { key: [club], pattern: '.+', ignore_case: true }
fields: { town: string? }
operations:
  create: { params: { name: string, town: string }, do: [{ create: club, id: =params.name, with: { town: =params.town } }] }
  retrieve: {}
  update: { params: { town: string } }
  delete: {}
  list: {}
`,
  'resources/member.yaml': `resource: member
collection: members
path: /clubs/{club}/members
id: { key: [club, number] }
parent: club_id
fields: { id: { type: string, shown: =self.no }, club_id: { ref: club }, no: string, role: { type: string, default: guest } }
operations:
  create: { params: { no: string }, do: [{ create: member, id: "=parent.id + '/' + params.no", from: params }] }
  retrieve: {}
  update: { params: { role: string } }
  delete: {}
  list: {}
  count:
    kind: action
    route: GET /clubs/{club}/count
    params: { club: string }
    return: { club: =params.club, members: "=count(member, {'club_id': params.club})" }
`,
  'resources/party.yaml': `resource: party
collection: parties
path: /parties
id: { prefix: "", format: short }
indexes: [club]
fields: { club: { ref: club } }
operations: { create: { params: { club: { ref: club } } }, list: { filters: { club: {} } } }
`,
};

const sandbox = startSandbox(PACK, { each: 'test', seed: 's' });
type Body = Record<string, unknown> & { readonly data: Record<string, unknown>[] };
const ask = (line: string, body?: object): Promise<Body> => sandbox.body<Body>(line, body);
const { status } = sandbox;

test('ids that differ in their case only are one, and keep the case they were made with', async () => {
  await ask('POST /clubs', { name: 'Grand Élan' });
  expect(await ask('GET /clubs/GRAND%20%C3%89LAN')).toMatchObject({ id: 'Grand Élan' });
  expect(await status('POST /clubs', { name: 'grand élan' })).toBe(400);
  await ask('PATCH /clubs/grand%20%C3%A9lan', { town: 'Bern' });
  expect((await ask('GET /clubs')).data).toMatchObject([{ id: 'Grand Élan', town: 'Bern' }]);
  // Steps see the name as the object has it.
  await ask('POST /clubs', { name: 'Solo' });
  await ask('POST /clubs/SOLO/members', { no: '7' });
  expect(await ask('GET /clubs/solo/count')).toEqual({ club: 'Solo', members: 1 });
  // A reference is kept as the object's own id, so that indexes find it.
  await ask('POST /parties', { club: 'GRAND ÉLAN' });
  expect((await ask('GET /parties?club=grand%20%C3%A9lan')).data).toMatchObject([{ club: 'Grand Élan' }]);
});

test('an id is free again after a deletion, also in another case and after a rewind', async () => {
  await ask('POST /clubs', { name: 'Elan' });
  await sandbox.control.saveMoment('one club');
  await ask('DELETE /clubs/ELAN');
  expect(await status('GET /clubs/Elan')).toBe(404);
  expect(await ask('POST /clubs', { name: 'elan' })).toMatchObject({ id: 'elan' });
  await sandbox.control.rewind('one club');
  expect(await ask('GET /clubs/eLAN')).toMatchObject({ id: 'Elan' });
  expect(await status('POST /clubs', { name: 'elan' })).toBe(400);
});

test('any character may stand in a key', async () => {
  const name = '50% off? #1 & co.';
  await ask('POST /clubs', { name });
  expect(await ask(`GET /clubs/${encodeURIComponent(name)}`)).toMatchObject({ id: name });
});

test('the same id below two parents is two objects', async () => {
  for (const name of ['one', 'two']) {
    await ask('POST /clubs', { name });
    for (const no of ['7', '8', '9']) await ask(`POST /clubs/${name}/members`, { no });
  }
  expect(await status('POST /clubs/one/members', { no: '7' })).toBe(400);
  await ask('PATCH /clubs/TWO/members/7', { role: 'host' });
  expect(await ask('GET /clubs/one/members/7')).toMatchObject({ id: '7', role: 'guest' });
  expect(await ask('GET /clubs/two/members/7')).toMatchObject({ id: '7', role: 'host' });
  await ask('DELETE /clubs/two/members/9');
  const idsOf = async (line: string) => (await ask(line)).data.map(({ id }) => id);
  expect(await idsOf('GET /clubs/one/members')).toEqual(['9', '8', '7']);
  expect(await idsOf('GET /clubs/two/members')).toEqual(['8', '7']);
  // A cursor is the id that callers see, of the object below this parent; also one that is gone.
  expect(await idsOf('GET /clubs/one/members?after=9&limit=1')).toEqual(['8']);
  expect(await idsOf('GET /clubs/two/members?after=9&limit=1')).toEqual(['8']);
  expect(await status('GET /clubs/one/members?after=6')).toBe(404);
});
