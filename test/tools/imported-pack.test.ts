import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, loadPack } from '../../engine/index.js';
import { writeFiles } from '../../tools/commands/init-pack.js';
import { importDocument, readDocument } from '../../tools/openapi/index.js';
import { ROOT } from '../support/root.js';

describe('an import keeps what is sent, and responds where the document says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'traps-'));
  let call: (line: string, json?: object, form?: boolean) => Promise<{ status: number; body: Record<string, unknown> }>;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const document = await readDocument(join(ROOT, 'test/tools/openapi/traps.yaml'));
    writeFiles(folder, importDocument(document, 'traps').files);
    const sandbox = await createSandbox({ pack: folder, key: 'key_a' });
    close = () => sandbox.close();
    call = async (line, given, form) => {
      const [method, path] = line.split(' ');
      const body =
        given && (form ? new URLSearchParams(given as Record<string, string>).toString() : JSON.stringify(given));
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
      const headers = { authorization: 'Bearer key_a', 'content-type': type };
      const answer = await fetch(sandbox.url + path, { method, headers, body });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
  });
  afterAll(async () => {
    await close();
    rmSync(folder, { recursive: true });
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
});
