/** What the state of things refuses. */
import type { Called, Automation } from './served-automation.js';

/** What is tried, how, and the answer: status, type, code and field of the error. */
export type Refusal = readonly [what: string, run: () => Promise<Called>, shown: readonly unknown[]];

/** Every refusal that depends on what was done before. */
export function refusals(automation: Automation): readonly Refusal[] {
  return [
    [
      'a chosen task id that exists',
      async () => {
        const { id, agent_id } = await automation.task({ id: 'task_0000000000000001' });
        return automation.call('POST /tasks', { id, agent_id, name: 'Again' });
      },
      [409, 'request', 'task_already_exists', 'id'],
    ],
    [
      'deleting a task whose run is not over',
      async () => automation.call(`DELETE /tasks/${(await automation.run()).task_id}`),
      [409, 'request', 'task_in_use', null],
    ],
    [
      'deleting an agent whose run is not over',
      async () => automation.call(`DELETE /agents/${(await automation.run()).agent_id}`),
      [409, 'request', 'agent_in_use', null],
    ],
    [
      'deleting a source whose run is not over',
      async () => {
        const { id } = await automation.source();
        await automation.run({ source_id: id });
        return automation.call(`DELETE /sources/${id}`);
      },
      [409, 'request', 'source_in_use', null],
    ],
    [
      'a run in a session that has ended',
      async () => {
        const { session_id, task_id } = await automation.run();
        await automation.advance('1h');
        return automation.call('POST /task-runs', { task_id, session_id, input: { invoice: '1' } });
      },
      [409, 'session', 'session_not_active', 'session_id'],
    ],
    [
      'a run with a deleted credential',
      async () => {
        const { id } = await automation.credential();
        await automation.done(`DELETE /credentials/${id}`);
        const task_id = (await automation.task()).id;
        return automation.call('POST /task-runs', { task_id, credential_id: id, input: { invoice: '1' } });
      },
      [422, 'request', 'credential_deleted', 'credential_id'],
    ],
    [
      'deleting a credential twice',
      async () => {
        const { id } = await automation.credential();
        await automation.done(`DELETE /credentials/${id}`);
        return automation.call(`DELETE /credentials/${id}`);
      },
      [422, 'request', 'credential_deleted', null],
    ],
    [
      'changing a deleted credential',
      async () => {
        const { id } = await automation.credential();
        await automation.done(`DELETE /credentials/${id}`);
        return automation.call(`PATCH /credentials/${id}`, { external_id: 'x' });
      },
      [422, 'request', 'credential_deleted', null],
    ],
    [
      'a run with a credential of another source',
      async () => {
        const { id } = await automation.credential();
        const given = {
          task_id: (await automation.task()).id,
          credential_id: id,
          source_id: (await automation.source()).id,
        };
        return automation.call('POST /task-runs', { ...given, input: { invoice: '1' } });
      },
      [422, 'request', 'credential_source_mismatch', 'credential_id'],
    ],
    [
      'canceling a run that is over',
      async () => {
        const { id } = await automation.run();
        await automation.advance('1m');
        return automation.call(`POST /task-runs/${id}/cancel`);
      },
      [409, 'request', 'task_run_not_cancelable', null],
    ],
    [
      'an answer that nobody waits for',
      async () =>
        automation.call(`POST /task-runs/${(await automation.run()).id}/interaction`, { input: { code: '1' } }),
      [409, 'interaction', 'interaction_not_pending', null],
    ],
    [
      'a review that nobody waits for',
      async () => automation.call(`POST /task-runs/${(await automation.run()).id}/review`, { decision: 'approve' }),
      [409, 'request', 'review_not_pending', null],
    ],
    [
      'verifying a destination that is active',
      async () => automation.call(`POST /event-destinations/${(await automation.destination()).id}/verify`),
      [409, 'request', 'event_destination_not_pending', null],
    ],
    [
      'activating a destination that is active',
      async () => automation.call(`POST /event-destinations/${(await automation.destination()).id}/activate`),
      [409, 'request', 'event_destination_not_inactive', null],
    ],
    [
      'deactivating a destination that is inactive',
      async () => {
        const { id } = await automation.destination();
        await automation.done(`POST /event-destinations/${id}/deactivate`);
        return automation.call(`POST /event-destinations/${id}/deactivate`);
      },
      [409, 'request', 'event_destination_already_inactive', null],
    ],
    [
      'an idempotency key that is too long',
      () => automation.call('POST /agents', { name: 'x' }, { 'idempotency-key': 'k'.repeat(257) }),
      [400, 'idempotency', 'idempotency_key_error', null],
    ],
  ];
}
