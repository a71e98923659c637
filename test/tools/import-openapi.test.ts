import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack } from '../../engine/index.js';
import { readDocument } from '../../tools/openapi/index.js';
import { runCommand } from '../support/command.js';
import { ROOT } from '../support/root.js';
import type { Called } from '../support/http.js';
import { importInto, useFolders } from './imported.js';
import { folderOfTest } from '../support/scratch-folder.js';

const serveFolder = useFolders();

const imported = async (file: string) => importInto(await readDocument(join(ROOT, 'test/tools/openapi', file)));

/** Serves an imported document and gives what calls it. */
async function served(file: string): Promise<(line: string, json?: unknown) => Promise<Called>> {
  return (await serveFolder((await imported(file)).folder)).call;
}

test.each(['shelter.yaml', 'boards.json'])('%s gives a pack without problems', async (file) => {
  const { folder } = await imported(file);
  // What the document has and nothing reads is the author's to decide.
  expect(loadPack(folder).problems.filter(({ code }) => code !== 'unused-parameter')).toEqual([]);
});

test('the shelter: create, retrieve, update, list, act, delete', async () => {
  const call = await served('shelter.yaml');
  const cat = await call('POST /v1/animals', { name: 'Tom', species: 'cat', chip: { code: 'x1' } });
  expect(cat).toMatchObject({
    status: 201,
    body: { object: 'animal', name: 'Tom', state: 'waiting', friend: null, chip: { code: 'x1' }, tags: [] },
  });
  expect(cat.body['id']).toMatch(/^anm_/);
  expect(cat.body).not.toHaveProperty('age');
  const { id } = cat.body as { id: string };
  await call('POST /v1/animals', { name: 'Rex', species: 'dog' });
  expect(await call(`PATCH /v1/animals/${id}`, { age: 3 })).toMatchObject({
    status: 200,
    body: { id, name: 'Tom', age: 3 },
  });
  expect(await call(`GET /v1/animals/${id}`)).toMatchObject({ body: { age: 3, created: '2025-01-01T00:00:00.000Z' } });
  expect(await call('GET /v1/animals?species=dog&sort=name')).toMatchObject({
    body: { object: 'list', has_more: false, data: [{ name: 'Rex' }] },
  });
  const page = await call('GET /v1/animals?limit=1');
  expect(page).toMatchObject({ body: { has_more: true, data: [{ name: 'Rex' }] } });
  const [{ id: rex }] = page.body['data'] as { id: string }[];
  expect(await call(`GET /v1/animals?starting_after=${rex}`)).toMatchObject({ body: { data: [{ name: 'Tom' }] } });
  expect(await call(`POST /v1/animals/${id}/adopt`, { family: 'Doe' })).toMatchObject({ status: 200, body: { id } });
  expect(await call(`POST /v1/animals/${id}/visits`, { reason: 'cough' })).toMatchObject({
    status: 201,
    body: { animal_id: id, reason: 'cough' },
  });
  expect(await call(`GET /v1/animals/${id}/visits`)).toMatchObject({ body: { data: [{ reason: 'cough' }] } });
  expect(await call(`GET /v1/animals/${rex}/visits`)).toMatchObject({ body: { data: [] } });
  expect(await call(`DELETE /v1/animals/${id}`)).toMatchObject({ status: 204, text: '', body: {} });
  expect(await call(`GET /v1/animals/${id}`)).toMatchObject({ status: 404, body: { error: { type: 'not_found' } } });
});

test('objects of a path below another object are there in that one only', async () => {
  const { folder } = await imported('letters.json');
  expect(readFileSync(join(folder, 'resources', 'stamp.yaml'), 'utf8')).toContain('\nparent: letter_sid\n');
  const { call } = await serveFolder(folder);
  const letter = async (): Promise<string> => String((await call('POST /v1/Letters', { ToName: 'a' })).body['sid']);
  const [one, other] = [await letter(), await letter()];
  const { body: stamp } = await call(`POST /v1/Letters/${one}/Stamps`, { Cents: 5 });
  const below = async (parent: string): Promise<number> =>
    (await call(`GET /v1/Letters/${parent}/Stamps/${String(stamp['sid'])}`)).status;
  expect([await below(one), await below(other), await below('LE0')]).toEqual([200, 404, 404]);
});

test('the shelter refuses what its document forbids, in its own shape of errors', async () => {
  const call = await served('shelter.yaml');
  expect(await call('POST /v1/animals', { species: 'cat' })).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request', param: 'name' } },
  });
  expect(await call('POST /v1/animals', { name: 'x', species: 'cow' })).toMatchObject({
    status: 400,
    body: { error: { param: 'species' } },
  });
  expect(await call('POST /v1/animals/anm_nobody/visits', { reason: 'x' })).toMatchObject({ status: 404 });
});

test('the boards: wrapped answers, ids of another name, replacing, problems', async () => {
  const call = await served('boards.json');
  const made = await call('POST /api/boards', {
    name: 'Plan',
    settings: { color: 'red', columns: [{ name: 'todo' }] },
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      board: {
        name: 'Plan',
        visibility: 'private',
        about: null,
        settings: { color: 'red', columns: [{ name: 'todo' }] },
      },
    },
  });
  const { boardId } = made.body['board'] as { boardId: string };
  expect(boardId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(made.body['board']).not.toHaveProperty('id');
  expect(await call(`PUT /api/boards/${boardId}`, { name: 'Plan B', visibility: 'team' })).toMatchObject({
    status: 200,
    body: { board: { name: 'Plan B', visibility: 'team' } },
  });
  expect(await call(`GET /api/boards/${boardId}`)).toMatchObject({ body: { board: { boardId, name: 'Plan B' } } });
  const card = await call('POST /api/cards', { boardId, title: 'first' });
  expect(card).toMatchObject({ status: 201, body: { boardId, title: 'first', points: null, done: false } });
  expect(await call(`GET /api/cards?boardId=${boardId}`)).toMatchObject({
    body: { items: [{ title: 'first' }], total: 1, nextPageToken: null },
  });
  expect(await call('POST /api/boards', {})).toMatchObject({
    status: 422,
    body: { type: 'about:blank', title: 'Bad Request', status: 422, detail: 'name is required.' },
  });
  expect(await call(`DELETE /api/boards/${boardId}`)).toMatchObject({ status: 204 });
  expect(await call(`GET /api/boards/${boardId}`)).toMatchObject({
    status: 404,
    body: { status: 404, detail: expect.stringContaining(boardId) },
  });
});

test('what is left to decide is told', async () => {
  const { pack } = await imported('shelter.yaml');
  expect(pack.decisions).toEqual(
    expect.arrayContaining([
      "animals: state: 'adopt' leads to adopted; which transitions are there, and when? (its `machine:`)",
      "animals: list: the parameter 'sort' is accepted and does nothing",
    ]),
  );
  // A question names the line of what it asks for.
  const [first] = pack.questions.filter(({ ask }) => ask.includes('`state`'));
  const lines = pack.files[first.file].split('\n');
  expect([first.file, lines[first.line - 2]]).toEqual(['resources/animal.yaml', 'machine:']);
  expect(pack.files['import.md']).toContain(`\`${first.file}:${first.line}\``);
  // What belongs to no collection answers what the document shows.
  expect(pack.operations).toEqual({ all: 9, stateful: 8, stubs: 1, left: 0 });
  const boards = await imported('boards.json');
  expect(boards.pack.files['pack.yaml']).toContain('places: [{ header: X-Key }]');
});

test('the command writes a pack, tells what it made, and refuses what is no OpenAPI document', async () => {
  const folder = folderOfTest();
  const done = await runCommand(['import-openapi', join(ROOT, 'test/tools/openapi/shelter.yaml'), 'shelter'], {
    cwd: folder,
  });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toContain('packs/shelter: 2 resources');
  expect(done.stdout).toMatch(/Questions \(\d+\): packs\/shelter\/import.md/);
  writeFileSync(join(folder, 'old.json'), '{"swagger": "1.2"}');
  const refused = await runCommand(['import-openapi', 'old.json', 'old'], { cwd: folder });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('OpenAPI 1.2 is not supported');
});

test('answers to questions come into the pack, again and again, and what the author changed stays', async () => {
  const cwd = folderOfTest();
  const again = () =>
    runCommand(['import-openapi', join(ROOT, 'test/tools/openapi/shelter.yaml'), 'pets', '--ask', '--quiet'], { cwd });
  const path = (name: string): string => join(cwd, 'packs/pets', name);
  const edit = (name: string, from: string | RegExp, to: string): void => {
    const text = readFileSync(path(name), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(path(name), text.replace(from, to));
  };
  const animal = (): string => readFileSync(path('resources/animal.yaml'), 'utf8');
  expect(await again()).toMatchObject({ code: 0, stderr: '' });
  edit('resources/animal.yaml', /^id: \{ prefix: anm_(.*)$/m, 'id: { prefix: pet_$1 # as on their collars');
  const question = /(Which transitions does `state` have[^]*?answer:) null/;
  edit(
    'import-questions.yaml',
    question,
    '$1 { delays: { later: seconds(5) }, machine: { states: { waiting: { after: { later: adopted } } } } }',
  );
  expect(await again()).toMatchObject({ code: 0, stderr: '' });
  expect(animal()).toContain('# as on their collars');
  const { call, control } = await serveFolder(join(cwd, 'packs/pets'));
  const { body } = await call('POST /v1/animals', { name: 'Tom', species: 'cat' });
  expect(body['id']).toMatch(/^pet_/);
  await control.advance('6s');
  expect((await call(`GET /v1/animals/${String(body['id'])}`)).body).toMatchObject({ state: 'adopted' });
  const answer = (time: string): void => edit('import-questions.yaml', /(answer: .*later: )\w+\([^)]*\)/, `$1${time}`);
  answer('seconds(8)');
  expect(await again()).toMatchObject({ code: 0, stderr: '' });
  expect(animal()).toContain('later: seconds(8)');
  edit('resources/animal.yaml', 'seconds(8)', 'seconds(9)');
  answer('seconds(7)');
  expect((await again()).stderr).toMatch(/^resources\/animal.yaml:\d+ stays as you wrote it: delays.later/);
  expect(animal()).toContain('later: seconds(9)');
  edit('resources/animal.yaml', 'seconds(9)', 'seconds(7)');
  answer('unknown_name()');
  expect(await again()).toMatchObject({ code: 1, stderr: expect.stringContaining('unknown_name') as string });
});

test('recorded calls show ids, statuses and errors that the document does not have', async () => {
  const cwd = folderOfTest();
  const entry = (method: string, url: string, status: number, text: object, sent?: object): object => ({
    request: {
      method,
      url: `https://api.shelter.example${url}`,
      headers: [],
      ...(sent === undefined ? {} : { postData: { text: JSON.stringify(sent) } }),
    },
    response: {
      status,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { text: JSON.stringify(text) },
    },
  });
  const tom = {
    id: 'animal-77881234',
    object: 'animal',
    name: 'Tom',
    species: 'cat',
    state: 'waiting',
    created: '2024-05-01T10:00:00Z',
    api_key: 'x',
  };
  const gone = { error: { type: 'no_such_animal', message: 'It left.' } };
  const entries = [
    entry('POST', '/v1/animals', 201, tom, { name: 'Tom', species: 'cat' }),
    entry('GET', '/v1/animals/animal-1', 404, gone),
    entry('GET', '/elsewhere', 200, {}),
  ];
  writeFileSync(join(cwd, 'calls.har'), JSON.stringify({ log: { entries } }));
  const shelter = join(ROOT, 'test/tools/openapi/shelter.yaml');
  const done = await runCommand(['import-openapi', shelter, 'pets', '--from-recordings', 'calls.har'], { cwd });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toContain("2 of 3 recorded calls are of the document's operations");
  const { call } = await serveFolder(join(cwd, 'packs/pets'));
  const made = await call('POST /v1/animals', { name: 'Rex', species: 'dog' });
  expect(made.body).toMatchObject({ id: expect.stringMatching(/^animal-/) as string, name: 'Rex' });
  expect(await call('GET /v1/animals/none')).toMatchObject({
    status: 404,
    body: { error: { message: 'It left.' } },
  });
});
