import type { Sandbox } from '../../../engine/index.js';
import { Random } from '../../../tools/openapi/random.js';
import { call as callWorld } from '../../support/http.js';

interface Made {
  readonly id: string;
}

/** Random life of a world of task automation: agents, tasks, credentials, runs in every state, between moves of the clock. */
export async function arrangeAutomation(world: Sandbox, seed: number): Promise<void> {
  const { control } = world;
  const random = new Random(seed);
  const call = async (method: string, path: string, body?: unknown): Promise<Made> =>
    (await callWorld<Made>(world, `${method} ${path}`, body)).body;
  const agent = await call('POST', '/agents', { name: 'Clerk' });
  const source = await call('POST', '/sources', {
    type: 'website',
    website: { url: 'https://shop.example' },
    name: 'Shop',
  });
  const credential = await call('POST', '/credentials', {
    source_id: source.id,
    auth_method: 'username_password',
    auth_credentials: { username: 'ann', password: 'secret' },
  });
  const plain = await call('POST', '/tasks', { name: 'Plain', agent_id: agent.id });
  const rich = await call('POST', '/tasks', {
    name: 'Rich',
    agent_id: agent.id,
    output_schema: { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } },
    storage: { enabled: true },
    settings: { review: true },
  });
  const runs: string[] = [];
  for (let n = 0; n < 20; n++) {
    const die = random.below(10);
    const run = random.pick(runs);
    if (die < 4 || run === undefined) {
      const task_id = random.below(2) === 0 ? plain.id : rich.id;
      const body = { task_id, ...(random.below(2) === 0 ? { credential_id: credential.id } : {}) };
      runs.push((await call('POST', '/task-runs', body)).id);
    } else if (die === 4) await call('POST', `/task-runs/${run}/cancel`);
    else if (die === 5)
      await control
        .event('task_run.interaction_required', { task_run_id: run, interaction: { type: 'mfa' } })
        .catch(() => undefined);
    else if (die === 6) await call('POST', `/task-runs/${run}/interaction`, { input: { code: '123456' } });
    else if (die === 7) await call('POST', `/task-runs/${run}/review`, { approved: true });
    else await control.advance(random.pick(['2s', '5s', '20s', '31m', '2h']) ?? '1s');
  }
  if (random.below(3) === 0) await call('DELETE', `/agents/${agent.id}`);
}
