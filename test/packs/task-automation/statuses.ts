/** Every status that a machine of the pack has, reached through HTTP. */
import type { Automation, Body } from './served-automation.js';

/** Brings an object into a status; gives its id. */
type Put = () => Promise<string>;

/** Resource -> status -> how an object gets there. */
export function statuses(automation: Automation): Readonly<Record<string, Readonly<Record<string, Put>>>> {
  const then = async (id: string, ...steps: readonly (() => Promise<unknown>)[]): Promise<string> => {
    for (const step of steps) await step();
    return id;
  };
  const cause = (name: string, params: Body = {}) => automation.cause(name, params);
  const run = async () => (await automation.run()).id;
  const running = async () => (await automation.running()).id;
  const caused = async (name: string, params: Body = {}) => {
    const id = await running();
    return then(id, () => cause(name, { task_run_id: id, ...params }));
  };
  const cancelled = async () => {
    const id = await running();
    return then(id, () => automation.done(`POST /task-runs/${id}/cancel`));
  };
  const session = async () => (await automation.running()).session_id;
  const idle = async () => {
    const { id, session_id } = await automation.running();
    return then(session_id, () => cause('task_run.completed', { task_run_id: id }));
  };
  const ended = async () => {
    const id = await idle();
    return then(id, () => automation.done(`POST /sessions/${id}/end`));
  };
  const task = async () => (await automation.task()).id;
  const promoted = async (status: string) => {
    const id = await task();
    return then(id, () => cause('task.promoted', { task_id: id, status }));
  };
  const credential = async (name?: string) => {
    const { id } = await automation.credential();
    return name === undefined ? id : then(id, () => cause(name, { credential_id: id }));
  };
  const source = async (name?: string) => {
    const { id } = await automation.source();
    return name === undefined ? id : then(id, () => cause(name, { source_id: id }));
  };
  const limit = async (name?: string) => {
    const { causes } = await automation.control.call('GET', '/world/next?cause=organization.limit_cleared');
    if ((causes as readonly unknown[]).length > 0) await cause('organization.limit_cleared');
    if (name !== undefined) await cause('organization.limit_reached', { limit: name });
    return 'organization';
  };
  const waits = (wait: string) =>
    automation.control.call('POST', '/clock/durations', { durations: { verification_time: wait } });
  const destination = async () => (await automation.destination()).id;
  return {
    task_run: {
      queued: run,
      running,
      interaction_required: () => caused('task_run.interaction_required', { interaction: { type: 'mfa' } }),
      review_required: () => caused('task_run.review_required'),
      completed: () => caused('task_run.completed'),
      failed: () => caused('task_run.failed'),
      cancelling: cancelled,
      canceled: async () => then(await cancelled(), () => automation.advance('2s')),
    },
    session: {
      queued: async () => (await automation.run()).session_id,
      running: session,
      idle,
      completing: ended,
      completed: async () => then(await ended(), () => automation.advance('1s')),
      failed: async () => {
        const id = await session();
        return then(id, () => cause('session.failed', { session_id: id }));
      },
    },
    task: { learning: task, test: () => promoted('test'), live: () => promoted('live') },
    credential: {
      unverified: () => credential(),
      verified: () => credential('credential.verified'),
      invalid: () => credential('credential.invalid'),
      deleted: async () => {
        const id = await credential();
        return then(id, () => automation.done(`DELETE /credentials/${id}`));
      },
    },
    source: {
      available: () => source(),
      blocked: () => source('source.blocked'),
      unavailable: () => source('source.unavailable'),
    },
    event_destination: {
      pending_verification: async () => {
        await waits('1m');
        const id = await destination();
        await waits('0s');
        return id;
      },
      active: destination,
      inactive: async () => {
        const id = await destination();
        return then(id, () => automation.done(`POST /event-destinations/${id}/deactivate`));
      },
    },
    organization: {
      within_limits: () => limit(),
      plan_exhausted: () => limit('plan'),
      sessions_exhausted: () => limit('sessions'),
    },
  };
}

/** The status that an object is in, as the state shows it. */
export async function statusOf(automation: Automation, resource: string, id: string): Promise<unknown> {
  const def = automation.engine.model.byName.get(resource);
  if (!def) throw new Error(`there is no ${resource}`);
  const { resources } = await automation.control.call('GET', `/state?resource=${def.collection}&id=${id}`);
  const [object] = (resources as Readonly<Record<string, readonly Body[]>>)[def.collection];
  return object[def.status ?? 'none'];
}
