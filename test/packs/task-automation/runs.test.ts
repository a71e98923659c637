import { serveOneTask } from './one-task.js';
import type { Body } from './served-automation.js';


const one = serveOneTask();
const { automation, call, taskOf, run, advance, read } = one;

const object = (properties: unknown, more = {}): unknown => ({ type: 'object', properties, required: ['a'], ...more });

describe('a run without a forced failure completes', () => {
  test.each<[string, unknown]>([
    ['a default of null', object({ a: { type: 'string', default: null } })],
    ['digits', object({ a: { type: 'string', pattern: '^\\d+$', minLength: 10, maxLength: 10 } })],
    ['properties of letters', object({ a: { type: 'string', pattern: '^[\\p{Lu}][\\p{Ll}]+$' } })],
    ['an anchor', object({ a: { $ref: '#x' } }, { $defs: { x: { $anchor: 'x', type: 'integer' } } })],
    ['names by a pattern', { type: 'object', patternProperties: { '^x': { type: 'integer' } }, minProperties: 2 }],
    ['contains', { type: 'array', contains: { const: 1 }, minItems: 2 }],
  ])('%s', async (_what, schema) => {
    const made = await taskOf(schema);
    expect(made.status).toBe(201);
    const id = await run(String(made.body['id']));
    const moved = await advance('33s');
    expect(moved.body).not.toHaveProperty('failed');
    expect(await read(id)).toMatchObject({ status: 'completed', result: 'success' });
  });

  test.each<[string, unknown]>([
    ['min above max', object({ a: { type: 'integer', minimum: 5, maximum: 1 } })],
    ['not anything', { not: {} }],
    ['ten million items (34)', { type: 'array', minItems: 10_000_000 }],
    ['itself', { $ref: '#' }],
    ['an unbounded pattern', object({ a: { type: 'string', pattern: '^((((a{100}){100}){100}){100}){100}$' } })],
  ])('what cannot be met is refused when it is given: %s', async (_what, schema) => {
    const { status, body } = await taskOf(schema);
    expect([status, Object.keys(body['errors'] as object)]).toEqual([400, ['output_schema']]);
    const changed = await call(`PATCH /tasks/${one.task}`, { output_schema: schema });
    expect(changed.status).toBe(400);
  });

  test('1b: one optional member that cannot be met leaves the others', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', default: null }, b: { type: 'integer' }, c: false },
    };
    const id = await run(String((await taskOf(schema)).body['id']));
    await advance('33s');
    expect(Object.keys((await read(id))['output'] as object)).toEqual(['a', 'b']);
  });

  test('what nothing in a file fits is not extracted, and the run completes all the same', async () => {
    const storage = {
      enabled: true,
      extraction: true,
      extraction_schema: object({ a: { type: 'integer', minimum: 5, maximum: 1 } }),
    };
    const { status, body } = await call('POST /tasks', { agent_id: one.agent, name: 'n', storage });
    expect(status).toBe(201);
    const id = await run(String(body['id']));
    await advance('33s');
    expect(await read(id)).toMatchObject({ status: 'completed', result: 'success' });
    const { data } = (await call(`GET /task-runs/${id}/storage`)).body;
    const missed = { extraction: null, result: 'failure' };
    expect(data).toMatchObject([missed, missed]);
  });
});

test('a run that is cancelled while it waits has no interaction any more', async () => {
  const id = await run();
  await call('POST /__admin__/world/events', { cause: 'task_run.interaction_required', task_run_id: id });
  expect(await read(id)).toMatchObject({ interaction: { type: 'mfa' } });
  await call(`POST /task-runs/${id}/cancel`);
  expect(await read(id)).toMatchObject({ status: 'cancelling', interaction: null });
});

test('the time that a run and its session have run is shown while they run', async () => {
  const id = await run();
  await advance('10s');
  const session = async (): Promise<Body> =>
    (await call(`GET /sessions/${String((await read(id))['session_id'])}`)).body;
  expect([await read(id), await session()]).toMatchObject([{ runtime_ms: 8000 }, { runtime_ms: 8000 }]);
  await call('POST /__admin__/world/events', { cause: 'task_run.interaction_required', task_run_id: id });
  await advance('1m');
  expect([await read(id), await session()]).toMatchObject([{ runtime_ms: 8000 }, { runtime_ms: 68_000 }]);
  await call(`POST /task-runs/${id}/interaction`, { input: { code: '1' } });
  await advance('1h');
  expect(await read(id)).toMatchObject({ status: 'completed', runtime_ms: 30_000 });
});

test('runs are created under their task by either name', async () => {
  for (const path of ['run', 'runs'])
    expect(await call(`POST /tasks/${one.task}/${path}`, {})).toMatchObject({ status: 201, body: { task_id: one.task } });
});

test('links of captured files and screenshots open, at the sandbox itself, without a key', async () => {
  const made = await call('POST /tasks', { agent_id: one.agent, name: 'n', storage: { enabled: true } });
  const id = await run(String(made.body['id']));
  await advance('1m');
  const { body } = await call(`GET /task-runs/${id}?include=storage,artifacts`);
  const { storage, artifacts } = body as {
    storage: { url: string }[];
    artifacts: { screenshots: { url: string; file_type: string }[] };
  };
  for (const [url, type, start] of [
    [storage[0].url, 'application/pdf', '%PDF-'],
    [artifacts.screenshots[0].url, 'image/png', '\x89PNG\r\n'],
  ]) {
    expect(url.startsWith(automation.url)).toBe(true);
    const file = await fetch(url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(bytes.toString('latin1').startsWith(start)).toBe(true);
  }
  expect((await fetch(`${automation.url}/files/stor_0000000000000000`)).status).toBe(404);
});

test('sections that are asked for stand in the items of lists too', async () => {
  const id = await run();
  await advance('1m');
  const items = async (query: string): Promise<Body[]> => (await call(`GET /task-runs${query}`)).body['data'] as Body[];
  const [bare] = await items('');
  expect([bare['id'], 'input' in bare, 'storage' in bare]).toEqual([id, false, false]);
  const [whole] = await items('?include=input,storage');
  expect([whole['id'], 'input' in whole, 'storage' in whole, 'artifacts' in whole]).toEqual([id, true, true, false]);
});
