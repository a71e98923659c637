/** The machines of the pack as XState machines, and how each of their triggers is set off through HTTP. */
import { join } from 'node:path';
import { assign, createMachine, type AnyStateMachine } from 'xstate';
import { loadPack } from '../../../engine/index.js';
import type { Automation, Body, Destination } from './served-automation.js';
import { ROOT } from '../../support/root.js';
import { inScenario } from '../../support/http.js';

type Context = Readonly<Record<string, unknown>>;
type Assign = (context: Context, event: { readonly type: string }) => Context;

/** What a test needs to know of a machine beyond its configuration. */
export interface Subject {
  readonly resource: string;
  /** What may be arranged before; each is explored on its own. Null: nothing. */
  readonly arrangements?: readonly string[];
  /** Makes the object in its first state; gives its id. */
  readonly make: (automation: Automation, arranged: string | null) => Promise<string>;
  readonly context?: Context;
  readonly guards?: Readonly<Record<string, (context: Context) => boolean>>;
  /** How actions and entered states (`in state`) change the context. */
  readonly assigns?: Readonly<Record<string, Assign>>;
  /** Events of a new object, and those that actions and entered states emit. */
  readonly born: readonly string[];
  readonly emits: (action: string) => string | null;
  readonly triggers: Readonly<Record<string, Trigger>>;
  /** Named durations while the machine is explored; `timers` says which one a delay of another name waits for. */
  readonly durations: Readonly<Record<string, string>>;
  readonly timers?: Readonly<Record<string, string>>;
  /** Durations that hold all the time; the others only on paths that use them, so that no other timer comes first. */
  readonly always?: boolean;
}

interface Trigger {
  readonly send: (automation: Automation, id: string, status: string) => Promise<unknown>;
  /** Statuses in which nothing sends exactly this trigger. */
  readonly notIn?: readonly string[];
}

/** Refused or not: what follows is seen in the world. */
const attempt = (call: Promise<unknown>): Promise<unknown> => call.catch((reason: unknown) => reason);

const cause =
  (name: string, params: Body = {}): Trigger['send'] =>
  (automation, id) =>
    attempt(
      automation.cause(name, {
        [`${name.startsWith('interaction') ? 'task_run' : name.split('.')[0]}_id`]: id,
        ...params,
      }),
    );
const call =
  (method: string, path: (id: string) => string, body?: Body): Trigger['send'] =>
  (automation, id) =>
    automation.call(`${method} ${path(id)}`, body);

const sessionOf = async (automation: Automation, id: string) => (await automation.runOf(id)).session_id;

const [AGENT_ID, TASK_ID, SOURCE_ID, CREDENTIAL_ID] = ['agt', 'task', 'src', 'cred'].map(
  (each) => `${each}_0000000000000001`,
);

/** What a run needs, seeded at once: a call for each would take most of the time. */
const WORLD = {
  agents: [{ id: AGENT_ID, name: 'Clerk' }],
  tasks: [{ id: TASK_ID, agent_id: AGENT_ID, name: 'Fetch' }],
  sources: [{ id: SOURCE_ID, type: 'website', website: { url: 'https://bank.example.com' } }],
  credentials: [{ id: CREDENTIAL_ID, source_id: SOURCE_ID, auth_method: 'username_password' }],
};

const TASK_RUN: Subject = {
  resource: 'task_run',
  arrangements: ['challenge', 'failure', 'review', 'stall', 'credential', 'block', 'outage'],
  make: async (automation, arranged) => {
    await automation.control.seed({ resources: WORLD });
    if (arranged === 'credential') await automation.cause('credential.invalid', { credential_id: CREDENTIAL_ID });
    const causes: Readonly<Record<string, string>> = { block: 'source.blocked', outage: 'source.unavailable' };
    if (arranged !== null && arranged in causes) await automation.cause(causes[arranged], { source_id: SOURCE_ID });
    const { id } = await automation.run({ task_id: TASK_ID, credential_id: CREDENTIAL_ID });
    const branches: Readonly<Record<string, string>> = {
      challenge: 'interaction_required',
      failure: 'failed',
      review: 'review_required',
      stall: 'stalled',
    };
    if (arranged !== null && arranged in branches) await automation.pin(id, 'branch', branches[arranged]);
    return id;
  },
  context: { challenged: false, stalled: false },
  guards: {
    source_blocked: ({ arranged }) => arranged === 'block',
    source_unavailable: ({ arranged }) => arranged === 'outage',
    credential_refused: ({ arranged }) => arranged === 'credential',
    challenge_arranged: ({ arranged, challenged }) => arranged === 'challenge' && !challenged,
    stalled: ({ arranged, stalled }) => arranged === 'stall' || stalled === true,
    failure_forced: ({ arranged }) => arranged === 'failure',
    review_wanted: ({ arranged }) => arranged === 'review',
  },
  assigns: {
    ask: ({ arranged }) => ({ challenged: arranged === 'challenge' }),
    mark_stalled: () => ({ stalled: true }),
  },
  born: ['task_run.queued'],
  emits: (action) => (action.startsWith('>') ? `task_run.${action.slice(1).replace('cancelling', 'canceling')}` : null),
  triggers: {
    // A cause that needs a running run starts a queued one first, which is two triggers; approving is what completes a reviewed one.
    finish: { send: cause('task_run.completed'), notIn: ['queued', 'review_required'] },
    require_interaction: {
      send: cause('task_run.interaction_required', { interaction: { type: 'mfa' } }),
      notIn: ['queued'],
    },
    require_review: { send: cause('task_run.review_required'), notIn: ['queued'] },
    stall: { send: cause('task_run.stalled'), notIn: ['queued'] },
    fail: {
      send: async (automation, id, status) =>
        status === 'cancelling'
          ? automation.cause('session.failed', { session_id: await sessionOf(automation, id) })
          : cause('task_run.failed')(automation, id, status),
    },
    cancel: { send: call('POST', (id) => `/task-runs/${id}/cancel`) },
    answer: { send: call('POST', (id) => `/task-runs/${id}/interaction`, { input: { code: '1' } }) },
    approve: { send: call('POST', (id) => `/task-runs/${id}/review`, { decision: 'approve' }) },
    reject: { send: call('POST', (id) => `/task-runs/${id}/review`, { decision: 'reject' }) },
  },
  durations: {
    queue_time: '2s',
    auth_time: '5s',
    challenge_time: '10s',
    run_time: '30s',
    run_timeout: '30m',
    interaction_timeout: '10m',
    review_timeout: '1h',
    cancel_time: '2s',
  },
  timers: { work_left: 'run_time', time_left: 'run_timeout' },
};

const liveRuns = async (automation: Automation, session: string) => {
  const { data } = await automation.done<{ data: { id: string }[] }>(
    `GET /task-runs?session_id=${session}&status=queued,running`,
  );
  return data;
};

const SESSION: Subject = {
  resource: 'session',
  make: async (automation) => (await automation.run()).session_id,
  context: { busy: true },
  guards: { unused: ({ busy }) => busy !== true, overdue: () => true },
  assigns: {
    'in running': () => ({ busy: true }),
    'in idle': () => ({ busy: false }),
    'in completing': (context, { type }) => (type === 'rest' ? { busy: false } : context),
  },
  born: ['session.queued'],
  emits: (action) => (action.startsWith('>') ? `session.${action.slice(1)}` : null),
  triggers: {
    start: {
      send: async (automation, id, status) => {
        if (status === 'idle') {
          const { id: task_id } = await automation.task();
          await automation.run({ task_id, session_id: id });
        }
        await automation.advance('2s');
      },
      notIn: ['running', 'completing', 'completed', 'failed'],
    },
    rest: {
      send: async (automation, id, status) => {
        // The runs of a session that shuts down are being cancelled.
        if (status === 'completing') return automation.advance('2s');
        for (const run of await liveRuns(automation, id))
          await automation.cause('task_run.failed', { task_run_id: run.id });
      },
      notIn: ['idle', 'completed', 'failed'],
    },
    end: { send: call('POST', (id) => `/sessions/${id}/end`) },
    fail: { send: cause('session.failed') },
  },
  durations: { session_idle_timeout: '10m', session_completing_time: '1s', run_time: 'none', run_timeout: 'none' },
  always: true,
};

const TASK: Subject = {
  resource: 'task',
  make: async (automation) => (await automation.task()).id,
  born: ['task.created'],
  emits: (action) => ({ announce: 'task.updated', announce_reset: 'task.reset' })[action] ?? null,
  triggers: {
    promote: { send: cause('task.promoted') },
    release: { send: cause('task.promoted', { status: 'live' }) },
    degrade: { send: cause('task.degraded') },
    reset: { send: call('POST', (id) => `/tasks/${id}/reset`) },
  },
  durations: { learning_time: '1h', test_time: '2h' },
};

const CREDENTIAL: Subject = {
  resource: 'credential',
  make: async (automation) => (await automation.credential()).id,
  born: ['credential.created'],
  // Unverified is told when a credential falls back, not when it is made.
  emits: (action) =>
    action === 'fall_back'
      ? 'credential.unverified'
      : action.startsWith('>') && action !== '>unverified'
        ? `credential.${action.slice(1)}`
        : null,
  triggers: {
    verify: { send: cause('credential.verified') },
    reject: { send: cause('credential.invalid') },
    change: {
      send: call('PATCH', (id) => `/credentials/${id}`, { auth_credentials: { username: 'a', password: 'b' } }),
    },
    remove: { send: call('DELETE', (id) => `/credentials/${id}`) },
  },
  durations: {},
};

const SOURCE: Subject = {
  resource: 'source',
  make: async (automation) => (await automation.source()).id,
  born: ['source.created'],
  emits: () => null,
  triggers: {
    block: { send: cause('source.blocked') },
    disrupt: { send: cause('source.unavailable') },
    recover: { send: cause('source.recovered') },
  },
  durations: { outage_time: '1h' },
};

const ORGANIZATION: Subject = {
  resource: 'organization',
  make: () => Promise.resolve('organization'),
  born: [],
  emits: () => null,
  triggers: Object.fromEntries(
    (
      [
        ['exhaust_plan', 'limit_reached', { limit: 'plan' }],
        ['exhaust_sessions', 'limit_reached', { limit: 'sessions' }],
        ['clear', 'limit_cleared', {}],
      ] as const
    ).map(([trigger, name, params]) => [
      trigger,
      { send: (automation: Automation) => attempt(automation.cause(`organization.${name}`, params)) },
    ]),
  ),
  durations: { limit_time: '1h' },
};

let targets = 0;

const DESTINATION: Subject = {
  resource: 'event_destination',
  arrangements: ['refused'],
  make: async (automation, arranged) => {
    const scenario = arranged === null ? undefined : inScenario('verification_fails');
    const config = { type: 'aws_sqs', type_config: { queue_url: 'https://queue.example' } };
    return (await automation.done<Destination>('POST /event-destinations', config, scenario)).id;
  },
  context: { forgotten: false },
  guards: { refused: ({ arranged, forgotten }) => arranged === 'refused' && forgotten !== true },
  assigns: { forget_refusal: () => ({ forgotten: true }) },
  born: [],
  emits: (action) =>
    ({ '>active': 'event_destination.activated', '>inactive': 'event_destination.deactivated' })[action] ?? null,
  triggers: {
    verify: { send: call('POST', (id) => `/event-destinations/${id}/verify`) },
    refuse: { send: cause('event_destination.verification_failed') },
    activate: { send: call('POST', (id) => `/event-destinations/${id}/activate`) },
    deactivate: { send: call('POST', (id) => `/event-destinations/${id}/deactivate`) },
    retarget: {
      send: (automation, id) =>
        automation.call(`PATCH /event-destinations/${id}`, {
          type_config: { queue_url: `https://queue.example/${++targets}` },
        }),
    },
  },
  durations: { verification_time: '1m' },
};

export const SUBJECTS: readonly Subject[] = [TASK_RUN, SESSION, TASK, CREDENTIAL, SOURCE, ORGANIZATION, DESTINATION];

const { pack } = loadPack(join(ROOT, 'packs', 'task-automation'));
if (!pack) throw new Error('the pack has problems');

/** The resources of the pack that have a machine. */
export const MACHINES = pack.model.resources.flatMap(({ name, machine, index }) =>
  machine ? [{ name, machine, index }] : [],
);

interface StateFile {
  readonly entry?: string | readonly string[];
}

/** The machine of the pack's YAML as XState runs it. Actions tell of every entered state: `>state`, and `in state` for its assignment. */
export function modelOf(
  { resource, context, guards, assigns = {} }: Subject,
  arranged: string | null,
): AnyStateMachine {
  const file = pack?.model.source.all('resource').find(({ data }) => (data as Body)['resource'] === resource);
  if (!file) throw new Error(`the pack has no resource ${resource}`);
  const { machine: config } = file.data as {
    readonly machine: { readonly states: Readonly<Record<string, StateFile | null>> };
  };
  const states = Object.fromEntries(
    Object.entries(config.states).map(([name, state]) => [
      name,
      { ...state, entry: [`>${name}`, `in ${name}`, ...[state?.entry ?? []].flat()] },
    ]),
  );
  const delays = MACHINES.find(({ name }) => name === resource)?.machine.delays ?? [];
  const machine = createMachine({ ...config, id: resource, context: { ...context, arranged }, states } as never);
  return (machine as AnyStateMachine).provide({
    guards: Object.fromEntries(
      Object.entries(guards ?? {}).map(([name, holds]) => [
        name,
        ({ context: now }: { context: Context }) => holds(now),
      ]),
    ),
    actions: Object.fromEntries(
      Object.entries(assigns).map(([name, next]) => [
        name,
        assign(({ context: now, event }: { context: Context; event: { type: string } }) => next(now, event)),
      ]),
    ),
    delays: Object.fromEntries(delays.map((name) => [name, 1000])),
  } as never);
}
