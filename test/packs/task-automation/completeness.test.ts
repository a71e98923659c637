/** Nothing that the pack declares is out of reach: each status, event, error, cause and scenario comes about through HTTP. */
import { refusals } from './refusals.js';
import { statuses, statusOf } from './statuses.js';
import { type Called, type Body, type Destination, refusal, serveAutomation } from './served-automation.js';
import { inScenario } from '../../support/http.js';

const automation = serveAutomation();

/** What came about, by the names that the pack declares. */
const reached = {
  statuses: new Set<string>(),
  events: new Set<string>(),
  errors: new Set<string>(),
  scenarios: new Set<string>(),
  causes: new Set<string>(),
  /** Sentences of validation problems. */
  messages: new Set<string>(),
};

interface Trace {
  readonly error: string | null;
  readonly scenario: string | null;
  readonly events: readonly { readonly type: string }[];
}

/** Reads from the world what came about since it was empty. */
async function collect(): Promise<void> {
  const { data } = (await automation.control.call('GET', '/traces?limit=1000')) as { data: readonly Trace[] };
  for (const { error, scenario } of data) {
    if (error !== null) reached.errors.add(error);
    if (scenario !== null) reached.scenarios.add(scenario);
  }
  for (const { type, data: about } of await automation.events()) {
    reached.events.add(type);
    reached.statuses.add(`${about.object} ${String(about['status'])}`);
  }
}

afterEach(collect);

const STATUSES = statuses(automation);

describe('statuses', () => {
  const ALL = Object.entries(STATUSES).flatMap(([resource, puts]) =>
    Object.entries(puts).map(([status, put]) => [resource, status, put] as const),
  );
  test.each(ALL)('a %s can be %s', async (resource, status, put) => {
    expect(await statusOf(automation, resource, await put())).toBe(status);
    reached.statuses.add(`${resource} ${status}`);
  });
});

interface CauseRow {
  /** The resource that it happens to; its parameter is `<resource>_id`. None: nothing in particular. */
  readonly of?: string;
  readonly params?: Body;
  /** Status in which it can happen -> the status that follows. In all others it is neither offered nor possible. */
  readonly moves: Readonly<Record<string, string>>;
}

const CAUSES: Readonly<Record<string, CauseRow>> = {
  'task_run.interaction_required': {
    of: 'task_run',
    params: { interaction: { type: 'account_selection' } },
    moves: {
      queued: 'interaction_required',
      running: 'interaction_required',
      interaction_required: 'interaction_required',
      review_required: 'interaction_required',
      cancelling: 'interaction_required',
    },
  },
  'interaction.answered': { of: 'task_run', moves: { interaction_required: 'running' } },
  'interaction.rejected': { of: 'task_run', moves: { interaction_required: 'interaction_required' } },
  'interaction.expired': { of: 'task_run', moves: { interaction_required: 'failed' } },
  'task_run.review_required': { of: 'task_run', moves: { queued: 'review_required', running: 'review_required' } },
  'task_run.review_approved': { of: 'task_run', moves: { review_required: 'completed' } },
  'task_run.review_rejected': { of: 'task_run', moves: { review_required: 'failed' } },
  'task_run.completed': {
    of: 'task_run',
    moves: { queued: 'completed', running: 'completed', review_required: 'completed' },
  },
  'task_run.failed': {
    of: 'task_run',
    params: { type: 'source', code: 'source_error' },
    moves: { queued: 'failed', running: 'failed', interaction_required: 'failed', review_required: 'failed' },
  },
  'task_run.blocked': { of: 'task_run', moves: { queued: 'failed', running: 'failed' } },
  'task_run.result_unknown': { of: 'task_run', moves: { queued: 'failed', running: 'failed' } },
  'task_run.stalled': { of: 'task_run', moves: { queued: 'running', running: 'running' } },
  'task_run.timed_out': { of: 'task_run', moves: { running: 'failed', interaction_required: 'failed' } },
  'storage.created': {
    of: 'task_run',
    moves: { running: 'running', completed: 'completed', failed: 'failed' },
  },
  'credential.invalid': { of: 'credential', moves: { unverified: 'invalid', verified: 'invalid' } },
  'credential.verified': { of: 'credential', moves: { unverified: 'verified', invalid: 'verified' } },
  'source.unavailable': { of: 'source', moves: { available: 'unavailable', blocked: 'unavailable' } },
  'source.blocked': { of: 'source', moves: { available: 'blocked', unavailable: 'blocked' } },
  'source.recovered': { of: 'source', moves: { blocked: 'available', unavailable: 'available' } },
  'session.failed': { of: 'session', moves: { queued: 'failed', running: 'failed', idle: 'failed' } },
  'session.expired': { of: 'session', moves: { idle: 'completing' } },
  'task.promoted': { of: 'task', moves: { learning: 'test', test: 'live' } },
  'task.degraded': { of: 'task', moves: { test: 'learning', live: 'learning' } },
  'event_destination.verified': { of: 'event_destination', moves: { pending_verification: 'active' } },
  'event_destination.verification_failed': { of: 'event_destination', moves: { pending_verification: 'inactive' } },
  'event_destination.unreachable': { of: 'event_destination', moves: { active: 'inactive' } },
  'organization.limit_reached': { params: { limit: 'plan' }, moves: { within_limits: 'plan_exhausted' } },
  'organization.limit_cleared': { moves: { plan_exhausted: 'within_limits', sessions_exhausted: 'within_limits' } },
};

describe('causes', () => {
  const offered = async (cause: string, id: string | null): Promise<boolean> => {
    const about = id === null ? '' : `&id=${id}`;
    const { causes } = await automation.control.call('GET', `/world/next?cause=${cause}${about}`);
    return (causes as readonly unknown[]).length > 0;
  };

  test.each(Object.entries(CAUSES))(
    '%s happens, and is offered, where it can',
    async (cause, { of, params, moves }) => {
      const resource = of ?? 'organization';
      const param = `${resource}_id`;
      const seen: Record<string, unknown> = {};
      for (const [status, put] of Object.entries(STATUSES[resource])) {
        const id = await put();
        const can = await offered(cause, of === undefined ? null : id);
        const given = of === undefined ? params : { [param]: id, ...params };
        const refused = await refusal(automation.cause(cause, given));
        const after = await statusOf(automation, resource, id);
        if (refused === 'it was not refused') seen[status] = can ? after : 'it was not offered';
        else expect([refused, after, can]).toMatchObject([{ status: 409 }, status, false]);
      }
      expect(seen).toEqual(moves);
      if (of !== undefined)
        expect(await refusal(automation.cause(cause, { [param]: 'none', ...params }))).toMatchObject({ status: 409 });
      reached.causes.add(cause);
    },
  );

  test('user.created happens once for an address', async () => {
    const params = { email: 'eve@example.com', name: 'Eve', role: 'admin' };
    expect(await automation.cause('user.created', params)).toEqual(['user.created']);
    expect(await refusal(automation.cause('user.created', params))).toMatchObject({ status: 409 });
    reached.causes.add('user.created');
  });
});

describe('scenarios', () => {
  const CALLS: readonly [scenario: string, shown: readonly unknown[]][] = [
    ['rate_limited', [429, 'rate_limit', 'rate_limit_exceeded']],
    ['session_limit_exceeded', [429, 'rate_limit', 'session_limit_exceeded']],
    ['server_error', [500, 'api', 'api_error']],
    ['server_timeout', [500, 'api', 'timeout']],
    ['forbidden', [403, 'request', 'forbidden']],
    ['plan_limit_reached', [403, 'organization', 'plan_limit_reached']],
    ['source_on_blocklist', [403, 'source', 'source_blocked']],
    ['unprocessable', [422, 'request', 'unprocessable']],
  ];
  test.each(CALLS)('%s answers %j', async (scenario, shown) => {
    const answer = await automation.call('GET /tasks', undefined, inScenario(scenario));
    expect(errorOf(answer)).toEqual(shown);
  });

  /** Scenario of a run, when to look, and what is to be seen. */
  const RUNS: readonly [scenario: string, after: string, shown: Body][] = [
    ['run_succeeds', '1m', { status: 'completed', result: 'success' }],
    ['run_times_out', '31m', failed('task', 'timeout')],
    ['review_required', '1m', { status: 'review_required', result: null }],
    ['mfa_required', '1m', { status: 'interaction_required', interaction: { type: 'mfa' } }],
    ['security_question', '1m', { status: 'interaction_required', interaction: { type: 'security_question' } }],
    ['account_selection', '1m', { status: 'interaction_required', interaction: { type: 'account_selection' } }],
    ['run_fails', '1m', failed('task', 'task_failed')],
    ['run_blocked', '1m', failed('task', 'blocked')],
    ['run_reports_timeout', '1m', failed('task', 'timeout')],
    ['result_unknown', '1m', { ...failed('task', 'task_result_unknown'), result: 'unknown' }],
    ['auth_invalid', '1m', failed('auth', 'auth_invalid')],
    ['source_blocked', '1m', failed('source', 'source_blocked')],
    ['source_unavailable', '1m', failed('source', 'source_not_available')],
    ['source_error', '1m', failed('source', 'source_error')],
    ['interaction_expires', '1m', failed('interaction', 'interaction_timeout')],
    ['session_never_starts', '1m', failed('session', 'timeout')],
    ['session_fails', '1m', failed('session', 'session_failed')],
    ['storage_fails', '1m', failed('storage', 'storage_failed')],
    ['extraction_fails', '1m', failed('storage', 'extraction_failed')],
    ['platform_fails', '1m', failed('api', 'api_error')],
  ];
  test.each(RUNS)('%s: after %s the run is %j', async (scenario, after, shown) => {
    const { id } = await automation.run({}, inScenario(scenario));
    await automation.advance(after);
    expect(await automation.runOf(id)).toMatchObject(shown);
  });

  test('verification_fails leaves a destination inactive, and the next verification succeeds', async () => {
    const config = { type: 'hookdeck' };
    const { id } = await automation.done<Destination>('POST /event-destinations', config, inScenario('verification_fails'));
    const read = () => automation.done<Destination>(`GET /event-destinations/${id}`);
    expect((await read()).status).toBe('inactive');
    await automation.done(`POST /event-destinations/${id}/activate`);
    expect((await read()).status).toBe('active');
  });

  test('slow answers late, so that its idempotency key is in flight meanwhile', async () => {
    const once = (scenario: string) => ({ 'idempotency-key': 'once', ...inScenario(scenario) });
    const first = automation.call('POST /agents', { name: 'Clerk' }, once('slow'));
    // The first call is under way once the world has seen it ask for its scenario: a second one is then refused.
    let second: Called;
    do second = await automation.call('POST /agents', { name: 'Clerk' }, once('unprocessable'));
    while (second.status === 422);
    expect(errorOf(second)).toEqual([409, 'idempotency', 'idempotency_error']);
    expect((await first).status).toBe(201);
  });
});

function failed(type: string, code: string): Body {
  return { status: 'failed', result: 'failure', output: null, errors: [{ type, code }] };
}

function errorOf({ status, body }: Called): readonly unknown[] {
  const [error] = body['errors'] as readonly Body[];
  return [status, error['type'], error['code']];
}

describe('errors', () => {
  test.each(refusals(automation))('%s is refused', async (_, run, shown) => {
    expect((await run()).status).toBe(shown[0]);
  });

  const WRONG: readonly [route: string, body: unknown][] = [
    ['POST /agents', {}],
    ['POST /agents', { name: '' }],
    ['POST /agents', { name: 7 }],
    ['POST /agents', { name: 'x'.repeat(256) }],
    ['POST /agents', '{'],
    ['POST /sources', { type: 'app', website: 'x' }],
    ['POST /sources', { type: 'website', website: { url: 'x' } }],
    ['POST /tasks', { name: 'x', extraction: 'yes', settings: { timeout_seconds: 0 } }],
    ['POST /tasks', { name: 'x', settings: { timeout_seconds: 86_401 } }],
    ['POST /tasks', { name: 'x', settings: { timeout_seconds: 'x' } }],
    ['POST /tasks', { name: 'x', input_schema: { type: 'bread' } }],
    ['POST /event-destinations', { events: 'all' }],
  ];
  test.each(WRONG)('%s with %j is 400', async (route, body) => {
    const answer = await automation.call(route, body);
    expect(answer.status).toBe(400);
    for (const messages of Object.values(answer.body['errors'] as Readonly<Record<string, readonly string[]>>))
      for (const message of messages) reached.messages.add(message);
  });

  test('of the wire: keys, routes, bodies, faults', async () => {
    const agent = { name: 'Clerk' };
    const text = { 'content-type': 'text/plain' };
    const key = { 'idempotency-key': 'once' };
    const answers = [
      await automation.call('GET /tasks', undefined, { authorization: undefined }),
      await automation.call('GET /tasks', undefined, { authorization: 'Bearer other' }),
      await automation.call('GET /nowhere'),
      await automation.call('GET /tasks/none'),
      await automation.call('POST /agents', 'name=Clerk', text),
      await automation.call('POST /agents', { name: 'x'.repeat(2 ** 20) }),
      await automation.call('POST /agents', agent, key),
      await automation.call('POST /agents', { name: 'Other' }, key),
      await automation.call('POST /token', agent, key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 404, 404, 400, 413, 201, 409, 409]);
    await automation.control.fault({ resource: 'tasks', operation: 'list', status: 503, count: 1 });
    expect((await automation.call('GET /tasks')).status).toBe(503);
    const { id } = await automation.done<Destination>('POST /event-destinations', { type: 'hookdeck' });
    expect((await automation.call(`POST /event-destinations/${id}/rotate-secret`)).status).toBe(409);
    const run = await automation.running();
    await automation.done(`POST /task-runs/${run.id}/cancel`);
    await automation.advance('2s');
    expect((await automation.call(`POST /task-runs/${run.id}/cancel`)).status).toBe(409);
  });
});

test('objects come, change and go, and events tell of it', async () => {
  const source = await automation.source();
  await automation.done(`PATCH /sources/${source.id}`, { name: 'Bank' });
  await automation.done(`DELETE /sources/${source.id}`);
  const credential = await automation.credential();
  await automation.cause('credential.verified', { credential_id: credential.id });
  await automation.done(`PATCH /credentials/${credential.id}`, { auth_credentials: { username: 'a', password: 'b' } });
  const task = await automation.task({ storage: { enabled: true } });
  await automation.done(`PATCH /tasks/${task.id}`, { prompt: 'Hurry' });
  await automation.done(`POST /tasks/${task.id}/reset`);
  await automation.run({ task_id: task.id });
  await automation.advance('1h');
  await automation.done(`DELETE /tasks/${task.id}`);
  await automation.done(`PATCH /agents/${task.agent_id}`, { name: 'Other' });
  await automation.done(`DELETE /agents/${task.agent_id}`);
  const types = new Set((await automation.events()).map(({ type }) => type));
  const lives = ['source', 'task', 'agent'].flatMap((name) =>
    ['created', 'updated', 'deleted'].map((each) => `${name}.${each}`),
  );
  expect([...types]).toEqual(
    expect.arrayContaining([...lives, 'task.reset', 'credential.unverified', 'storage.created']),
  );
});

describe('everything that the pack declares was reached:', () => {
  const missing = (declared: Iterable<string>, seen: ReadonlySet<string>) =>
    [...declared].filter((each) => !seen.has(each));

  test('statuses', () => {
    const { resources } = automation.engine.model;
    const declared = resources.flatMap(({ name, machine }) =>
      (machine?.states ?? []).map((state) => `${name} ${state}`),
    );
    expect(declared.length).toBeGreaterThan(25);
    expect(missing(declared, reached.statuses)).toEqual([]);
  });

  test('events', () => {
    const { eventTypes } = automation.engine.pack;
    expect(eventTypes.length).toBe(33);
    expect(missing(eventTypes, reached.events)).toEqual([]);
  });

  test('causes', () => {
    expect(missing(automation.engine.pack.causes.keys(), reached.causes)).toEqual([]);
  });

  test('scenarios', () => {
    expect(missing(automation.engine.pack.scenarios().keys(), reached.scenarios)).toEqual([]);
  });

  /** Errors that stand in the catalogue because the engine asks for them, and why no call gets them. */
  const NEVER: Readonly<Record<string, string>> = {
    internal_error: 'only a defect answers it',
    parameter_invalid: 'every kind of parameter that the pack has has an error of its own',
    wrong_state: 'every trigger that a call sends has a refusal of its own',
  };

  test('errors, in answers or as sentences of a validation', () => {
    const { errors } = automation.engine.model;
    const sentences = [...reached.messages];
    const told = (name: string) => {
      const pattern = patternOf(name);
      return pattern !== undefined && sentences.some((each) => pattern.test(each));
    };
    const unseen = missing(errors.keys(), reached.errors).filter((name) => !told(name));
    expect(unseen.sort()).toEqual(Object.keys(NEVER).sort());
  });

  /** What the sentences of a problem look like. */
  function patternOf(name: string): RegExp | undefined {
    if (!name.startsWith('parameter_')) return undefined;
    const file = automation.engine.model.source.one('errors')?.data as {
      readonly errors: Readonly<Record<string, { readonly body: { readonly message: string } }>>;
    };
    const parts = file.errors[name].body.message
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`);
  }
});
