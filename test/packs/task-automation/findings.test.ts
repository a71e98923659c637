import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Automation, type Body } from './served-automation.js';

/** What a check of SPEC.md and the vendor's documents found, each with what it is answered now. */
const automation = new Automation();
let task = '';
let agent = '';

beforeAll(async () => {
  await automation.start();
});

afterAll(async () => {
  await automation.sandbox.close();
});

interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function call(line: string, body?: unknown, headers: Record<string, string> = {}): Promise<Said> {
  const [method, path] = line.split(' ');
  const { url, key } = automation.sandbox;
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : (JSON.parse(text) as Body) };
}

beforeEach(async () => {
  await call('POST /__admin__/reset', {});
  agent = String((await call('POST /agents', { name: 'a' })).body['id']);
  task = String((await call('POST /tasks', { agent_id: agent, name: 'n' })).body['id']);
});

const taskOf = async (schema: unknown): Promise<Said> =>
  call('POST /tasks', { agent_id: agent, name: 'n', output_schema: schema });
const run = async (of = task): Promise<string> => String((await call('POST /task-runs', { task_id: of })).body['id']);
const advance = (duration: string): Promise<Said> => call('POST /__admin__/clock/advance', { duration });
const read = async (id: string): Promise<Said['body']> => (await call(`GET /task-runs/${id}`)).body;
const object = (properties: unknown, more = {}): unknown => ({ type: 'object', properties, required: ['a'], ...more });

describe('1: a run without a forced failure completes', () => {
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
    const changed = await call(`PATCH /tasks/${task}`, { output_schema: schema });
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

  test('2: a schema of what is extracted from files is checked too', async () => {
    const storage = {
      enabled: true,
      extraction: true,
      extraction_schema: object({ a: { type: 'integer', minimum: 5, maximum: 1 } }),
    };
    const { status, body } = await call('POST /tasks', { agent_id: agent, name: 'n', storage });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([400, ['storage.extraction_schema']]);
  });
});

test('a timer that fails is told by the advance, the clock and a trace', async () => {
  const bare = { id: 'trun_AAAAAAAAAAAAAAA1', task_id: task, agent_id: agent, status: 'running' };
  await call('POST /__admin__/seed', {
    resource: 'tasks',
    objects: [{ id: 'task_BBBBBBBBBBBBBBB1', agent_id: agent, name: 'n', output_schema: { not: {} } }],
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
});

test('5: a run that is cancelled while it waits has no interaction any more', async () => {
  const id = await run();
  await call('POST /__admin__/world/events', { cause: 'task_run.interaction_required', task_run_id: id });
  expect(await read(id)).toMatchObject({ interaction: { type: 'mfa' } });
  await call(`POST /task-runs/${id}/cancel`);
  expect(await read(id)).toMatchObject({ status: 'cancelling', interaction: null });
});

test('6: a pin reaches into lists, and a path that leads nowhere is refused', async () => {
  const list = {
    type: 'array',
    minItems: 2,
    items: { type: 'object', required: ['p'], properties: { p: { type: 'integer' } } },
  };
  const of = String((await taskOf({ type: 'object', required: ['list'], properties: { list } })).body['id']);
  const id = await run(of);
  const pin = (path: string): Promise<Said> =>
    call('POST /__admin__/exogenous/pins', { resource: 'task_runs', id, path, value: 43 });
  expect((await pin('output.list[0].p')).status).toBe(201);
  for (const path of ['output..x', 'output.a..b', 'output.', 'output.[0]', 'output.a[x]'])
    expect([path, (await pin(path)).status]).toEqual([path, 422]);
  await advance('33s');
  expect((await read(id))['output']).toMatchObject({ list: [{ p: 43 }, { p: expect.any(Number) }] });
});

test('7: errors that are pinned have a type and a code', async () => {
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

test('8: OPTIONS, HEAD, wrong methods and unknown routes need the key and have a trace', async () => {
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

test('10: instants are compared as instants, whatever their offset', async () => {
  await run();
  const count = async (query: string): Promise<number> =>
    ((await call(`GET /task-runs?${query}`)).body['data'] as unknown[]).length;
  expect(await count('created_after=2026-06-09T13:59:59%2B02:00')).toBe(1);
  expect(await count('created_before=2026-06-09T12:00:00Z')).toBe(0);
  expect(await count('created_before=2026-06-09T12:00:01Z')).toBe(1);
});

test('18, 19, 38: JSON by another name, names of parameters in any case, any number of digits', async () => {
  const { url, key } = automation.sandbox;
  const made = await fetch(`${url}/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/vnd.x+json; charset=utf-8' },
    body: JSON.stringify({ name: 'b' }),
  });
  expect(made.status).toBe(201);
  const id = await run();
  expect((await call(`GET /task-runs/${id}?Include=input`)).body).toHaveProperty('input');
  for (let n = 0; n < 25; n++) await call('POST /agents', { name: 'c' });
  expect((await call('GET /agents?Limit=99999999999999999999')).body['data']).toHaveLength(27);
});

test('21: the older name of an answer', async () => {
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

test('24: a fault that names a status without an error of its own has a type and a code all the same', async () => {
  for (const [status, type, code] of [
    [418, 'request', 'bad_request'],
    [502, 'api', 'api_error'],
  ] as const) {
    await call('POST /__admin__/faults', { resource: 'agents', operation: 'list', status, count: 1 });
    expect(await call('GET /agents')).toMatchObject({ status, body: { errors: [{ type, code }] } });
  }
});

test('27: filters of deliveries take whole values, and pages go on from an id', async () => {
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

test('35: headers of one’s own are a JSON object of headers', async () => {
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

test('36: endpoints of the control API name events that there are', async () => {
  const add = (events: string[]): Promise<Said> =>
    call('POST /__admin__/webhooks/endpoints', { url: 'https://example.com/h', events });
  expect(await add(['nope.x'])).toMatchObject({ status: 404, body: { error: { path: 'events[0]' } } });
  expect(await add(['task_run.complete'])).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('task_run.completed') } },
  });
  expect((await add(['task_run.*', 'agent.created'])).status).toBe(201);
});

describe('3, 4: a seed tells history, and what the engine derives cannot be faked', () => {
  const RUN = 'trun_AAAAAAAAAAAAAAAA';
  const seed = (fields: object): Promise<Said> =>
    call('POST /__admin__/seed', {
      resource: 'task_runs',
      objects: [{ id: RUN, task_id: task, agent_id: agent, ...fields }],
    });

  test.each([
    [{ result: 'success' }, 'result'],
    [{ runtime_ms: 99 }, 'runtime_ms'],
    [{ interaction: { type: 'mfa' } }, 'interaction'],
    [{ status: 'failed', output: { a: 1 } }, 'output'],
    [{ status: 'completed', errors: [{ type: 'task', code: 'x', message: 'y' }] }, 'errors'],
    [{ status: 'completed', result: 'failure' }, 'result'],
    [{ status: 'completed', runtime_ms: 99 }, 'runtime_ms'],
  ])('%j is refused', async (fields, path) => {
    const answer = await seed(fields);
    expect([answer.status, answer.body['error']]).toMatchObject([422, { path: `task_runs[0].${path}` }]);
    expect((await call(`GET /task-runs/${RUN}`)).status).toBe(404);
  });

  test.each([
    ['completed', { result: 'success', output: expect.anything() as unknown, errors: [], interaction: null }],
    ['failed', { result: 'failure', output: null, errors: [{ type: 'task', code: 'task_failed' }] }],
    ['canceled', { result: 'unknown', output: null, errors: [] }],
    ['interaction_required', { result: null, interaction: { type: 'mfa' } }],
    ['review_required', { result: null, output: expect.anything() as unknown }],
  ])('a run that is seeded %s is one', async (status, shown) => {
    expect((await seed({ status })).status).toBe(200);
    expect((await call(`GET /task-runs/${RUN}`)).body).toMatchObject({ status, ...shown });
  });

  test('an answer can be given to a seeded challenge, and the run goes on to its end', async () => {
    await seed({ status: 'interaction_required' });
    const answer = await call(`POST /task-runs/${RUN}/interaction`, { input: { code: '123456' } });
    expect(answer.body).toMatchObject({ status: 'running' });
    await call('POST /__admin__/clock/advance', { duration: '5m' });
    expect((await call(`GET /task-runs/${RUN}`)).body).toMatchObject({ status: 'completed', result: 'success' });
  });
});

describe('fuzz: a destination whose address cannot be read is refused when it is seeded', () => {
  const types = [
    ...['webhook', 'aws_sqs', 'aws_kinesis', 'aws_s3', 'aws_eventbridge', 'gcp_pubsub', 'rabbitmq'],
    ...['azure_servicebus', 'hookdeck'],
  ];
  const configs = [undefined, null, {}, { url: 5 }, { url: 'nowhere' }, { url: 'https://example.com/h', secret: 7 }];

  test.each(types.flatMap((type) => configs.map((type_config) => [type, type_config] as const)))(
    '%s with %j',
    async (type, type_config) => {
      const seeded = await call('POST /__admin__/seed', {
        resource: 'event_destinations',
        objects: [
          { id: 'evtd_BBBBBBBBBBBBBBBB', type, events: ['*'], ...(type_config === undefined ? {} : { type_config }) },
        ],
      });
      const listed = await call('GET /__admin__/webhooks/endpoints');
      expect([200, 422]).toContain(seeded.status);
      if (type === 'webhook') expect(seeded.status).toBe(422);
      expect(listed.status).toBe(200);
      if (seeded.status === 200) expect(JSON.stringify(listed.body)).toContain('evtd_BBBBBBBBBBBBBBBB');
      await call('POST /__admin__/reset');
    },
  );
});

test('9: a seeded webhook destination has the secret of its URL, and none without URL', async () => {
  const seed = (type_config: object): Promise<Said> =>
    call('POST /__admin__/seed', {
      resource: 'event_destinations',
      objects: [{ id: 'evtd_AAAAAAAAAAAAAAAA', type: 'webhook', status: 'active', events: ['*'], type_config }],
    });
  expect((await seed({ url: 'https://example.com/hook' })).status).toBe(200);
  const { body } = await call('GET /event-destinations/evtd_AAAAAAAAAAAAAAAA');
  expect(body['type_config']).toMatchObject({
    url: 'https://example.com/hook',
    secret: expect.stringMatching(/^whsec_/) as unknown,
  });
  expect((await seed({})).body['error']).toMatchObject({ path: 'event_destinations[0].type_config.url' });
});

test('11: topics are the events of an object, or event types', async () => {
  const make = (given: Body): Promise<Said> =>
    call('POST /event-destinations', { type_config: { url: 'https://example.com/h' }, ...given });
  const ofRuns = ['queued', 'running', 'interaction_required', 'review_required'].map((each) => `task_run.${each}`);
  const made = await make({ topics: ['task_run'] });
  expect(made.body['events']).toEqual([
    ...ofRuns,
    ...['completed', 'failed', 'canceling', 'canceled'].map((each) => `task_run.${each}`),
  ]);
  expect((await make({ topics: ['agent.created'], events: ['task.created'] })).body['events']).toEqual([
    'task.created',
    'agent.created',
  ]);
  expect((await make({ topics: ['*'] })).body['events']).toEqual(['*']);
  expect((await make({})).body['events']).toEqual(['*']);
  expect(await make({ topics: ['task_run', 'nonsense'] })).toMatchObject({
    status: 400,
    body: { errors: { 'topics[1]': ['There is no topic nonsense.'] } },
  });
  expect((await make({ topics: [] })).status).toBe(400);
  const changed = await call(`PATCH /event-destinations/${String(made.body['id'])}`, { topics: ['user'] });
  expect(changed.body['events']).toEqual(['user.created']);
  const kept = await call(`PATCH /event-destinations/${String(made.body['id'])}`, { name: 'x' });
  expect(kept.body['events']).toEqual(['user.created']);
});

test('12: the time that a run and its session have run is told while they run', async () => {
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

test('15, 16: a receiver that asks for time gets it, and the waits of deliveries and keys are durations', async () => {
  const answers: [number, Record<string, string>][] = [];
  const receiver = createServer((req, res) => {
    req.resume();
    res.writeHead(...(answers.shift() ?? [200, {}])).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const type_config = { url: `http://127.0.0.1:${port}/h` };
  await call('POST /event-destinations', { type_config, events: ['agent.created'] });
  const next = async (): Promise<unknown> => {
    await call('POST /agents', { name: 'x' });
    await call('POST /__admin__/webhooks/flush', {});
    const { body } = await call('GET /__admin__/webhooks/deliveries?limit=1');
    const [{ next_attempt_at: at }] = body['data'] as { next_attempt_at: string | null }[];
    return at === null ? null : Date.parse(at) - Date.parse(automation.now);
  };
  answers.push([503, { 'Retry-After': '300' }]);
  expect(await next()).toBe(300_000);
  answers.push([503, { 'Retry-After': '3' }]);
  expect(await next()).toBe(30_000);
  answers.push([429, { 'Retry-After': new Date(Date.now() + 600_000).toUTCString() }]);
  expect(Math.abs(Number(await next()) - 600_000)).toBeLessThan(2000);
  answers.push([500, { 'Retry-After': 'soon' }]);
  expect(await next()).toBe(30_000);
  await call('POST /__admin__/clock/durations', { durations: { delivery_retry_1: '7s', idempotency_ttl: '1m' } });
  answers.push([500, {}]);
  expect(await next()).toBe(7000);
  await call('POST /__admin__/clock/durations', { durations: { delivery_retry_1: 'none' } });
  answers.push([500, {}]);
  expect(await next()).toBe(null);
  receiver.close();

  const keyed = async (): Promise<unknown> =>
    (await call('POST /agents', { name: 'once' }, { 'idempotency-key': 'k' })).body['id'];
  const first = await keyed();
  await advance('59s');
  expect(await keyed()).toBe(first);
  await advance('1s');
  expect(await keyed()).not.toBe(first);
});

test('30: addresses of sources get a scheme, and small letters where they mean nothing', async () => {
  for (const [given, kept] of [
    ['https://EXAMPLE.com/Path', 'https://example.com/Path'],
    ['example.com', 'https://example.com'],
    ['Bank.Example.com:8443/Login?Next=A', 'https://bank.example.com:8443/Login?Next=A'],
    ['HTTP://Me:PassWord@Example.COM', 'http://Me:PassWord@example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ]) {
    const made = await call('POST /sources', { type: 'website', website: { url: given } });
    expect([made.status, made.body['website']]).toEqual([200, { url: kept }]);
    const changed = await call(`PATCH /sources/${String(made.body['id'])}`, { website: { url: 'WWW.example.org' } });
    expect(changed.body['website']).toEqual({ url: 'https://www.example.org' });
  }
  for (const url of ['nowhere', 'ftp://a.example', 'https://', '//a.example', 'a b.example'])
    expect([url, (await call('POST /sources', { type: 'website', website: { url } })).status]).toEqual([url, 400]);
});

test('31: a credential tells its user name in both places', async () => {
  const source = await call('POST /sources', { type: 'website', website: { url: 'example.com' } });
  const made = await call('POST /credentials', {
    source_id: source.body['id'],
    auth_method: 'username_password',
    auth_credentials: { username: 'ann', password: 'hush' },
  });
  expect(made.body).toMatchObject({ username: 'ann', auth_credentials: { username: 'ann' } });
  expect(JSON.stringify(made.body)).not.toContain('hush');
});

test('32: a schema that lies elsewhere is refused', async () => {
  const { status, body } = await taskOf({ $ref: 'https://example.com/schema.json' });
  expect([status, Object.keys(body['errors'] as object)]).toEqual([400, ['output_schema']]);
});

test('33: runs are created under their task by either name', async () => {
  for (const path of ['run', 'runs'])
    expect(await call(`POST /tasks/${task}/${path}`, {})).toMatchObject({ status: 201, body: { task_id: task } });
});

test('23: a fault gives no type of error that the vendor does not have', async () => {
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

test('25: a cause fails a run with any pair, since vendors add codes', async () => {
  const id = await run();
  const params = { cause: 'task_run.failed', task_run_id: id, type: 'auth', code: 'blocked' };
  expect((await call('POST /__admin__/world/events', params)).status).toBe(200);
  expect(await read(id)).toMatchObject({ errors: [{ type: 'auth', code: 'blocked' }] });
  expect((await call('POST /__admin__/world/events', { ...params, type: 'bogus' })).status).toBe(400);
});

test('33: a scenario that means nothing to a call is refused', async () => {
  const headers = { 'x-mock-scenario': 'run_fails' };
  expect(await call('GET /tasks', undefined, headers)).toMatchObject({
    status: 400,
    body: { error: { code: 'scenario_not_here', message: expect.stringContaining('task_runs.create') } },
  });
  expect((await call('POST /task-runs', { task_id: task }, headers)).status).toBe(201);
});

test('39: a trace tells what came from outside of what the call returned, not of what was before', async () => {
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

test('40: a body that cannot be read is told why', async () => {
  const { url, key } = automation.sandbox;
  const said = async (body: string, type = 'application/json'): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const response = await fetch(`${url}/agents`, { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as { errors: { $: string[] } }).errors.$[0]];
  };
  expect(await said('{"name":"a","__proto__":{}}')).toEqual([
    400,
    "The request body cannot be read: '__proto__' cannot be a key.",
  ]);
  expect(await said('[]')).toEqual([400, 'The request body cannot be read: the body must be a JSON object.']);
  expect(await said('a=b', 'text/csv')).toEqual([400, 'The request body must be JSON, not text/csv.']);
});

describe('13, 14: what queues and buses are sent', () => {
  async function message(type: string, type_config: Body): Promise<Body> {
    await call('POST /event-destinations', { type, type_config, events: ['agent.created'] });
    await call('POST /agents', { name: 'x' });
    const { body } = await call('GET /__admin__/webhooks/deliveries?limit=1');
    return (body['data'] as { message: Body }[])[0].message;
  }

  test('the partition key of a stream and the key of a file follow their templates', async () => {
    const kinesis = { stream_name: 's', region: 'eu-west-1' };
    const partition = async (partition_key_template: string): Promise<unknown> =>
      (await message('aws_kinesis', { ...kinesis, partition_key_template }))['PartitionKey'];
    expect(await partition('data.data.object')).toBe('agent');
    expect(await partition('metadata."event-id"')).toMatch(/^evt_/);
    expect(await partition('data.nothing')).toMatch(/^evt_/);
    const s3 = { bucket: 'files', region: 'eu-west-1' };
    const key_template = "join('/', [time.year, time.month, metadata.topic, 'e.json'])";
    expect(await message('aws_s3', { ...s3, key_template })).toMatchObject({ Key: '2026/06/agent.created/e.json' });
    expect(await message('aws_s3', s3)).toMatchObject({
      Key: expect.stringMatching(/^2026-06-09T12:00:00.000Z_evt_\w+\.json$/),
      ChecksumSHA256: expect.stringMatching(/^[\w+/]{43}=$/),
    });
  });

  test('a template that cannot be read is refused', async () => {
    const type_config = { bucket: 'files', region: 'eu-west-1', key_template: 'join(' };
    const { status, body } = await call('POST /event-destinations', { type: 'aws_s3', type_config });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([400, ['type_config.key_template']]);
  });

  test('the gateway is called at the address of the token, signed by it', async () => {
    const token = Buffer.from('src_7:hush').toString('base64');
    const { url, headers, body } = await message('hookdeck', { token });
    const signature = createHmac('sha256', token).update(String(body)).digest('base64');
    expect([url, headers]).toMatchObject(['https://hkdk.events/src_7', { 'X-Hookdeck-Signature': `v0=${signature}` }]);
  });
});

test('28: links of captured files and screenshots open, at the sandbox itself, without a key', async () => {
  const made = await call('POST /tasks', { agent_id: agent, name: 'n', storage: { enabled: true } });
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
    expect(url.startsWith(automation.sandbox.url)).toBe(true);
    const file = await fetch(url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(bytes.toString('latin1').startsWith(start)).toBe(true);
  }
  expect((await fetch(`${automation.sandbox.url}/files/stor_0000000000000000`)).status).toBe(404);
});

test('hostile B1: what a receiver answers, and when, changes no id and no state', async () => {
  let answered = 0;
  const receiver = createServer((req, res) => {
    req.resume();
    setTimeout(() => res.writeHead(410).end(), (answered++ * 7) % 13);
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const round = async (): Promise<unknown> => {
    await call('POST /__admin__/reset', {});
    const type_config = { url: `http://127.0.0.1:${port}/h` };
    await call('POST /event-destinations', { type_config, events: ['agent.created'] });
    const ids: unknown[] = [];
    for (let n = 0; n < 12; n++) ids.push((await call('POST /agents', { name: 'x' })).body['id']);
    await call('POST /__admin__/webhooks/flush', {});
    return [ids, (await call('GET /__admin__/state')).body];
  };
  const first = await round();
  expect(await round()).toEqual(first);
  receiver.close();
});

test('20: sections that are asked for stand in the items of lists too', async () => {
  const id = await run();
  await advance('1m');
  const items = async (query: string): Promise<Body[]> => (await call(`GET /task-runs${query}`)).body['data'] as Body[];
  const [bare] = await items('');
  expect([bare['id'], 'input' in bare, 'storage' in bare]).toEqual([id, false, false]);
  const [whole] = await items('?include=input,storage');
  expect([whole['id'], 'input' in whole, 'storage' in whole, 'artifacts' in whole]).toEqual([id, true, true, false]);
});

test('33: a cursor is the plain id of the last object, and opens the next page', async () => {
  for (const name of ['b', 'c']) await call('POST /agents', { name });
  const first = (await call('GET /agents?limit=2')).body as { data: Body[]; has_more: boolean; next_cursor: string };
  expect(first).toMatchObject({ has_more: true, next_cursor: first.data[1]['id'] });
  const rest = (await call(`GET /agents?limit=2&cursor=${first.next_cursor}`)).body;
  expect(rest).toMatchObject({ data: [{ id: agent }], has_more: false, next_cursor: null });
});

test('37: one advance over all attempts: they carry the times they were due at, and no more is sent afterwards', async () => {
  let heard = 0;
  const receiver = createServer((req, res) => {
    heard++;
    req.resume();
    res.writeHead(500).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const type_config = { url: `http://127.0.0.1:${port}/h` };
  const made = await call('POST /event-destinations', { type: 'webhook', type_config, events: ['agent.created'] });
  const began = Date.parse(String((await call('GET /__admin__/clock')).body['now']));
  await call('POST /agents', { name: 'x' });
  await advance('30m');
  await call('POST /__admin__/webhooks/flush', {});
  const { data } = (await call('GET /__admin__/webhooks/deliveries')).body as {
    data: { attempts: { world_time: string }[]; status: string }[];
  };
  const since = data[0].attempts.map(({ world_time }) => (Date.parse(world_time) - began) / 1000);
  expect([data.length, data[0].status, since, heard]).toEqual([1, 'failed', [0, 30, 90, 210], 4]);
  expect((await call(`GET /event-destinations/${String(made.body['id'])}`)).body).toMatchObject({ status: 'inactive' });
  await call('POST /agents', { name: 'y' });
  await call('POST /__admin__/webhooks/flush', {});
  expect(heard).toBe(4);
  receiver.close();
});
