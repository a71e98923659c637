import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../../engine/index.js';
import { writeFiles } from '../../tools/commands/init-pack.js';
import { Document, importDocument } from '../../tools/openapi/index.js';
import { call } from '../support/http.js';

/** What an import reads from a document beyond its schemas. */

const running: Sandbox[] = [];
const folders: string[] = [];
afterAll(async () => {
  await Promise.all(running.map((each) => each.close()));
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const body = (schema: object, example?: unknown, type = 'application/json'): object => ({
  content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
});
const text = { type: 'string' };
const ERROR = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean', enum: [false] }, error: text } };
const RUN = {
  type: 'object',
  required: ['id', 'status', 'model'],
  properties: {
    id: text,
    status: { type: 'string', enum: ['cancelled', 'queued', 'running', 'done'] },
    model: { type: 'string', enum: ['small', 'large'] },
    cancelled_at: { type: ['integer', 'null'] },
    label: { type: 'string', format: 'uri' },
    bytes: { type: 'integer' },
    filename: text,
  },
};
const shown = { id: 'run_abc123', status: 'queued', model: 'small', cancelled_at: null };
const PATHS = {
  '/runs': {
    post: {
      parameters: [{ name: 'Idempotency-Key', in: 'header', schema: text }],
      requestBody: body(
        {
          type: 'object',
          required: ['model', 'owner'],
          properties: { model: { anyOf: [{ enum: ['small', 'large'] }] }, label: text, owner: text, weight: text },
        },
        { model: 'large', label: 'mine', weight: 3 },
      ),
      responses: {
        201: { description: '', ...body(RUN, { ...shown, model: 'large', label: 'mine', store: true }) },
        default: { description: '', ...body(ERROR) },
      },
    },
    get: {
      responses: {
        200: {
          description: '',
          ...body({
            type: 'object',
            required: ['data', 'first_id', 'last_id'],
            properties: { data: { type: 'array', items: RUN }, first_id: text, last_id: text },
          }),
        },
      },
    },
  },
  '/runs/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: { responses: { 200: { description: '', ...body(RUN) } } },
    delete: {
      responses: { 200: { description: '', ...body({ type: 'object' }, { id: 'run_abc123', deleted: true }) } },
    },
  },
  '/runs/{id}/cancel': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    post: { responses: { 200: { description: '', ...body(RUN, { ...shown, status: 'cancelled' }) } } },
  },
  '/boxes/{box}/files': {
    parameters: [{ name: 'box', in: 'path', required: true, schema: text }],
    post: { responses: { 200: { description: '', ...body(RUN) } } },
    get: { responses: { 200: { description: '', ...body({ type: 'array', items: RUN }) } } },
  },
  '/files': {
    post: {
      requestBody: body(
        { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
        undefined,
        'multipart/form-data',
      ),
      responses: { 200: { description: '', ...body(RUN) } },
    },
    get: { responses: { 200: { description: '', ...body({ type: 'array', items: RUN }) } } },
  },
};

const root = { openapi: '3.1.0', info: { title: 'Runs', version: '1' }, paths: PATHS };
const made = importDocument(new Document(root, root), 'runs');
let sandbox: Sandbox;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'runs-'));
  folders.push(folder);
  writeFiles(folder, made.files);
  sandbox = await createSandbox({ pack: folder, key: 'key_test', t0: '2025-01-01T00:00:00Z' });
  running.push(sandbox);
});

const run = async (): Promise<string> =>
  String(((await call(sandbox, 'POST /runs', { model: 'large' })).body as { id: string }).id);

test('everything is imported', () => {
  expect(made.decisions.filter((each) => each.startsWith('left out'))).toEqual([]);
});

test('what is sent comes back where unions allow it or the document shows it, and what only examples show is there', async () => {
  const { status, body: got } = await call(sandbox, 'POST /runs', { model: 'large', label: 'mine' });
  expect([status, got]).toEqual([201, expect.objectContaining({ model: 'large', label: 'mine', store: true })]);
});

test('what the document sends against its own schema is accepted', async () => {
  expect(await call(sandbox, 'POST /runs', { model: 'small', weight: 3 })).toMatchObject({ status: 201 });
});

test('an action leads to the state that its example shows, with the time, once', async () => {
  const id = await run();
  const cancelled = await call(sandbox, `POST /runs/${id}/cancel`);
  expect(cancelled.body).toMatchObject({ id, status: 'cancelled', cancelled_at: 1_735_689_600 });
  expect((await call(sandbox, `POST /runs/${id}/cancel`)).body).toMatchObject({ ok: false });
});

test('external events lead to the states that no call leads to', async () => {
  const id = await run();
  await sandbox.control.call('POST', '/world/events', { cause: 'run.done', params: { run_id: id } });
  expect((await call(sandbox, `GET /runs/${id}`)).body).toMatchObject({ id, status: 'done' });
});

test('a delete returns the id of what is gone', async () => {
  const id = await run();
  expect((await call(sandbox, `DELETE /runs/${id}`)).body).toEqual({ id, deleted: true });
});

test('the first and the last id of a page are those of its items', async () => {
  await sandbox.control.reset({});
  expect((await call(sandbox, 'GET /runs')).body).toEqual({ data: [], first_id: '', last_id: '' });
  const ids = [await run(), await run()];
  const { data, first_id, last_id } = (await call(sandbox, 'GET /runs')).body as unknown as {
    data: { id: string }[];
    first_id: string;
    last_id: string;
  };
  expect([first_id, last_id]).toEqual([data[0].id, data[1].id]);
  expect([first_id, last_id].sort()).toEqual(ids.sort());
});

test('errors of a vendor that says ok: false have status 200', async () => {
  expect(await call(sandbox, 'GET /runs/run_nobody')).toMatchObject({ status: 200, body: { ok: false } });
});

test('a key of idempotency is heeded where a header takes one', async () => {
  const headers = { 'Idempotency-Key': 'k1' };
  const first = await call(sandbox, 'POST /runs', { model: 'large' }, headers);
  const second = await call(sandbox, 'POST /runs', { model: 'large' }, headers);
  expect(second.body).toEqual(first.body);
});

test('an uploaded file gives its size and name, and begins in a state that something leads out of; what is nearest to the root has the plain name', async () => {
  const form = new FormData();
  form.append('file', new File(['hello'], 'a.txt'));
  const response = await fetch(`${sandbox.url}/files`, {
    method: 'POST',
    body: form,
    headers: { authorization: 'Bearer key_test' },
  });
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({ bytes: 5, filename: 'a.txt', status: 'queued' }),
  ]);
  expect(new Set(made.resources.map(({ collection }) => collection))).toEqual(new Set(['runs', 'files', 'box_files']));
});
