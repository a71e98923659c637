/** SPEC.md, "Moves" and "Events": how the objects of the task-automation pack move in time, and what events say of it. */
import { type Body, serveAutomation, type Session, type TaskRun, type VendorEvent } from './served-automation.js';

const automation = serveAutomation();

/** Seconds since the first event, and the type. */
function timeline(events: readonly VendorEvent[]): [number, string][] {
  const start = Date.parse(events[0].created_at);
  return events.map(({ created_at, type }) => [(Date.parse(created_at) - start) / 1000, type]);
}

const durations = (waits: Body) => automation.control.call('POST', '/clock/durations', { durations: waits });
const session = (id: string) => automation.done<Session>(`GET /sessions/${id}`);
const interaction = (id: string, type = 'mfa') =>
  automation.cause('task_run.interaction_required', { task_run_id: id, interaction: { type } });

describe('a run', () => {
  const LIVES: readonly [name: string, live: (run: TaskRun) => Promise<unknown>, seen: readonly [number, string][]][] =
    [
      [
        'that succeeds',
        () => automation.advance('1h'),
        [
          [0, 'session.queued'],
          [0, 'task_run.queued'],
          [2, 'session.running'],
          [2, 'task_run.running'],
          [32, 'storage.created'],
          [32, 'storage.created'],
          [32, 'credential.verified'],
          [32, 'task_run.completed'],
          [32, 'session.idle'],
          [632, 'session.completing'],
          [633, 'session.completed'],
        ],
      ],
      [
        'that is challenged',
        async ({ id }) => {
          await automation.advance('12s');
          await interaction(id);
          await automation.advance('1m');
          await automation.done(`POST /task-runs/${id}/interaction`, { input: { code: '1' } });
          await automation.advance('1m');
        },
        [
          [0, 'session.queued'],
          [0, 'task_run.queued'],
          [2, 'session.running'],
          [2, 'task_run.running'],
          [12, 'task_run.interaction_required'],
          [72, 'task_run.running'],
          [92, 'storage.created'],
          [92, 'storage.created'],
          [92, 'credential.verified'],
          [92, 'task_run.completed'],
          [92, 'session.idle'],
        ],
      ],
      [
        'that is canceled',
        async ({ id }) => {
          await automation.advance('5s');
          await automation.done(`POST /task-runs/${id}/cancel`);
          await automation.advance('1m');
        },
        [
          [0, 'session.queued'],
          [0, 'task_run.queued'],
          [2, 'session.running'],
          [2, 'task_run.running'],
          [5, 'task_run.canceling'],
          [7, 'task_run.canceled'],
          [7, 'session.idle'],
        ],
      ],
      [
        'whose credential the source refuses',
        async ({ id, credential_id }) => {
          await automation.advance('5s');
          await automation.cause('credential.invalid', { credential_id });
          expect((await automation.runOf(id)).errors).toMatchObject([{ type: 'auth', code: 'auth_invalid' }]);
        },
        [
          [0, 'session.queued'],
          [0, 'task_run.queued'],
          [2, 'session.running'],
          [2, 'task_run.running'],
          [5, 'credential.invalid'],
          [5, 'task_run.failed'],
          [5, 'session.idle'],
        ],
      ],
      [
        'whose session breaks',
        async ({ id, session_id }) => {
          await automation.advance('5s');
          await automation.cause('session.failed', { session_id });
          expect((await automation.runOf(id)).errors).toMatchObject([{ type: 'session', code: 'session_failed' }]);
        },
        [
          [0, 'session.queued'],
          [0, 'task_run.queued'],
          [2, 'session.running'],
          [2, 'task_run.running'],
          [5, 'session.failed'],
          [5, 'task_run.failed'],
        ],
      ],
    ];
  test.each(LIVES)('%s: its events and their times', async (_, live, seen) => {
    const task = await automation.task({ storage: { enabled: true } });
    const credential = await automation.credential();
    const events = await automation.eventsOf(async () =>
      live(await automation.run({ task_id: task.id, credential_id: credential.id })),
    );
    expect(timeline(events)).toEqual(seen);
  });

  test('that is created answers queued, also when its waits are collapsed', async () => {
    await durations({ queue_time: '0s', run_time: '0s' });
    const run = await automation.run();
    expect(run).toMatchObject({ status: 'queued', result: null, output: null });
    expect(await automation.runOf(run.id)).toMatchObject({ status: 'completed', result: 'success', runtime_ms: 0 });
  });

  test('works for `run_time`, not counting the wait for an answer; the time limit counts it', async () => {
    const { id } = await automation.running();
    await automation.advance('10s');
    await interaction(id);
    await automation.advance('10m');
    await automation.done(`POST /task-runs/${id}/interaction`, { input: { code: '1' } });
    await automation.advance('19s');
    expect((await automation.runOf(id)).status).toBe('running');
    await automation.advance('1s');
    expect(await automation.runOf(id)).toMatchObject({ status: 'completed', runtime_ms: 30_000 });
    const slow = await automation.running();
    await interaction(slow.id);
    await automation.advance('29m59s');
    expect((await automation.runOf(slow.id)).status).toBe('interaction_required');
    await automation.advance('1s');
    expect((await automation.runOf(slow.id)).errors).toMatchObject([{ type: 'task', code: 'timeout' }]);
  });

  test.each([
    [{ settings: { timeout_seconds: 20 } }, '20s', 'timeout'],
    [{}, '30m', 'timeout'],
  ])('of a task with %j that hangs is ended after %s', async (fields, limit, code) => {
    const task = await automation.task(fields);
    const { id } = await automation.running({ task_id: task.id });
    await automation.cause('task_run.stalled', { task_run_id: id });
    await automation.advance(limit);
    expect((await automation.runOf(id)).errors).toMatchObject([{ type: 'task', code }]);
  });

  test('whose challenge nobody answers fails after `interaction_timeout`, where that is set', async () => {
    await durations({ interaction_timeout: '2m' });
    const { id } = await automation.running();
    await interaction(id, 'security_question');
    await automation.advance('2m');
    expect(await automation.runOf(id)).toMatchObject({
      status: 'failed',
      interaction: null,
      errors: [{ type: 'interaction', code: 'interaction_timeout' }],
    });
  });

  test('is asked again after a refused answer, with another challenge if the world says so', async () => {
    const { id } = await automation.running();
    await interaction(id);
    await automation.cause('interaction.rejected', { task_run_id: id, interaction: { type: 'account_selection' } });
    const types = await automation.typesOf(() =>
      automation.done(`POST /task-runs/${id}/interaction`, { input: { code: '1' } }),
    );
    expect(types).toEqual(['task_run.running', 'task_run.interaction_required']);
    expect((await automation.runOf(id)).interaction).toMatchObject({
      type: 'account_selection',
      fields: [{ name: 'account_id' }],
    });
    const wrong = await automation.call(`POST /task-runs/${id}/interaction`, { input: { code: '1' } });
    expect([wrong.status, Object.keys(wrong.body['errors'] as Body)]).toEqual([400, ['input.account_id']]);
    await automation.done(`POST /task-runs/${id}/interaction`, { input: { account_id: 'a' } });
    expect((await automation.runOf(id)).status).toBe('running');
  });

  const REVIEWS: readonly [answer: Body, shown: Body][] = [
    [{ decision: 'approve' }, { status: 'completed', result: 'success', output: { invoice: 'INV-1' } }],
    [
      { decision: 'approve', output: { invoice: 'INV-2', total: 1 } },
      { status: 'completed', output: { invoice: 'INV-2', total: 1 } },
    ],
    [
      { decision: 'reject', comment: 'Wrong month.' },
      { status: 'failed', output: null, errors: [{ type: 'task', code: 'task_failed', message: 'Wrong month.' }] },
    ],
  ];
  test.each(REVIEWS)('under review: %j', async (answer, shown) => {
    const task = await automation.task({ settings: { review: true } });
    const { id } = await automation.run({ task_id: task.id });
    await automation.advance('1m');
    expect(await automation.runOf(id)).toMatchObject({ status: 'review_required', result: null });
    const wrong = await automation.call(`POST /task-runs/${id}/review`, {
      decision: 'approve',
      output: { total: 'x' },
    });
    expect(wrong.status).toBe(400);
    await automation.done(`POST /task-runs/${id}/review`, answer);
    expect(await automation.runOf(id)).toMatchObject(shown);
  });

  test('that nobody reviews fails after `review_timeout`, where that is set', async () => {
    await durations({ review_timeout: '1d' });
    const { id } = await automation.running();
    await automation.cause('task_run.review_required', { task_run_id: id });
    await automation.advance('1d');
    expect(await automation.runOf(id)).toMatchObject({ status: 'failed', errors: [{ code: 'task_failed' }] });
  });

  test('that is canceled has no output, result unknown and the time of its end', async () => {
    const { id } = await automation.running();
    expect(await automation.done(`POST /task-runs/${id}/cancel`)).toMatchObject({ status: 'cancelling', result: null });
    // Canceling twice is once.
    expect(await automation.done(`POST /task-runs/${id}/cancel`)).toMatchObject({ status: 'cancelling' });
    await automation.advance('2s');
    expect(await automation.runOf(id)).toMatchObject({
      status: 'canceled',
      result: 'unknown',
      output: null,
      errors: [],
      interaction: null,
      canceled_at: automation.now,
      runtime_ms: 0,
    });
  });
});

describe('a run fails', () => {
  const BY = 'error that the cause says';
  const ERRORS: readonly [cause: string, params: Body, type: string, code: string, result: string][] = [
    ['task_run.blocked', {}, 'task', 'blocked', 'failure'],
    ['task_run.failed', {}, 'task', 'task_failed', 'failure'],
    ['task_run.timed_out', {}, 'task', 'timeout', 'failure'],
    ['task_run.result_unknown', {}, 'task', 'task_result_unknown', 'unknown'],
    ['task_run.failed', { code: 'auth_invalid' }, 'auth', 'auth_invalid', 'failure'],
    ['task_run.failed', { code: 'source_blocked' }, 'source', 'source_blocked', 'failure'],
    ['task_run.failed', { code: 'source_not_available' }, 'source', 'source_not_available', 'failure'],
    ['task_run.failed', { type: 'storage', code: 'new', message: BY }, 'storage', 'new', 'failure'],
  ];
  test.each(ERRORS)('by %s %j: %s / %s', async (cause, params, type, code, result) => {
    const { id } = await automation.running();
    await automation.cause(cause, { task_run_id: id, ...params });
    const message = params['message'] ?? (expect.stringMatching(/\S/) as unknown);
    expect(await automation.runOf(id)).toMatchObject({
      status: 'failed',
      result,
      output: null,
      errors: [{ type, code, message }],
    });
  });

  test('in the words that the cause gives', async () => {
    const { id } = await automation.running();
    await automation.cause('task_run.blocked', { task_run_id: id, message: 'A wall.' });
    expect((await automation.runOf(id)).errors).toEqual([{ type: 'task', code: 'blocked', message: 'A wall.' }]);
  });
});

describe('credentials and sources', () => {
  test('an invalid credential fails a run five seconds into it, a corrected one does not', async () => {
    const { id } = await automation.credential();
    await automation.cause('credential.invalid', { credential_id: id });
    const doomed = await automation.running({ credential_id: id });
    await automation.advance('5s');
    expect(await automation.runOf(doomed.id)).toMatchObject({ status: 'failed', errors: [{ code: 'auth_invalid' }] });
    await automation.done(`PATCH /credentials/${id}`, { auth_credentials: { username: 'ann', password: 'new' } });
    const fine = await automation.run({ credential_id: id });
    await automation.advance('1m');
    expect((await automation.runOf(fine.id)).status).toBe('completed');
    expect(await automation.done(`GET /credentials/${id}`)).toMatchObject({ status: 'verified' });
  });

  test('a credential is verified once, and one without a secret never', async () => {
    const { id } = await automation.credential();
    const bare = await automation.credential({ auth_method: 'none', auth_credentials: {} });
    const types: string[] = [];
    for (const credential_id of [id, id, bare.id]) {
      types.push(
        ...(await automation.typesOf(async () => {
          await automation.run({ credential_id });
          await automation.advance('1m');
        })),
      );
    }
    expect(types.filter((type) => type.startsWith('credential.'))).toEqual(['credential.verified']);
  });

  const OUTAGES: readonly [cause: string, code: string][] = [
    ['source.blocked', 'source_blocked'],
    ['source.unavailable', 'source_not_available'],
  ];
  test.each(OUTAGES)(
    '%s fails active runs at once and later ones when they start, until it recovers',
    async (cause, code) => {
      const { id, source_id } = await automation.credential();
      const active = await automation.running({ credential_id: id });
      await automation.cause(cause, { source_id });
      const later = await automation.run({ credential_id: id });
      expect((await automation.runOf(later.id)).status).toBe('queued');
      await automation.advance('2s');
      for (const run of [active, later])
        expect(await automation.runOf(run.id)).toMatchObject({ status: 'failed', errors: [{ type: 'source', code }] });
      await automation.cause('source.recovered', { source_id });
      const fine = await automation.run({ credential_id: id });
      await automation.advance('1m');
      expect((await automation.runOf(fine.id)).status).toBe('completed');
    },
  );

  test('causes that leave active runs alone, and an outage that ends by itself', async () => {
    await durations({ outage_time: '10s' });
    const { id, source_id } = await automation.credential();
    const run = await automation.running({ credential_id: id });
    await automation.cause('source.unavailable', { source_id, fail_runs: false });
    await automation.cause('credential.invalid', { credential_id: id, fail_runs: false });
    expect((await automation.runOf(run.id)).status).toBe('running');
    await automation.advance('10s');
    const { causes } = await automation.control.call('GET', `/world/next?cause=source.recovered&id=${source_id}`);
    expect(causes).toEqual([]);
  });

  test('the credentials of a deleted source are deleted, the tasks of a deleted agent too', async () => {
    const { id, source_id } = await automation.credential();
    const { id: task, agent_id } = await automation.task();
    const types = await automation.typesOf(async () => {
      await automation.done(`DELETE /sources/${source_id}`);
      await automation.done(`DELETE /agents/${agent_id}`);
    });
    expect(types).toEqual(['credential.deleted', 'source.deleted', 'task.deleted', 'agent.deleted']);
    expect(await automation.done(`GET /credentials/${id}`)).toMatchObject({ status: 'deleted' });
    expect((await automation.call(`GET /tasks/${task}`)).status).toBe(404);
  });
});

describe('sessions', () => {
  test('one that is reused runs again and counts its time from the first run on', async () => {
    const { id, session_id } = await automation.running();
    await automation.cause('task_run.completed', { task_run_id: id });
    await automation.advance('9m');
    const types = await automation.typesOf(async () => {
      await automation.run({ session_id });
      await automation.advance('1m');
    });
    expect(types.filter((type) => type.startsWith('session.'))).toEqual(['session.running', 'session.idle']);
    await automation.advance('10m1s');
    expect(await session(session_id)).toMatchObject({ status: 'completed', runtime_ms: (9 * 60 + 32 + 601) * 1000 });
  });

  test('one with several runs is idle when the last is over', async () => {
    const { session_id, task_id } = await automation.running();
    await automation.advance('10s');
    await automation.run({ session_id, task_id });
    await automation.advance('20s');
    expect(await session(session_id)).toMatchObject({ status: 'running' });
    await automation.advance('12s');
    expect(await session(session_id)).toMatchObject({ status: 'idle' });
    expect((await session(session_id)) as unknown as Body).toMatchObject({ task_runs: [{ task_id }, { task_id }] });
  });

  test('one that is ended cancels its runs before it is completed', async () => {
    const { id, session_id } = await automation.running();
    const types = await automation.typesOf(async () => {
      await automation.done(`POST /sessions/${session_id}/end`);
      await automation.advance('1m');
    });
    expect([...types].sort()).toEqual(
      ['session.completed', 'session.completing', 'task_run.canceled', 'task_run.canceling'].sort(),
    );
    expect(types.indexOf('task_run.canceled')).toBeLessThan(types.indexOf('session.completed'));
    expect((await automation.runOf(id)).status).toBe('canceled');
  });
});

describe('tasks and files', () => {
  test('a task is learnt by itself where its durations say so', async () => {
    await durations({ learning_time: '1h', test_time: '1d' });
    const { id } = await automation.task();
    const read = async () => (await automation.done<Body>(`GET /tasks/${id}`))['status'];
    const seen = [await read()];
    for (const wait of ['1h', '1d']) {
      await automation.advance(wait);
      seen.push(await read());
    }
    expect(seen).toEqual(['learning', 'test', 'live']);
    expect(await automation.done(`POST /tasks/${id}/reset`)).toMatchObject({ status: 'learning' });
  });

  test('files are extracted by a schema, and kept once where they are deduplicated', async () => {
    const extraction_schema = { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } };
    const storage = { enabled: true, extraction: true, extraction_schema, deduplication: true };
    const { id: task_id } = await automation.task({ storage });
    const counts: number[] = [];
    for (let n = 0; n < 2; n++) {
      const { id } = await automation.run({ task_id });
      await automation.advance('1m');
      const { data } = await automation.done<{ data: Body[] }>(`GET /task-runs/${id}/storage`);
      for (const file of data) {
        expect(file).toMatchObject({ result: 'success', extraction: { total: expect.any(Number) as unknown } });
        expect(file['url']).toMatch(/^https?:/);
      }
      counts.push(data.length);
    }
    expect(counts).toEqual([2, 0]);
  });
});

describe('the data of an event', () => {
  /** What is kept of each resource; null where the object has none becomes an empty text. */
  const KEPT: Readonly<Record<string, readonly string[]>> = {
    agent: ['id', 'object', 'name', 'description', 'created_at', 'updated_at'],
    source: ['id', 'object', 'name', 'type', 'website', 'created_at', 'updated_at'],
    credential: ['id', 'object', 'status', 'external_id', 'source_id', 'auth_method'],
    session: ['id', 'object', 'status', 'runtime_ms', 'created_at'],
    task: ['id', 'object', 'agent_id', 'name', 'status', 'created_at', 'updated_at'],
    task_run: [
      'id',
      'object',
      'task_id',
      'agent_id',
      'credential_id',
      'session_id',
      'source_id',
      'workflow_id',
      'status',
      'result',
      'runtime_ms',
      'created_at',
      'updated_at',
    ],
    storage: ['id', 'object', 'task_run_id', 'file_name', 'file_type', 'file_size', 'created_at'],
    event_destination: ['id', 'object', 'type', 'name', 'events', 'status', 'created_at', 'updated_at'],
    user: ['id', 'object', 'email', 'name', 'role', 'created_at'],
  };

  test('is a subset of the object, without nulls, and never changes', async () => {
    await automation.destination();
    const task = await automation.task({ storage: { enabled: true } });
    const { id: credential_id } = await automation.credential();
    const run = await automation.run({ task_id: task.id, credential_id });
    const { id: bare } = await automation.run({ task_id: task.id });
    await automation.cause('user.created', { email: 'eve@example.com' });
    const before = await automation.events();
    await automation.advance('1h');
    await automation.done(`PATCH /agents/${task.agent_id}`, { name: 'Other' });
    const events = await automation.events();
    expect(events.slice(0, before.length)).toEqual(before);
    const kept = new Map(events.map(({ data }) => [data.object, Object.keys(data)]));
    expect(Object.fromEntries(kept)).toEqual(KEPT);
    expect(JSON.stringify(events)).not.toContain('null');
    const queued = events.find(({ type, data }) => type === 'task_run.queued' && data.id === bare);
    expect(queued?.data).toMatchObject({
      workflow_id: '',
      credential_id: '',
      source_id: '',
      result: '',
      runtime_ms: 0,
    });
    const completed = events.find(({ type, data }) => type === 'task_run.completed' && data.id === run.id);
    expect(completed?.data).toMatchObject({ result: 'success', credential_id, runtime_ms: 30_000 });
    expect(await automation.runOf(run.id)).toMatchObject({ workflow_id: null });
  });

  test('says cancelling where its name says canceling', async () => {
    const { id } = await automation.running();
    const [event] = await automation.eventsOf(() => automation.done(`POST /task-runs/${id}/cancel`));
    expect([event.type, event.data['status']]).toEqual(['task_run.canceling', 'cancelling']);
  });

  test('is not made by calls that change nothing', async () => {
    const agent = await automation.agent();
    const { id } = await automation.credential();
    const types = await automation.typesOf(async () => {
      await automation.done(`PATCH /agents/${agent.id}`, {});
      await automation.done(`PATCH /agents/${agent.id}`, { name: 'Clerk' });
      await automation.done(`PATCH /credentials/${id}`, { external_id: 'x' });
    });
    expect(types).toEqual([]);
  });
});
