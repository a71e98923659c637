import { serveOneTask } from './one-task.js';
import type { Body } from './served-automation.js';


const one = serveOneTask();
const { call, taskOf, run } = one;


test('OPTIONS, HEAD, wrong methods and unknown routes need the key and have a trace', async () => {
  for (const [method, path, status] of [
    ['OPTIONS', '/tasks', 404],
    ['OPTIONS', '/nothing', 404],
    ['HEAD', '/tasks', 200],
    ['PUT', '/tasks', 404],
    ['GET', '/nothing', 404],
  ] as const) {
    const made = await call(`${method} ${path}`);
    expect([method, path, made.status, made.headers.get('x-mock-resolution-trace')]).toEqual([
      method,
      path,
      status,
      expect.stringMatching(/^trc_/),
    ]);
    const without = await call(`${method} ${path}`, undefined, { authorization: '' });
    expect([without.status, without.headers.has('x-mock-resolution-trace')]).toEqual([401, true]);
  }
});

test('instants are compared as instants, whatever their offset', async () => {
  await run();
  const count = async (query: string): Promise<number> =>
    ((await call(`GET /task-runs?${query}`)).body['data'] as unknown[]).length;
  expect(await count('created_after=2026-06-09T13:59:59%2B02:00')).toBe(1);
  expect(await count('created_before=2026-06-09T12:00:00Z')).toBe(0);
  expect(await count('created_before=2026-06-09T12:00:01Z')).toBe(1);
});

test('JSON by another media type, names of parameters in any case, any number of digits', async () => {
  const made = await call('POST /agents', { name: 'b' }, { 'content-type': 'application/vnd.x+json; charset=utf-8' });
  expect(made.status).toBe(201);
  const id = await run();
  expect((await call(`GET /task-runs/${id}?Include=input`)).body).toHaveProperty('input');
  for (let n = 0; n < 25; n++) await call('POST /agents', { name: 'c' });
  expect((await call('GET /agents?Limit=99999999999999999999')).body['data']).toHaveLength(27);
});

test('an interaction is answered by the older name of the response', async () => {
  const id = await run();
  await call('POST /__admin__/world/events', { cause: 'task_run.interaction_required', task_run_id: id });
  expect(await call(`POST /task-runs/${id}/interaction`, {})).toMatchObject({
    status: 400,
    body: { errors: { input: ['The input field is required.'] } },
  });
  expect(await call(`POST /task-runs/${id}/interaction`, { inputs: { code: '1' } })).toMatchObject({
    status: 200,
    body: { status: 'running' },
  });
});

test('headers for deliveries are a JSON object of headers', async () => {
  for (const custom_headers of ['{oops}', '{"X A":"1"}', '{"X-A":"a\\nb"}', '[]', '"x"']) {
    const type_config = { url: 'https://example.com/h', custom_headers };
    const { status, body } = await call('POST /event-destinations', { type: 'webhook', type_config, events: ['*'] });
    expect([custom_headers, status, Object.keys(body['errors'] as object)]).toEqual([
      custom_headers,
      400,
      ['type_config.custom_headers'],
    ]);
  }
  const type_config = { url: 'https://example.com/h', custom_headers: '{"X-A": "1"}' };
  expect((await call('POST /event-destinations', { type: 'webhook', type_config, events: ['*'] })).status).toBe(201);
});

test('a schema that lies elsewhere is rejected', async () => {
  const { status, body } = await taskOf({ $ref: 'https://example.com/schema.json' });
  expect([status, Object.keys(body['errors'] as object)]).toEqual([400, ['output_schema']]);
});

test('a body that cannot be read is rejected with the reason', async () => {
  const said = async (sent: string, type = 'application/json'): Promise<unknown> => {
    const { status, body } = await call<{ errors: { $: string[] } }>('POST /agents', sent, { 'content-type': type });
    return [status, body.errors.$[0]];
  };
  expect(await said('{"name":"a","__proto__":{}}')).toEqual([
    400,
    "The request body cannot be read: '__proto__' cannot be a key.",
  ]);
  expect(await said('[]')).toEqual([400, 'The request body cannot be read: the body must be a JSON object.']);
  expect(await said('a=b', 'text/csv')).toEqual([400, 'The request body must be JSON, not text/csv.']);
});

test('a cursor is the plain id of the last object, and opens the next page', async () => {
  for (const name of ['b', 'c']) await call('POST /agents', { name });
  const first = (await call('GET /agents?limit=2')).body as { data: Body[]; has_more: boolean; next_cursor: string };
  expect(first).toMatchObject({ has_more: true, next_cursor: first.data[1]['id'] });
  const rest = (await call(`GET /agents?limit=2&cursor=${first.next_cursor}`)).body;
  expect(rest).toMatchObject({ data: [{ id: one.agent }], has_more: false, next_cursor: null });
});
