import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../../engine/index.js';
import { writeFiles } from '../../tools/commands/init-pack.js';
import { Document, importDocument } from '../../tools/openapi/index.js';
import { call, send } from '../support/http.js';
import { useReceiver } from '../support/start-sandbox.js';

/** What an import makes of streams, webhooks, codes of errors, and objects that no call makes: a radio. */

const text = { type: 'string' };
const json = (schema: object, example?: unknown): object => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
const ok = (content: object): object => ({ 200: { description: '', content } });
const SHOW = {
  type: 'object',
  required: ['id', 'status'],
  properties: { id: text, status: { type: 'string', enum: ['planned', 'aired'] }, title: text },
};
const WORDS = {
  type: 'object',
  required: ['id', 'delta'],
  properties: { id: text, delta: { type: 'object', required: ['text'], properties: { text } } },
  example: { id: 'show_1', delta: { text: 'Good evening radio' } },
};
const NOTES = {
  oneOf: ['note.struck', 'note.created', 'note.text.delta', 'note.completed'].map((type) => ({
    type: 'object',
    required: ['type', 'pitch'],
    properties: { type: { const: type }, pitch: { type: 'integer' } },
  })),
};
const PROBLEM = {
  type: 'object',
  required: ['code'],
  properties: { code: { type: 'string', enum: ['invalid_auth', 'unknown_field', 'resource_missing'] } },
};
const show = { parameters: [{ name: 'show', in: 'path', required: true, schema: text, example: 'show_evening' }] };
const root = {
  openapi: '3.1.0',
  info: { title: 'Radio', version: '1' },
  components: { schemas: { Show: SHOW } },
  paths: {
    '/shows': {
      post: {
        requestBody: { content: json({ type: 'object', properties: { title: text, stream: { type: 'boolean' } } }) },
        responses: {
          ...ok({ ...json({ $ref: '#/components/schemas/Show' }), 'text/event-stream': { schema: WORDS } }),
          400: { description: '', content: json(PROBLEM) },
        },
        description: 'The last event is [DONE].',
      },
      get: { responses: ok(json({ type: 'array', items: { $ref: '#/components/schemas/Show' } })) },
    },
    '/shows/{show}': { ...show, get: { responses: ok(json({ $ref: '#/components/schemas/Show' })) } },
    '/tune': { get: { responses: ok({ 'text/event-stream': { schema: NOTES } }) } },
    '/hosts/{host}': {
      parameters: [{ name: 'host', in: 'path', required: true, schema: text, example: 'anna' }],
      get: { responses: ok(json({ type: 'object', properties: { id: text } }, { id: 'anna' })) },
    },
  },
  webhooks: {
    show_aired: {
      post: {
        requestBody: {
          content: json({
            type: 'object',
            required: ['id', 'type', 'created_at', 'data'],
            properties: {
              id: text,
              type: { const: 'show.aired' },
              created_at: { type: 'integer' },
              data: { $ref: '#/components/schemas/Show' },
            },
          }),
        },
      },
    },
    show_deleted: { post: { requestBody: { content: json({ type: 'object', properties: { data: WORDS } }) } } },
    tower_fell: { post: { requestBody: { content: json({ type: 'object' }) } } },
  },
};

const made = importDocument(new Document(root, root), 'radio');
const receiver = useReceiver();
let sandbox: Sandbox;
const folder = mkdtempSync(join(tmpdir(), 'radio-'));
beforeAll(async () => {
  writeFiles(folder, made.files);
  sandbox = await createSandbox({ pack: folder, key: 'key_test', t0: '2025-01-01T00:00:00Z' });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const events = async (line: string, body?: object): Promise<string[]> =>
  (await (await send(sandbox, line, body)).text()).split('\n').filter((each) => each !== '');

test('everything is imported', () => {
  expect(made.decisions.filter((each) => each.startsWith('left out'))).toEqual([]);
});

test('a text in the chunks of a stream comes word by word, with the id of the object', async () => {
  const { id, status } = (await call(sandbox, 'POST /shows', { title: 'Evening' })).body;
  expect(status).toBe('planned');
  const lines = await events('POST /shows', { stream: true });
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)) as { id: string; delta: { text: string } });
  expect(chunks.map(({ delta }) => delta.text)).toEqual(['Good ', 'evening ', 'radio']);
  expect([lines.at(-1), chunks[0].id === chunks[2].id, chunks[0].id === id]).toEqual(['data: [DONE]', true, false]);
});

test('of many kinds of events those of its beginning, its text and its end are there', async () => {
  const lines = await events('GET /tune');
  expect(lines.filter((line) => line.startsWith('event'))).toEqual([
    'event: note.created',
    'event: note.text.delta',
    'event: note.completed',
  ]);
});

test('a webhook that is called after a state is sent when the object enters it', async () => {
  await sandbox.control.call('POST', '/webhooks/endpoints', { url: receiver.url, events: ['*'] });
  const { id } = (await call(sandbox, 'POST /shows', { title: 'News' })).body;
  await sandbox.control.call('POST', '/world/events', { cause: 'show.aired', params: { show_id: id } });
  await sandbox.control.call('POST', '/webhooks/flush');
  expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    {
      id: expect.stringMatching(/^evt_/) as string,
      type: 'show.aired',
      created_at: 1_735_689_600,
      data: { id, status: 'aired', title: 'News' },
    },
  ]);
  expect(made.questions.map(({ ask }) => ask).join(' ')).toContain(
    'When are 1 webhooks of the document sent (tower_fell)',
  );
});

test('an object that no call makes is there under the ids that the document shows, and under no other', async () => {
  expect(await call(sandbox, 'GET /hosts/anna')).toMatchObject({ status: 200, body: { id: 'anna' } });
  expect(await call(sandbox, 'GET /hosts/nobody')).toMatchObject({ status: 404, body: { code: 'resource_missing' } });
});

test("errors have the document's codes where it lists them", async () => {
  const response = await call(sandbox, 'GET /shows', undefined, { authorization: 'Bearer wrong' });
  expect([response.status, response.body]).toEqual([401, { code: 'invalid_auth' }]);
});
