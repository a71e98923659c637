import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bug, loadPack, replayBug } from '../../../engine/index.js';
import { formatProblems } from '../../../engine/pack/index.js';
import { folderOfTest } from '../../support/scratch-folder.js';
import { ROOT } from '../../support/root.js';
import { TestSandbox, forTests } from '../../support/start-sandbox.js';

/** Operations that share a method and path: a header, a parameter or a member of the body tells them apart. */

const PACK = join(ROOT, 'test', 'packs', 'switchboard');
const board = forTests(new TestSandbox('test/packs/switchboard', { key: 'sw_test' }), { reset: {} });
const by = (name: string) => ({ 'x-target': `Switchboard_2024.${name}` });
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('the pack has no problem, not even a warning', () => {
  const { problems, source } = loadPack(PACK);
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

test.each([
  ['a header', 'POST /', { text: 'a' }, by('WriteNote'), { text: 'a' }],
  ['a parameter of a form', 'POST /query', 'Action=WriteNote&text=b', FORM, { text: 'b' }],
  ['a member of JSON', 'POST /query', { Action: 'WriteNote', text: 'c' }, {}, { text: 'c' }],
  ['a parameter of the query', 'GET /query?Action=WriteNote&text=d', undefined, {}, { text: 'd' }],
  ['a parameter of the query, not the body', 'POST /query?Action=CountNotes', 'Action=WriteNote', FORM, { count: 0 }],
  ['a member of JSON, for the rest', 'POST /rpc', { id: 1, method: 'x' }, {}, { id: 1, error: 'x is not a method' }],
  ['a member of JSON, by its value', 'POST /rpc', { id: 2, method: 'notes.count' }, {}, { id: 2, result: 0 }],
  ['a parameter that is there', 'GET /notes?texts', undefined, {}, { texts: [] }],
  ['two parameters that are there', 'GET /notes?texts&part=3', undefined, {}, { part: 3 }],
])('%s decides: %s', async (_, line, body, headers, expected) => {
  const { status, body: response } = await board.call(line, body, headers);
  expect({ status, response }).toMatchObject({ status: 200, response: expected });
});

test.each([
  ['POST /', {}, {}, {}],
  ['POST /', {}, by('Nothing'), { given: 'Switchboard_2024.Nothing' }],
  ['POST /query', 'Action=Nothing', FORM, { given: 'Nothing' }],
  ['POST /query', '{', {}, {}],
])('%s with %j is no operation: the error names what the call gave', async (line, body, headers, given) => {
  const { status, body: response } = await board.call(line, body, headers);
  expect({ status, response }).toEqual({ status: 400, response: { code: 'UnknownOperation', ...given } });
});

test('the other checks of a call stay: key, parameters, faults, traces', async () => {
  const open = await board.call('POST /', { text: 'a' }, { ...by('WriteNote'), authorization: '' });
  expect(open).toMatchObject({ status: 401 });
  const unknown = await board.call('POST /query', 'Action=WriteNote&text=a&Other=1', FORM);
  expect(unknown).toMatchObject({ status: 400, body: { code: 'Unknown', param: 'Other' } });
  const fault = { resource: 'notes', operation: 'write', status: 503, error: { code: 'x' } };
  await board.control.fault(fault);
  expect(await board.call('POST /', { text: 'a' }, by('WriteNote'))).toMatchObject({ status: 503 });
  expect(await board.call('POST /query', 'Action=WriteNote&text=a', FORM)).toMatchObject({ status: 200 });
});

test('the limit of bodies is that of the operation, not the largest of its path', async () => {
  const text = 'x'.repeat(1500);
  expect(await board.call('POST /', { text }, by('WriteNote'))).toMatchObject({ status: 200 });
  const large = await board.call('POST /', { id: text }, by('ReadNote'));
  expect(large).toMatchObject({ status: 413, body: { code: 'Large', limit: 1024 } });
});

test('a replay sends what tells the operations apart', async () => {
  await board.call('POST /', { text: 'a' }, by('WriteNote'));
  await board.call('GET /query?Action=WriteNote&text=b');
  await board.call('POST /query', 'Action=WriteNote&text=c', FORM);
  const { body } = await board.admin<Bug>('GET /export');
  const again = await replayBug(body, { pack: PACK, onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
});

test('two operations with the same conditions on one route are a problem at both', () => {
  const folder = folderOfTest();
  cpSync(PACK, folder, { recursive: true });
  const file = join(folder, 'resources', 'note.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('.ReadNote', '.WriteNote'));
  const found = loadPack(folder).problems.map(({ code, message }) => [code, message]);
  const hint = 'operations share a route if each says by `dispatch` which calls mean it';
  expect(found).toEqual([
    ['duplicate-route', `POST / is also the route of notes.read; ${hint}`],
    ['duplicate-route', `POST / is also the route of notes.write; ${hint}`],
  ]);
});
