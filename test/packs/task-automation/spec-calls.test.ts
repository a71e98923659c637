/** SPEC.md, "Endpoints" and "Errors": the task-automation pack's calls, how they fail, and their quirks. */
import { refusals } from './refusals.js';
import {
  type Called,
  type Body,
  INPUT,
  refusal,
  serveAutomation,
  T0,
  type List,
} from './served-automation.js';
import { inScenario } from '../../support/http.js';

const automation = serveAutomation();

/** An object of each resource; its key is what the tables' routes name. */
const WORLD = {
  agents: { agent: { id: 'agt_0000000000000001', name: 'Clerk' } },
  sources: { source: { id: 'src_0000000000000001', type: 'website', website: { url: 'https://bank.example.com' } } },
  credentials: { credential: { id: 'cred_0000000000000001', source_id: 'src_0000000000000001' } },
  tasks: {
    task: { id: 'task_0000000000000001', agent_id: 'agt_0000000000000001', name: 'Fetch', input_schema: INPUT },
  },
  sessions: { session: { id: 'sess_0000000000000001', status: 'idle' } },
  task_runs: {
    run: {
      id: 'trun_0000000000000001',
      task_id: 'task_0000000000000001',
      agent_id: 'agt_0000000000000001',
      credential_id: 'cred_0000000000000001',
      session_id: 'sess_0000000000000001',
      status: 'completed',
      result: 'success',
    },
  },
  storage: {
    storage: {
      id: 'stor_0000000000000001',
      task_run_id: 'trun_0000000000000001',
      file_name: 'bill.pdf',
      file_type: 'application/pdf',
      file_size: 7,
    },
  },
  users: { user: { id: 'user_0000000000000001', email: 'eve@example.com' } },
  workflows: { workflow: { id: 'wflo_0000000000000001', name: 'Nightly' } },
} as const;

/** Makes the world of the tables; gives its ids. */
async function world(): Promise<Record<string, string>> {
  const resources = Object.fromEntries(Object.entries(WORLD).map(([name, named]) => [name, Object.values(named)]));
  await automation.control.seed({ resources });
  const named = Object.values(WORLD).flatMap((each) => Object.entries<{ readonly id: string }>(each));
  return {
    ...Object.fromEntries(named.map(([name, { id }]) => [name, id])),
    destination: (await automation.destination()).id,
    event: (await automation.events())[0].id,
  };
}

const filled = (text: string, ids: Readonly<Record<string, string>>) =>
  text.replace(/<(\w+)>/g, (_, name: string) => ids[name] ?? 'none');

describe('endpoints', () => {
  /** Every operation: route, body, status, what the answer is. `<name>` is the id of such an object. */
  const CALLS: readonly [route: string, body: string | null, status: number, object: string][] = [
    ['POST /agents', '{"name":"Clerk"}', 201, 'agent'],
    ['GET /agents', null, 200, 'list of agent'],
    ['GET /agents/<agent>', null, 200, 'agent'],
    ['PATCH /agents/<agent>', '{"name":"Other"}', 200, 'agent'],
    ['DELETE /agents/<agent>', null, 200, 'deleted agent'],
    ['POST /sources', '{"type":"website","website":{"url":"https://a.example"}}', 200, 'source'],
    ['GET /sources', null, 200, 'list of source'],
    ['GET /sources/<source>', null, 200, 'source'],
    ['PATCH /sources/<source>', '{"name":"Bank"}', 200, 'source'],
    ['DELETE /sources/<source>', null, 200, 'deleted source'],
    ['POST /credentials', '{"source_id":"<source>"}', 201, 'credential'],
    ['GET /credentials', null, 200, 'list of credential'],
    ['GET /credentials/<credential>', null, 200, 'credential'],
    ['PATCH /credentials/<credential>', '{"external_id":"x"}', 200, 'credential'],
    ['DELETE /credentials/<credential>', null, 200, 'deleted credential'],
    ['POST /tasks', '{"name":"Fetch","agent_id":"<agent>"}', 201, 'task'],
    ['GET /tasks', null, 200, 'list of task'],
    ['GET /tasks/<task>', null, 200, 'task'],
    ['PATCH /tasks/<task>', '{"prompt":"Hurry"}', 200, 'task'],
    ['POST /tasks/<task>/reset', null, 200, 'task'],
    ['DELETE /tasks/<task>', null, 200, 'deleted task'],
    ['POST /task-runs', '{"task_id":"<task>","input":{"invoice":"1"}}', 201, 'task_run'],
    ['POST /tasks/<task>/run', '{"input":{"invoice":"1"}}', 201, 'task_run'],
    ['POST /tasks/<task>/runs', '{"input":{"invoice":"1"}}', 201, 'task_run'],
    ['GET /task-runs', null, 200, 'list of task_run'],
    ['GET /task-runs/<run>', null, 200, 'task_run'],
    ['GET /task-runs/<run>/storage', null, 200, 'list of storage'],
    ['GET /task-runs/<run>/artifacts', null, 200, 'artifacts'],
    ['GET /sessions', null, 200, 'list of session'],
    ['GET /sessions/<session>', null, 200, 'session'],
    ['POST /sessions/<session>/end', null, 200, 'session'],
    ['GET /storage', null, 200, 'list of storage'],
    ['GET /storage/<storage>', null, 200, 'storage'],
    ['GET /events', null, 200, 'list of event'],
    ['GET /events/<event>', null, 200, 'event'],
    ['GET /event-types', null, 200, 'event types'],
    ['POST /event-destinations', '{"type":"hookdeck"}', 201, 'event_destination'],
    ['GET /event-destinations', null, 200, 'list of event_destination'],
    ['GET /event-destinations/<destination>', null, 200, 'event_destination'],
    ['PATCH /event-destinations/<destination>', '{"name":"Hooks"}', 200, 'event_destination'],
    ['POST /event-destinations/<destination>/test', null, 200, 'event_destination'],
    ['POST /event-destinations/<destination>/rotate-secret', null, 200, 'event_destination'],
    ['GET /event-destinations/<destination>/event-deliveries', null, 200, 'list of event_delivery'],
    ['POST /event-destinations/<destination>/deactivate', null, 200, 'event_destination'],
    ['DELETE /event-destinations/<destination>', null, 200, 'deleted event_destination'],
    ['GET /users', null, 200, 'list of user'],
    ['GET /users/<user>', null, 200, 'user'],
    ['GET /workflows', null, 200, 'list of workflow'],
    ['GET /workflows/<workflow>', null, 200, 'workflow'],
    ['POST /token', null, 201, 'token'],
    ['GET /test', null, 200, 'ready'],
  ];

  function kindOf(body: Body): string {
    if ('deleted' in body) return `deleted ${String(body['object'])}`;
    if ('screenshots' in body) return 'artifacts';
    if ('environment' in body) return String(body['status']);
    if ('object' in body) return String(body['object']);
    const [first] = body['data'] as readonly Body[];
    if (!('has_more' in body)) return 'event types';
    expect(Object.keys(body)).toEqual(['data', 'has_more', 'next_cursor', 'request_id']);
    return `list of ${String(first['object'])}`;
  }

  test.each(CALLS)('%s %s answers %i with %s', async (route, body, status, kind) => {
    const ids = await world();
    const answer = await automation.call(filled(route, ids), body === null ? undefined : filled(body, ids));
    expect([answer.status, kindOf(answer.body)]).toEqual([status, kind]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-mock-resolution-trace')).toMatch(/\S/);
    expect(answer.body['request_id']).toMatch(/^req_/);
  });

  test('every operation of the pack is in a table', () => {
    const routes = automation.engine.pack.operations.flatMap((operation) =>
      operation.routes.map(({ method, path }) => `${method} ${path}`),
    );
    const shape = (route: string) => route.replace(/<\w+>|\{\w+\}/g, '*');
    const called = [...CALLS.map(([route]) => route), ...ELSEWHERE].map(shape);
    expect(routes.map(shape).filter((route) => !called.includes(route))).toEqual([]);
  });

  /** Called in a status of their own: spec-lifecycle.test.ts. */
  const ELSEWHERE = [
    'POST /task-runs/<run>/cancel',
    'POST /task-runs/<run>/interaction',
    'POST /task-runs/<run>/review',
    'POST /event-destinations/<destination>/verify',
    'POST /event-destinations/<destination>/activate',
  ];

  test('GET /event-types is the only list without pages, and knows every event of the pack', async () => {
    const { data, ...rest } = await automation.done<{ data: { type: string }[] }>('GET /event-types?Limit=1');
    expect(Object.keys(rest)).toEqual(['request_id']);
    expect(data.map(({ type }) => type).sort()).toEqual([...automation.engine.pack.eventTypes].sort());
  });

  test('an update changes what was sent and nothing else', async () => {
    const { id } = await automation.agent({ description: 'Pays bills' });
    expect(await automation.done(`PATCH /agents/${id}`, { name: 'Other' })).toMatchObject({
      name: 'Other',
      description: 'Pays bills',
    });
    expect(await automation.done(`PATCH /agents/${id}`, { description: null })).toMatchObject({
      name: 'Other',
      description: null,
    });
  });

  test('what is deleted is not found, apart from credentials, which stay readable', async () => {
    const ids = await world();
    const gone: [string, number][] = [];
    for (const path of ['event-destinations/<destination>', 'tasks/<task>', 'agents/<agent>', 'sources/<source>']) {
      await automation.done(`DELETE /${filled(path, ids)}`);
      gone.push([path, (await automation.call(`GET /${filled(path, ids)}`)).status]);
    }
    expect(gone.map(([, status]) => status)).toEqual([404, 404, 404, 404]);
    expect(await automation.done(`GET /credentials/${ids['credential']}`)).toMatchObject({ status: 'deleted' });
  });
});

describe('lists', () => {
  test('go on where the cursor says, forwards and backwards, newest first', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.unshift((await automation.agent({ name })).id);
    const page = async (query: string) => {
      const list = await automation.done<List<{ id: string }>>(`GET /agents?Limit=2${query}`);
      return { ids: list.data.map(({ id }) => id), more: list.has_more, next: list.next_cursor };
    };
    const first = await page('');
    const second = await page(`&cursor=${encodeURIComponent(first.next ?? '')}`);
    const third = await page(`&cursor=${encodeURIComponent(second.next ?? '')}`);
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids);
    expect([first.more, second.more, third.more, third.next]).toEqual([true, true, false, null]);
    expect((await page(`&starting_after=${ids[1]}`)).ids).toEqual(ids.slice(2, 4));
    expect((await page(`&ending_before=${ids[2]}`)).ids).toEqual(ids.slice(0, 2));
  });

  /** Filters of runs: one canceled, one completed, one queued. */
  const FILTERS: readonly [query: string, found: readonly string[]][] = [
    ['status=completed', ['completed']],
    ['status=completed&status=queued', ['queued', 'completed']],
    ['status=completed,queued', ['queued', 'completed']],
    ['Status=queued', ['queued']],
    ['outcome=success', ['completed']],
    ['result=unknown', ['canceled']],
    ['task_id=<task>', ['queued', 'completed', 'canceled']],
    ['agent_id=<agent>', ['queued', 'completed', 'canceled']],
    ['credential_id=<credential>', ['completed']],
    ['source_id=<source>', ['completed']],
    ['session_id=<session>', ['completed']],
    ['workflow_id=<workflow>', []],
    ['created_after=<then>', ['queued']],
    ['created_before=<then>', ['completed', 'canceled']],
    ['status=sleeping', []],
    ['task_id=task_none', []],
    ['task_id=agt_0000000000000000', []],
    ['created_after=yesterday', ['queued', 'completed', 'canceled']],
    ['color=blue', ['queued', 'completed', 'canceled']],
    ['cursor=nonsense', ['queued', 'completed', 'canceled']],
  ];
  test.each(FILTERS)('of runs with ?%s give %j, with 200', async (query, found) => {
    const task = await automation.task();
    const credential = await automation.credential();
    const canceled = await automation.run({ task_id: task.id });
    await automation.done(`POST /task-runs/${canceled.id}/cancel`);
    const completed = await automation.run({ task_id: task.id, credential_id: credential.id });
    await automation.advance('1m');
    const then = automation.now;
    await automation.advance('1m');
    await automation.run({ task_id: task.id });
    const ids = {
      task: task.id,
      agent: task.agent_id,
      credential: credential.id,
      source: credential.source_id,
      session: completed.session_id,
      then,
    };
    const { status, body } = await automation.call<List<Body>>(`GET /task-runs?${filled(query, ids)}`);
    expect([status, body.data.map((run) => run['status'])]).toEqual([200, found]);
  });
});

/** What an errors envelope says. */
function said({ status, body }: Called): unknown {
  const { errors, request_id } = body as { readonly errors: readonly Body[]; readonly request_id: unknown };
  expect(request_id).toMatch(/^req_/);
  expect(errors.map((error) => Object.keys(error))).toEqual([['type', 'code', 'message', 'field']]);
  const [{ type, code, field }] = errors;
  return [status, type, code, field];
}

describe('a call fails', () => {
  const NOT_FOUND: readonly [route: string, code: string][] = [
    ['GET /tasks/task_0000000000000000', 'task_not_found'],
    ['GET /tasks/nonsense', 'task_not_found'],
    ['PATCH /tasks/task_0000000000000000', 'task_not_found'],
    ['DELETE /agents/agt_0000000000000000', 'agent_not_found'],
    ['GET /sources/src_0000000000000000', 'source_not_found'],
    ['GET /credentials/cred_0000000000000000', 'credential_not_found'],
    ['GET /task-runs/trun_0000000000000000', 'task_run_not_found'],
    ['POST /task-runs/trun_0000000000000000/cancel', 'task_run_not_found'],
    ['GET /task-runs/trun_0000000000000000/artifacts', 'task_run_not_found'],
    ['GET /sessions/sess_0000000000000000', 'session_not_found'],
    ['GET /storage/stor_0000000000000000', 'storage_not_found'],
    ['GET /events/evt_0000000000000000', 'event_not_found'],
    ['GET /event-destinations/evtd_0000000000000000', 'event_destination_not_found'],
    ['GET /users/user_0000000000000000', 'user_not_found'],
    ['GET /workflows/wflo_0000000000000000', 'workflow_not_found'],
  ];
  test.each(NOT_FOUND)('%s is 404 %s', async (route, code) => {
    const body = route.startsWith('PATCH') ? {} : undefined;
    expect(said(await automation.call(route, body))).toEqual([404, 'request', code, null]);
  });

  test.each([
    ['task_id', { task_id: 'task_0000000000000000' }, 'task_not_found'],
    ['credential_id', { credential_id: 'cred_0000000000000000' }, 'credential_not_found'],
    ['source_id', { source_id: 'src_0000000000000000' }, 'source_not_found'],
    ['session_id', { session_id: 'sess_0000000000000000' }, 'session_not_found'],
  ])('a run with an unknown %s is 404 and names the field', async (field, given, code) => {
    const task = await automation.task();
    const body = { task_id: task.id, input: { invoice: '1' }, ...given };
    expect(said(await automation.call('POST /task-runs', body))).toEqual([404, 'request', code, field]);
  });

  test('the path of an unknown task is its own 404 when a run is started there', async () => {
    const answer = await automation.call('POST /tasks/task_0000000000000000/run', {});
    expect(said(answer)).toEqual([404, 'request', 'task_not_found', null]);
  });

  /** What a fault that says this becomes: [status, type, code]. */
  const FAULTS: readonly [fault: Body, shown: readonly unknown[]][] = [
    [{ status: 401 }, [401, 'request', 'api_key_invalid']],
    [{ status: 403 }, [403, 'organization', 'plan_limit_reached']],
    [{ status: 404 }, [404, 'request', 'not_found']],
    [{ status: 409 }, [409, 'idempotency', 'idempotency_error']],
    [{ status: 422 }, [422, 'request', 'unprocessable']],
    [{ status: 429 }, [429, 'rate_limit', 'rate_limit_exceeded']],
    [{ status: 500 }, [500, 'api', 'api_error']],
    [{ status: 503 }, [503, 'source', 'source_not_available']],
    [{ status: 504 }, [504, 'session', 'timeout']],
    [{ status: 429, error: { code: 'rate_limit_exceeded' } }, [429, 'rate_limit', 'rate_limit_exceeded']],
    [{ status: 429, error: { type: 'rate_limit' } }, [429, 'rate_limit', 'rate_limit_exceeded']],
    [{ status: 429, error: { code: 'session_limit_exceeded' } }, [429, 'rate_limit', 'session_limit_exceeded']],
    [{ status: 500, error: { type: 'api', code: 'home_made' } }, [500, 'api', 'home_made']],
  ];
  test.each(FAULTS)('the fault %j answers %j, once, on both routes', async (fault, [status, type, code]) => {
    const task = await automation.task();
    for (const route of ['POST /task-runs', `POST /tasks/${task.id}/run`]) {
      await automation.control.fault({ resource: 'task_runs', operation: 'create', count: 1, ...fault });
      const body = { task_id: task.id, input: { invoice: '1' } };
      const answer = await automation.call(route, body);
      expect(said(answer)).toEqual([status, type, code, null]);
      expect(await automation.trace(answer)).toMatchObject({ operation: 'task_runs.create', outcome: 'fault' });
      expect((await automation.call(route, body)).status).toBe(201);
    }
  });

  const KEY = { 'idempotency-key': 'order-66' };

  test('an idempotency key gives the first answer again, and nothing happens twice', async () => {
    const first = await automation.call('POST /agents', { name: 'Clerk' }, KEY);
    const again = await automation.call('POST /agents', { name: 'Clerk' }, KEY);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect((await automation.done<List<Body>>('GET /agents')).data).toHaveLength(1);
  });

  test('an idempotency key with other parameters is 409 idempotency_error', async () => {
    await automation.done('POST /agents', { name: 'Clerk' }, KEY);
    const other = await automation.call('POST /agents', { name: 'Other' }, KEY);
    expect(said(other)).toEqual([409, 'idempotency', 'idempotency_error', null]);
    const elsewhere = await automation.call('POST /sources', { name: 'Clerk' }, KEY);
    expect(said(elsewhere)).toEqual([409, 'idempotency', 'idempotency_error', null]);
  });

  test('an idempotency key is forgotten after a day, and an answer that failed is not kept', async () => {
    expect((await automation.call('POST /agents', {}, KEY)).status).toBe(400);
    const first = await automation.done<Body>('POST /agents', { name: 'Clerk' }, KEY);
    await automation.advance('24h');
    const later = await automation.done<Body>('POST /agents', { name: 'Other' }, KEY);
    expect(later['id']).not.toBe(first['id']);
  });

  test.each(refusals(automation))('%s is refused', async (_, run, shown) => {
    expect(said(await run())).toEqual(shown);
  });
});

describe('validation', () => {
  /** Route, body, and the fields that have problems. */
  const INVALID: readonly [route: string, body: unknown, fields: readonly string[]][] = [
    ['POST /agents', {}, ['name']],
    ['POST /agents', { name: null }, ['name']],
    ['POST /agents', { name: '' }, ['name']],
    ['POST /agents', { name: 7 }, ['name']],
    ['POST /agents', { name: 'x'.repeat(256) }, ['name']],
    ['POST /agents', { name: 7, description: 7 }, ['name', 'description']],
    ['POST /sources', {}, ['type', 'website']],
    ['POST /sources', { type: 'app', website: { url: 'https://a.example' } }, ['type']],
    ['POST /sources', { type: 'website', website: {} }, ['website.url']],
    ['POST /sources', { type: 'website', website: { url: 'ftp://a.example' } }, ['website.url']],
    ['POST /credentials', {}, ['source_id']],
    ['POST /credentials', { source_id: '<source>', auth_method: 'voice' }, ['auth_method']],
    [
      'POST /credentials',
      { source_id: '<source>', auth_method: 'username_password', auth_credentials: {} },
      ['auth_credentials.username', 'auth_credentials.password'],
    ],
    ['POST /credentials', { source_id: '<source>', external_id: 'x'.repeat(256) }, ['external_id']],
    ['POST /tasks', {}, ['name', 'agent_id']],
    ['POST /tasks', { name: 'x', agent_id: '<agent>', id: 'task_short' }, ['id']],
    ['POST /tasks', { name: 'x', agent_id: '<agent>', input_schema: { type: 'bread' } }, ['input_schema']],
    ['POST /tasks', { name: 'x', agent_id: '<agent>', output_schema: 'string' }, ['output_schema']],
    ['POST /tasks', { name: 'x', agent_id: '<agent>', settings: { timeout_seconds: 0 } }, ['settings.timeout_seconds']],
    [
      'POST /tasks',
      { name: 'x', agent_id: '<agent>', settings: { timeout_seconds: 86_401 } },
      ['settings.timeout_seconds'],
    ],
    ['POST /tasks', { name: 'x', agent_id: '<agent>', extraction: 'yes' }, ['extraction']],
    ['POST /task-runs', {}, ['task_id']],
    ['POST /task-runs', { task_id: '<task>' }, ['input.invoice']],
    ['POST /task-runs', { task_id: '<task>', input: { invoice: 7 } }, ['input.invoice']],
    ['POST /tasks/<task>/run', { input: 'INV-1' }, ['input']],
    ['POST /task-runs/<run>/interaction', {}, ['input']],
    ['POST /task-runs/<run>/review', {}, ['decision']],
    ['POST /task-runs/<run>/review', { decision: 'perhaps' }, ['decision']],
    ['POST /event-destinations', { type: 'pigeon' }, ['type']],
    ['POST /event-destinations', { type_config: {} }, ['type_config.url']],
    ['POST /event-destinations', { type: 'hookdeck', events: [] }, ['events']],
    ['POST /event-destinations', { type: 'hookdeck', events: ['*', 'agent.created'] }, ['events']],
    ['POST /event-destinations', { type: 'hookdeck', events: ['agent.created', 'agent.born'] }, ['events[1]']],
    ['POST /event-destinations', { type: 'hookdeck', events: 'agent.created' }, ['events']],
    ['PATCH /event-destinations/<destination>', { status: 'pending_verification' }, ['status']],
    ['PATCH /event-destinations/<destination>', { type_config: { url: 'nowhere' } }, ['type_config.url']],
    ['PATCH /event-destinations/<destination>', { aws_sqs: { queue_url: 'https://q.example' } }, ['aws_sqs']],
    ['POST /agents', '{"name":', ['$']],
    ['POST /agents', '["name"]', ['$']],
  ];
  test.each(INVALID)('%s with %j names %j', async (route, body, fields) => {
    const ids = await world();
    const text = filled(typeof body === 'string' ? body : JSON.stringify(body), ids);
    const answer = await automation.call(filled(route, ids), text);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual(['type', 'title', 'status', 'errors', 'traceId']);
    const { errors } = answer.body as { readonly errors: Readonly<Record<string, readonly string[]>> };
    expect(Object.keys(errors)).toEqual(fields);
    for (const messages of Object.values(errors)) expect(messages.every((each) => /\S/.test(each))).toBe(true);
    expect(answer.body).toMatchObject({
      type: expect.any(String) as unknown,
      title: expect.any(String) as unknown,
      status: 400,
      traceId: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) as unknown,
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('every answer has a traceId of its own, the same ones again from the same seed', async () => {
    const traces = async () => {
      const bodies: unknown[] = [];
      for (const body of ['{"name":', '{}', '{"name":', '{}']) {
        bodies.push((await automation.call('POST /agents', body)).body['traceId']);
      }
      await automation.control.reset({ t0: T0 });
      return bodies;
    };
    const first = await traces();
    expect(new Set(first).size).toBe(4);
    expect(await traces()).toEqual(first);
  });

  test('the problems of an input stand at its fields, all at once', async () => {
    const lines = { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } };
    const input_schema = { type: 'object', required: ['who'], properties: { who: { type: 'string' }, lines } };
    const { id } = await automation.task({ input_schema });
    const { body } = await automation.call(`POST /tasks/${id}/run`, { input: { lines: [{}, { amount: 'x' }] } });
    expect(Object.keys(body['errors'] as Body)).toEqual(['input.who', 'input.lines[1].amount']);
  });

  test('unknown members of a body are ignored', async () => {
    expect((await automation.call('POST /agents', { name: 'Clerk', color: 'blue' })).status).toBe(201);
  });

  test('a body that is no JSON by its Content-Type is 400, one too large 413', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await automation.call('POST /agents', 'name=Clerk', headers)).status).toBe(400);
    expect((await automation.call('POST /agents', { name: 'x'.repeat(2 ** 20) })).status).toBe(413);
  });
});

describe('quirks', () => {
  test.each(['GET /nowhere', 'POST /v1/tasks', 'GET /tasks/task_1/nothing', 'PUT /agents', 'DELETE /events', 'GET /'])(
    '%s is no route: 404 with an empty body',
    async (route) => {
      const { status, text, headers } = await automation.call(route);
      expect([status, text, headers.get('content-length')]).toEqual([404, '', '0']);
      expect(headers.get('x-mock-resolution-trace')).toMatch(/\S/);
    },
  );

  test('a magic value of another vendor means nothing here', async () => {
    const { id } = await automation.task();
    const run = await automation.run({ task_id: id, input: { invoice: 'pm_card_chargeDeclined' } });
    await automation.advance('1m');
    expect((await automation.runOf(run.id)).status).toBe('completed');
  });
});

describe('resolution', () => {
  test('an unknown scenario is 400, not in the vendor’s words', async () => {
    const { status, body } = await automation.call('GET /tasks', undefined, inScenario('nonsense'));
    expect([status, body]).toMatchObject([400, { error: { code: 'unknown_scenario' } }]);
  });

  test('a fault wins over a scenario', async () => {
    await automation.control.fault({ resource: 'tasks', operation: 'list', status: 500, count: 1 });
    const answer = await automation.call('GET /tasks', undefined, inScenario('rate_limited'));
    expect(said(answer)).toEqual([500, 'api', 'api_error', null]);
    const next = await automation.call('GET /tasks', undefined, inScenario('rate_limited'));
    expect(said(next)).toEqual([429, 'rate_limit', 'rate_limit_exceeded', null]);
    expect(await automation.trace(next)).toMatchObject({ outcome: 'scenario' });
  });
});

describe('the control API', () => {
  test('an id that does not fit the pack cannot be seeded', async () => {
    const ids = ['trun_short', 'sess_0000000000000001', 'trun_00000000000000-1'];
    const objects = ids.map((id) => ({ resource: 'task_runs', objects: [{ id }] }));
    for (const each of objects) expect(await refusal(automation.control.seed(each))).toMatchObject({ status: 422 });
  });

  test('a seeded run cannot have what the engine derives', async () => {
    const { id: task_id, agent_id } = await automation.task();
    const run = { id: 'trun_0000000000000001', task_id, agent_id };
    const given = { resource: 'task_runs', objects: [{ ...run, nonsense: 1 }] };
    expect(await refusal(automation.control.seed(given))).toMatchObject({ status: 422 });
    await automation.control.seed({ resource: 'task_runs', objects: [{ ...run, status: 'running' }] });
    expect((await automation.runOf(run.id)).status).toBe('running');
    await automation.advance('31m');
    expect((await automation.runOf(run.id)).status).toBe('completed');
  });

  test('seeding is silent', async () => {
    await automation.control.seed({ resource: 'agents', objects: [{ id: 'agt_0000000000000001', name: 'Old' }] });
    expect(await automation.events()).toEqual([]);
  });

  test('causes are refused without their object, with wrong parameters, or by an unknown name', async () => {
    const { id } = await automation.run();
    const cause = (name: string, params: Body) => refusal(automation.control.event(name, params));
    const asked = { interaction: { type: 'mfa' } };
    expect(
      await cause('task_run.interaction_required', { task_run_id: 'trun_0000000000000000', ...asked }),
    ).toMatchObject({ status: 409 });
    expect(
      await cause('task_run.interaction_required', { task_run_id: id, interaction: { type: 'riddle' } }),
    ).toMatchObject({ status: 400 });
    expect(await cause('task_run.interaction_required', asked)).toMatchObject({ status: 400 });
    expect(await cause('task_run.sneezed', { task_run_id: id })).toMatchObject({ status: 404 });
  });

  test('a fault for what the pack has not is 404', async () => {
    const fault = (resource: string, operation: string) =>
      refusal(automation.control.fault({ resource, operation, status: 500 }));
    expect(await fault('pigeons', 'create')).toMatchObject({ status: 404 });
    expect(await fault('task_runs', 'sneeze')).toMatchObject({ status: 404 });
  });
});
