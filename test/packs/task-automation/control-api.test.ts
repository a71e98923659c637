import { serveOneTask } from './one-task.js';
import type { Called, Body } from './served-automation.js';


const one = serveOneTask();
const { automation, call, taskOf, run, advance, read } = one;


test('a timer that fails is reported by the advance, the clock and a trace', async () => {
  const bare = { id: 'trun_AAAAAAAAAAAAAAA1', task_id: one.task, agent_id: one.agent, status: 'running' };
  await call('POST /__admin__/seed', {
    resource: 'tasks',
    objects: [{ id: 'task_BBBBBBBBBBBBBBB1', agent_id: one.agent, name: 'n', output_schema: { not: {} } }],
  });
  await call('POST /__admin__/seed', {
    resource: 'task_runs',
    objects: [{ ...bare, task_id: 'task_BBBBBBBBBBBBBBB1' }],
  });
  const { status, body } = await advance('31s');
  const failure = {
    object: bare.id,
    collection: 'task_runs',
    timer: expect.stringContaining('work_left'),
    error: { code: 'internal_error', message: expect.stringContaining('synthesize()') },
  };
  expect([status, body]).toMatchObject([200, { failed: [failure], failed_total: 1 }]);
  expect((await call('GET /__admin__/clock')).body).toMatchObject({ failed: [failure] });
  const { data } = (await call('GET /__admin__/traces?limit=1')).body as { data: Body[] };
  expect(data[0]).toMatchObject({ request: { method: 'TIMER', path: expect.stringContaining(bare.id) } });
  await call('POST /__admin__/reset', {});
  expect((await call('GET /__admin__/clock')).body).toMatchObject({ failed: [] });
  expect(automation.defects.splice(0)).toEqual([expect.stringContaining('synthesize()')]);
});

test('a pin reaches into lists, and a path that leads nowhere is rejected', async () => {
  const list = {
    type: 'array',
    minItems: 2,
    items: { type: 'object', required: ['p'], properties: { p: { type: 'integer' } } },
  };
  const of = String((await taskOf({ type: 'object', required: ['list'], properties: { list } })).body['id']);
  const id = await run(of);
  const pin = (path: string): Promise<Called> =>
    call('POST /__admin__/exogenous/pins', { resource: 'task_runs', id, path, value: 43 });
  expect((await pin('output.list[0].p')).status).toBe(201);
  for (const path of ['output..x', 'output.a..b', 'output.', 'output.[0]', 'output.a[x]'])
    expect([path, (await pin(path)).status]).toEqual([path, 422]);
  await advance('33s');
  expect((await read(id))['output']).toMatchObject({ list: [{ p: 43 }, { p: expect.any(Number) }] });
});

test('errors that are pinned have a type and a code', async () => {
  const id = await run();
  for (const value of [[{ type: 'task' }], [{}], [{ code: 'x' }]]) {
    const { status } = await call('POST /__admin__/exogenous/pins', {
      resource: 'task_runs',
      id,
      path: 'errors',
      value,
    });
    expect(status).toBe(422);
  }
});

test('a fault that names a status without an error of its own has a type and a code all the same', async () => {
  for (const [status, type, code] of [
    [418, 'request', 'bad_request'],
    [502, 'api', 'api_error'],
  ] as const) {
    await call('POST /__admin__/faults', { resource: 'agents', operation: 'list', status, count: 1 });
    expect(await call('GET /agents')).toMatchObject({ status, body: { errors: [{ type, code }] } });
  }
});

test('filters of deliveries take whole values, and pages go on from an id', async () => {
  const made = await call('POST /event-destinations', {
    type: 'aws_sqs',
    type_config: { queue_url: 'https://q.example.com/1', access_key_id: 'a', secret_access_key: 'b' },
    events: ['*'],
  });
  expect(made.status).toBe(201);
  for (let n = 0; n < 3; n++) await call('POST /agents', { name: 'd' });
  const list = async (query: string): Promise<readonly Body[]> =>
    (await call(`GET /event-destinations/${String(made.body['id'])}/event-deliveries?${query}`)).body['data'] as Body[];
  const all = await list('');
  expect(all.length).toBeGreaterThanOrEqual(3);
  expect(await list('status=xsuccessx')).toEqual([]);
  expect(await list('type=agent.created.foo')).toEqual([]);
  expect(await list('type=task.created,agent.created')).toHaveLength(3);
  expect(await list('status=success')).toHaveLength(all.length);
  expect(await list(`starting_after=${String(all[0]['id'])}`)).toEqual(all.slice(1));
});

test('endpoints of the control API name events that exist', async () => {
  const add = (events: string[]): Promise<Called> =>
    call('POST /__admin__/webhooks/endpoints', { url: 'https://example.com/h', events });
  expect(await add(['nope.x'])).toMatchObject({ status: 404, body: { error: { path: 'events[0]' } } });
  expect(await add(['task_run.complete'])).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('task_run.completed') } },
  });
  expect((await add(['task_run.*', 'agent.created'])).status).toBe(201);
});

test('a fault gives no type of error that the vendor does not have', async () => {
  const fault = { resource: 'agents', operation: 'list', status: 500, count: 1 };
  expect(await call('POST /__admin__/faults', { ...fault, error: { type: 'bogus', code: 'x' } })).toMatchObject({
    status: 400,
    body: { error: { path: 'error.type' } },
  });
  await call('POST /__admin__/faults', { ...fault, error: { type: 'api', code: 'anything' } });
  expect(await call('GET /agents')).toMatchObject({
    status: 500,
    body: { errors: [{ type: 'api', code: 'anything' }] },
  });
});

test('an external event fails a run with any pair, since vendors add codes', async () => {
  const id = await run();
  const params = { cause: 'task_run.failed', task_run_id: id, type: 'auth', code: 'blocked' };
  expect((await call('POST /__admin__/world/events', params)).status).toBe(200);
  expect(await read(id)).toMatchObject({ errors: [{ type: 'auth', code: 'blocked' }] });
  expect((await call('POST /__admin__/world/events', { ...params, type: 'bogus' })).status).toBe(400);
});

test('a scenario that means nothing to a call is rejected', async () => {
  const headers = { 'x-mock-scenario': 'run_fails' };
  expect(await call('GET /tasks', undefined, headers)).toMatchObject({
    status: 400,
    body: { error: { code: 'scenario_not_here', message: expect.stringContaining('task_runs.create') } },
  });
  expect((await call('POST /task-runs', { task_id: one.task }, headers)).status).toBe(201);
});

test('a trace reports what came from outside of what the call returned, not of what was before', async () => {
  const id = await run();
  await call('POST /__admin__/world/events', { cause: 'task_run.interaction_required', task_run_id: id });
  const exogenous = async (): Promise<unknown> => {
    const { headers } = await call(`GET /task-runs/${id}`);
    return (await call(`GET /__admin__/trace/${headers.get('x-mock-resolution-trace')}`)).body['exogenous'];
  };
  const asked: unknown = expect.objectContaining({ field_path: 'interaction', source: 'cause' });
  expect(await exogenous()).toContainEqual(asked);
  await advance('1h');
  expect(await read(id)).toMatchObject({ status: 'failed', interaction: null });
  expect(await exogenous()).not.toContainEqual(expect.objectContaining({ field_path: 'interaction' }));
});
