/** SPEC.md, "Resources and their fields", "Pinnable values", "Authentication", "Limits", "Versioning": the task-automation pack. */
import { type Called, KEY, refusal, SECRETS, serveAutomation, type TaskRun } from './served-automation.js';

const automation = serveAutomation();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An object of each resource, made through the vendor's API where that can make it. */
async function oneOf(object: string): Promise<Called> {
  const run = async (storage = true) => {
    const task = await automation.task({ storage: { enabled: storage } });
    const made = await automation.run({ task_id: task.id, credential_id: (await automation.credential()).id });
    await automation.advance('40s');
    return made;
  };
  switch (object) {
    case 'task':
      return automation.call(`GET /tasks/${(await automation.task()).id}`);
    case 'task_run':
      return automation.call(`GET /task-runs/${(await run()).id}`);
    case 'session':
      return automation.call(`GET /sessions/${(await run()).session_id}`);
    case 'agent':
      return automation.call(`GET /agents/${(await automation.agent()).id}`);
    case 'source':
      return automation.call(`GET /sources/${(await automation.source()).id}`);
    case 'credential':
      return automation.call(`GET /credentials/${(await automation.credential()).id}`);
    case 'event_destination':
      return automation.call(`GET /event-destinations/${(await automation.destination()).id}`);
    case 'event':
      await automation.agent();
      return automation.call(`GET /events/${(await automation.events())[0].id}`);
    case 'storage': {
      const { id } = await run();
      const { data } = await automation.done<{ data: { id: string }[] }>(`GET /task-runs/${id}/storage`);
      return automation.call(`GET /storage/${data[0].id}`);
    }
    case 'user': {
      await automation.cause('user.created', { email: 'eve@example.com' });
      const { data } = await automation.done<{ data: { id: string }[] }>('GET /users');
      return automation.call(`GET /users/${data[0].id}`);
    }
    default: {
      const id = 'wflo_Nightly000000001'.slice(0, 21);
      await automation.control.seed({ resource: 'workflows', objects: [{ id, name: 'Nightly' }] });
      return automation.call(`GET /workflows/${id}`);
    }
  }
}

/** Field -> what its value is: a pattern of text, the name of a type, or the literal values it may have. */
type Shape = Readonly<Record<string, RegExp | string | readonly unknown[]>>;

const id = (prefix: string) => new RegExp(`^${prefix}_[0-9A-Za-z]{16}$`);

const SHAPES: Readonly<Record<string, Shape>> = {
  task: {
    id: id('task'),
    object: ['task'],
    agent_id: id('agt'),
    name: 'string',
    status: ['learning', 'test', 'live'],
    input_schema: 'object',
    output_schema: 'object',
  },
  task_run: {
    id: id('trun'),
    object: ['task_run'],
    task_id: id('task'),
    agent_id: id('agt'),
    credential_id: id('cred'),
    session_id: id('sess'),
    workflow_id: [null],
    status: ['completed'],
    result: ['success'],
    runtime_ms: 'integer',
    output: 'object',
    errors: 'array',
    interaction: [null],
    created_at: TIME,
    updated_at: TIME,
  },
  session: { id: id('sess'), object: ['session'], status: ['idle'], runtime_ms: 'integer', created_at: TIME },
  event: { id: id('evt'), object: ['event'], type: /^[a-z_]+\.[a-z_]+$/, data: 'object', created_at: TIME },
  event_destination: {
    id: id('evtd'),
    object: ['event_destination'],
    type: ['webhook'],
    events: 'array',
    status: ['pending_verification', 'active', 'inactive'],
    type_config: 'object',
  },
  credential: { id: id('cred'), object: ['credential'], auth_credentials: 'object', source_id: id('src') },
  agent: { id: id('agt'), object: ['agent'], name: 'string', created_at: TIME },
  source: { id: id('src'), object: ['source'], website: 'object', created_at: TIME },
  storage: { id: id('stor'), object: ['storage'], file_name: 'string', task_run_id: id('trun'), created_at: TIME },
  user: { id: id('user'), object: ['user'], email: 'string', created_at: TIME },
  workflow: { id: id('wflo'), object: ['workflow'], name: 'string', steps: 'array', created_at: TIME },
};

function fits(value: unknown, wanted: Shape[string]): boolean {
  if (wanted instanceof RegExp) return typeof value === 'string' && wanted.test(value);
  if (typeof wanted !== 'string') return wanted.includes(value);
  if (wanted === 'array') return Array.isArray(value);
  if (wanted === 'integer') return Number.isInteger(value);
  return typeof value === wanted && value !== null && !Array.isArray(value);
}

describe('resources and their fields', () => {
  test.each(Object.entries(SHAPES))('%s has its fields, of their types', async (object, shape) => {
    const { status, body, headers } = await oneOf(object);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const misfits = Object.entries(shape).filter(([field, wanted]) => !fits(body[field], wanted));
    expect(misfits.map(([field]) => ({ [field]: body[field] }))).toEqual([]);
    expect(body['request_id']).toMatch(/^req_[0-9A-Za-z]{16}$/);
    expect(Object.keys(body).slice(0, 2)).toEqual(['id', 'object']);
  });

  test('every resource of the pack is in the table', () => {
    const readable = automation.engine.pack.operations.filter(({ kind }) => kind === 'retrieve');
    expect(readable.map(({ resource }) => resource.name).sort()).toEqual(Object.keys(SHAPES).sort());
  });

  test('a webhook destination shows its url and its signing secret', async () => {
    const { type_config } = await automation.destination();
    expect(type_config).toEqual({
      url: 'http://127.0.0.1:9/hook',
      secret: expect.stringMatching(/^whsec_/) as unknown,
    });
  });

  test('of a credential only the user name reads back', async () => {
    const { body } = await oneOf('credential');
    expect(body['auth_credentials']).toEqual({ username: SECRETS.username });
    expect(JSON.stringify(body)).not.toMatch(/correct-horse|staple/);
  });

  test('a run that is not over has no result, output, errors or interaction', async () => {
    const run = await automation.run();
    expect(run).toMatchObject({ status: 'queued', result: null, output: null, errors: [], interaction: null });
    expect(run).toMatchObject({ runtime_ms: 0, workflow_id: null, credential_id: null });
  });
});

describe('include', () => {
  const extras = (run: TaskRun) => ['input', 'storage', 'artifacts'].filter((key) => key in run);
  test.each([
    ['', []],
    ['input', ['input']],
    ['storage', ['storage']],
    ['artifacts', ['artifacts']],
    ['input,storage', ['input', 'storage']],
    ['input,storage,artifacts', ['input', 'storage', 'artifacts']],
    ['artifacts,input', ['input', 'artifacts']],
    ['screenshots', ['artifacts']],
    ['nonsense', []],
    ['nonsense,input', ['input']],
  ])('?include=%s adds %j', async (include, added) => {
    const { id } = await automation.run();
    expect(extras(await automation.runOf(id, include))).toEqual(added);
  });

  test('the sections hold the input, the files and the screenshots', async () => {
    const task = await automation.task({ storage: { enabled: true } });
    const { id } = await automation.run({ task_id: task.id });
    await automation.advance('1m');
    const run = await automation.runOf(id, 'input,storage,artifacts');
    expect(run).toMatchObject({
      input: { invoice: 'INV-1' },
      storage: [
        { object: 'storage', file_name: 'document_1.pdf', file_type: 'application/pdf', task_run_id: id },
        { object: 'storage', file_name: 'document_2.pdf' },
      ],
      artifacts: { screenshots: [{ file_type: 'image/png' }, { reasoning: 'The run is completed.' }] },
    });
  });
});

describe('pinnable values', () => {
  const finished = async (run: TaskRun) => {
    await automation.advance('1m');
    return automation.runOf(run.id);
  };
  const PINS: readonly [path: string, value: unknown, shown: object][] = [
    ['output', { invoice: 'PIN-1', total: 7 }, { status: 'completed', output: { invoice: 'PIN-1', total: 7 } }],
    ['output.total', 42, { status: 'completed', output: { invoice: 'INV-1', total: 42 } }],
    ['output.total', null, { status: 'completed', output: { invoice: 'INV-1', total: null } }],
    ['result', 'unknown', { status: 'failed', result: 'unknown', errors: [{ code: 'task_result_unknown' }] }],
    ['result', 'failure', { status: 'failed', result: 'failure', errors: [{ code: 'task_failed' }] }],
    ['result', 'success', { status: 'completed', result: 'success', errors: [] }],
    ['branch', 'failed', { status: 'failed', result: 'failure', output: null, errors: [{ code: 'task_failed' }] }],
    ['branch', 'completed', { status: 'completed', result: 'success', errors: [] }],
    ['branch', 'review_required', { status: 'review_required', result: null, output: { invoice: 'INV-1' } }],
    ['branch', 'interaction_required', { status: 'interaction_required', interaction: { type: 'mfa' } }],
    ['branch', 'stalled', { status: 'running', output: null }],
  ];
  test.each(PINS)('%s = %j gives %j', async (path, value, shown) => {
    const run = await automation.run();
    await automation.pin(run.id, path, value);
    expect(await finished(run)).toMatchObject(shown);
  });

  test('errors bind when the run fails, and a message is filled in', async () => {
    const run = await automation.run();
    await automation.pin(run.id, 'branch', 'failed');
    await automation.pin(run.id, 'errors', [{ type: 'source', code: 'source_blocked' }]);
    const failed = await finished(run);
    expect(failed.errors).toEqual([{ type: 'source', code: 'source_blocked', message: 'The source is blocked.' }]);
  });

  test('errors bind to nothing when the run succeeds', async () => {
    const run = await automation.run();
    await automation.pin(run.id, 'errors', [{ type: 'task', code: 'blocked', message: 'Go away.' }]);
    expect(await finished(run)).toMatchObject({ status: 'completed', errors: [] });
  });

  test('an output binds to nothing when the run fails or is canceled', async () => {
    const outputs: unknown[] = [];
    for (const end of ['task_run.failed', 'cancel']) {
      const run = await automation.run();
      await automation.pin(run.id, 'output', { invoice: 'PIN-1', total: 7 });
      if (end === 'cancel') await automation.done(`POST /task-runs/${run.id}/cancel`);
      else await automation.cause(end, { task_run_id: run.id });
      outputs.push((await finished(run)).output);
    }
    expect(outputs).toEqual([null, null]);
  });

  test('an interaction binds when a challenge comes, and is null when the run goes on', async () => {
    const run = await automation.run();
    await automation.pin(run.id, 'interaction', { type: 'security_question', message: 'First pet?' });
    await automation.cause('task_run.interaction_required', { task_run_id: run.id, interaction: { type: 'mfa' } });
    expect((await automation.runOf(run.id)).interaction).toEqual({
      type: 'security_question',
      message: 'First pet?',
      fields: [{ name: 'answer', type: 'string', label: 'Answer' }],
    });
    await automation.done(`POST /task-runs/${run.id}/interaction`, { input: { answer: 'Rex' } });
    expect(await automation.runOf(run.id)).toMatchObject({ status: 'running', interaction: null });
  });

  test('a trace names the pin as the source of the value', async () => {
    const run = await automation.run();
    await automation.pin(run.id, 'output.total', 42);
    await automation.advance('1m');
    const trace = await automation.trace(await automation.call(`GET /task-runs/${run.id}`));
    expect(trace).toMatchObject({ operation: 'task_runs.retrieve', outcome: 'normal' });
    expect(trace['exogenous']).toContainEqual({ field_path: 'output.total', source: 'pin', value: 42 });
  });

  test('a pin for all runs gives way to one of a run', async () => {
    await automation.control.pin({ resource: 'task_runs', path: 'branch', value: 'failed' });
    const [one, other] = [await automation.run(), await automation.run()];
    await automation.pin(one.id, 'branch', 'completed');
    expect([(await finished(one)).status, (await finished(other)).status]).toEqual(['completed', 'failed']);
  });

  test.each(['id', 'status', 'runtime_ms', 'created_at', 'session_id', 'nonsense'])(
    '%s is the engine’s own and cannot be pinned',
    async (path) => {
      const run = await automation.run();
      expect(await refusal(automation.pin(run.id, path, 'x'))).toMatchObject({ status: 422 });
    },
  );

  test.each([
    ['result', 'perhaps'],
    ['branch', 'sideways'],
    ['errors', [{ type: 'weather', code: 'rain' }]],
    ['errors', 'no list'],
    ['interaction', { type: 'riddle' }],
    ['output', { invoice: 'PIN-1', total: -1 }],
    ['output', { invoice: 'PIN-1' }],
    ['output.total', 'much'],
  ])('%s cannot be pinned to %j', async (path, value) => {
    const run = await automation.run();
    expect(await refusal(automation.pin(run.id, path, value))).toMatchObject({ status: 422 });
  });
});

describe('authentication', () => {
  test.each([
    ['no key', undefined],
    ['another key', 'Bearer sk_test_other'],
    ['another scheme', `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`],
    ['an empty key', 'Bearer '],
  ])('%s is 401 of type request, on every path', async (_, authorization) => {
    for (const route of ['GET /tasks', 'POST /task-runs', 'GET /nowhere']) {
      const { status, body } = await automation.call(route, undefined, { authorization });
      expect([status, body]).toEqual([
        401,
        {
          errors: [{ type: 'request', code: 'api_key_invalid', message: expect.any(String) as unknown, field: null }],
          request_id: expect.stringMatching(/^req_/) as unknown,
        },
      ]);
    }
  });

  test('the control API answers 401 in words of its own', async () => {
    const { status, body } = await automation.call('GET /__admin__/state', undefined, { authorization: undefined });
    expect([status, body]).toMatchObject([401, { error: { code: expect.any(String) as unknown } }]);
  });
});

describe('limits', () => {
  const SIZES: readonly [query: string, items: number][] = [
    ['', 20],
    ['?Limit=1', 1],
    ['?Limit=100', 100],
    ['?Limit=101', 100],
    ['?Limit=99999', 100],
    ['?Limit=0', 1],
    ['?Limit=-5', 1],
    ['?Limit=many', 20],
    ['?Limit=', 20],
    ['?limit=7', 7],
  ];
  test.each(SIZES)('a list with %s has %i of 105 items', async (query, items) => {
    const number = (n: number) => String(n).padStart(16, '0');
    const agents = Array.from({ length: 105 }, (_, n) => ({ id: `agt_${number(n)}`, name: `Agent ${n}` }));
    await automation.control.seed({ resource: 'agents', objects: agents });
    const { status, body } = await automation.call(`GET /agents${query}`);
    expect([status, (body['data'] as unknown[]).length, body['has_more']]).toEqual([200, items, true]);
    expect(body).toMatchObject({
      next_cursor: expect.any(String) as unknown,
      request_id: expect.any(String) as unknown,
    });
  });

  test('a run fails with task / timeout after 30 minutes', async () => {
    const { id } = await automation.running();
    await automation.cause('task_run.stalled', { task_run_id: id });
    await automation.advance('29m59s');
    expect((await automation.runOf(id)).status).toBe('running');
    await automation.advance('1s');
    const run = await automation.runOf(id);
    expect(run).toMatchObject({ status: 'failed', result: 'failure', output: null, runtime_ms: 1_800_000 });
    expect(run.errors).toEqual([expect.objectContaining({ type: 'task', code: 'timeout' })]);
  });
});

describe('versioning', () => {
  test('the pack tells its version and what it is faithful to', () => {
    expect(automation.pack).toMatchObject({ version: '0.1.0', faithfulTo: 'task API v2.0.0' });
  });

  test('the contract has a version', async () => {
    const { headers, body } = await automation.call('GET /__admin__/');
    expect(headers.get('x-sandbox-contract')).toMatch(/\S/);
    expect(body).toMatchObject({ contract: headers.get('x-sandbox-contract') });
  });
});
