import { join } from 'node:path';
import { loadPack } from '../../engine/index.js';
import { readDocument } from '../../tools/openapi/index.js';
import { ROOT } from '../support/root.js';
import { type Called, form } from '../support/http.js';
import type { TestSandbox } from '../support/start-sandbox.js';
import { importInto, useFolders } from './imported.js';

const serveFolder = useFolders();

describe('an import keeps what is sent, and responds where the document says', () => {
  let folder: string;
  let sandbox: TestSandbox;
  const call = (line: string, given?: object, isForm = false): Promise<Called> =>
    sandbox.call(line, given && (isForm ? form(given as Record<string, string>) : given));

  beforeAll(async () => {
    ({ folder } = importInto(await readDocument(join(ROOT, 'test/tools/openapi/traps.yaml')), 'traps'));
  });
  beforeEach(async () => {
    sandbox = await serveFolder(folder);
  });

  test('the pack has no mistakes', () => {
    expect(loadPack(folder).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('names that clash do not hide each other', async () => {
    const { body } = await call('POST /recipients', { name: 'Ann' });
    expect(await call(`GET /recipient/${String(body['id'])}`)).toMatchObject({ status: 200 });
    expect((await call('GET /recipients')).body).toMatchObject([{ name: 'Ann' }]);
  });

  test('a parameter that is called like the name of a route is what it is, and required fields have values', async () => {
    const { status, body } = await call('POST /repos', { name: 'hello' });
    expect([status, body]).toEqual([
      201,
      { id: expect.any(Number) as number, name: 'hello', visibility: 'private', stars: 80 },
    ]);
    expect((await call('GET /repos')).body).toMatchObject([{ name: 'hello' }]);
  });

  test('wrapped bodies and parameters in another case become fields', async () => {
    const { body } = await call('POST /teams', { team: { name: 'A' } });
    expect(body).toMatchObject({ team: { name: 'A' } });
    const { id } = body['team'] as { id: string };
    expect((await call(`GET /teams/${id}`)).body).toMatchObject({ team: { id, name: 'A' } });
    const chat = (await call('POST /Chats', { FriendlyName: 'Us' }, true)).body;
    expect(chat).toMatchObject({ friendly_name: 'Us', sid: expect.stringMatching(/^CH[0-9a-fA-F]{32}$/) as string });
    expect((await call(`GET /Chats/${String(chat['sid'])}`)).body).toEqual(chat);
    const note = await call(`POST /Chats/${String(chat['sid'])}/Notes`, { Text: 'Hi' }, true);
    expect(note).toMatchObject({ status: 201, body: { chat_sid: chat['sid'], text: 'Hi' } });
  });

  test('a page below the smallest is rejected, a larger one than usual is not', async () => {
    expect((await call('GET /crates?limit=0')).status).toBe(400);
    expect((await call('GET /crates?limit=500')).status).toBe(200);
  });

  test('PUT removes what it does not send, and returns what is there', async () => {
    const whole = { name: 'Figs', marks: ['dry'], note: 'top', grade: 'fine' };
    const { body } = await call('POST /crates', whole);
    const path = `/crates/${String(body['id'])}`;
    const replaced = { id: body['id'], name: 'Dates', marks: [], note: null, grade: 'plain' };
    expect((await call(`PUT ${path}`, { name: 'Dates' })).body).toEqual(replaced);
    expect((await call(`GET ${path}`)).body).toEqual(replaced);
    expect((await call(`PUT ${path}`, whole)).body).toEqual({ id: body['id'], ...whole });
  });

  test('a body may be a list; what is read only is not required in it', async () => {
    expect((await call('POST /crates/many', [{ name: 'a' }, { name: 'b' }])).status).toBe(200);
    expect((await call('POST /crates/many', [{ marks: [] }])).status).toBe(400);
    expect((await call('POST /crates/many', { name: 'a' })).status).toBe(400);
  });

  test('headers come as the document shows them, and none that it shows no value of', async () => {
    const made = await call('POST /crates', { name: 'a' });
    expect([made.headers.get('x-dock'), made.headers.get('x-free'), made.headers.get('x-unknown')]).toEqual([
      'north',
      '3',
      null,
    ]);
    expect((await call('POST /crates/many', [])).headers.get('set-cookie')).toBe('crate=1; Path=/');
  });
});
