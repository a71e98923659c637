import type { Json } from '../../../../engine/values/index.js';
import type { Dice } from '../dice.js';
import type { Action, Kit, SimulatedCall } from '../kit.js';
import { kitIn } from '../kit-file.js';
import { act, actOn, some } from '../pick.js';
import type { ObservedWorld } from '../view.js';

const post = (path: string, body: Readonly<Record<string, Json>> = {}): SimulatedCall => ({
  method: 'POST',
  path,
  body,
});

const ACTIVE = ['queued', 'running', 'interaction_required', 'review_required'];
const SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number' }, name: { type: 'string' } },
  required: ['total'],
};

function run(task: string, dice: Dice, view: ObservedWorld): SimulatedCall {
  const credential = dice.chance(60) ? some(dice, view, 'credential') : undefined;
  const session = dice.chance(25) ? some(dice, view, 'session', 'queued', 'running', 'idle') : undefined;
  return post('/task-runs', {
    task_id: task,
    input: { a: dice.below(9) },
    ...(credential === undefined ? {} : { credential_id: credential }),
    ...(session === undefined ? {} : { session_id: session }),
  });
}

const MAKERS: readonly Action[] = [
  actOn(30, 'task', [], run),
  actOn(6, 'agent', [], (id, dice) =>
    post('/tasks', {
      name: `task ${dice.below(99)}`,
      agent_id: id,
      output_schema: SCHEMA,
      settings: { review: dice.chance(20), ...(dice.chance(20) ? { timeout_seconds: dice.one([5, 60]) } : {}) },
    }),
  ),
  act(2, () => post('/agents', { name: 'Agent' })),
  act(3, (dice) => post('/sources', { name: 'Shop', url: `https://s${dice.below(9)}.example.com` })),
  actOn(5, 'source', [], (id) =>
    post('/credentials', {
      source_id: id,
      auth_method: 'username_password',
      auth_credentials: { username: 'ann', password: 'secret' },
    }),
  ),
  actOn(8, 'task_run', ACTIVE, (id) => post(`/task-runs/${id}/cancel`)),
  actOn(10, 'task_run', ['interaction_required'], (id) =>
    post(`/task-runs/${id}/interaction`, { input: { code: '123456' } }),
  ),
  actOn(3, 'session', ['queued', 'running', 'idle'], (id) => post(`/sessions/${id}/end`)),
  actOn(2, 'credential', [], (id) => ({ method: 'DELETE', path: `/credentials/${id}` })),
  actOn(2, 'task', [], (id) => post(`/tasks/${id}/reset`)),
  actOn(3, 'task_run', [], (id) => ({ method: 'GET', path: `/task-runs/${id}?include=input,storage,artifacts` })),
];

/** The task-automation pack: runs, their challenges, sessions and credentials. */
export const TASK_AUTOMATION: Kit = {
  ...kitIn('task-automation'),
  tenants: null,
  actions: MAKERS,
  // Checks nothing, because the vendor's clients declare no types.
  shape: () => [],
  decides: () => false,
  receives: (endpoint) => endpoint['status'] === 'active',
  statusesOf: (type) => {
    const [object, action] = type.split('.');
    if (!['task_run', 'session', 'credential'].includes(object) || ['created', 'deleted'].includes(action))
      return undefined;
    return [action === 'canceling' ? 'cancelling' : action];
  },
};
