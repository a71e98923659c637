import type { Body, Called } from '../../support/http.js';
import { type Automation, serveAutomation } from './served-automation.js';

/** A sandbox with an agent that has one task, anew for each test. */
export interface OneTask {
  readonly automation: Automation;
  readonly call: Automation['call'];
  readonly agent: string;
  readonly task: string;
  /** A further task of the agent. */
  readonly taskOf: (outputSchema: unknown) => Promise<Called>;
  /** Runs the task, or another one; gives the id of the run. */
  readonly run: (task?: string) => Promise<string>;
  readonly read: (run: string) => Promise<Body>;
  readonly advance: (duration: string) => Promise<Called>;
}

export function serveOneTask(): OneTask {
  const automation = serveAutomation();
  const { call } = automation;
  const ids = { agent: '', task: '' };
  beforeEach(async () => {
    ids.agent = String((await call('POST /agents', { name: 'a' })).body['id']);
    ids.task = String((await call('POST /tasks', { agent_id: ids.agent, name: 'n' })).body['id']);
  });
  return {
    automation,
    call,
    get agent() {
      return ids.agent;
    },
    get task() {
      return ids.task;
    },
    taskOf: (output_schema) => call('POST /tasks', { agent_id: ids.agent, name: 'n', output_schema }),
    run: async (task_id = ids.task) => String((await call('POST /task-runs', { task_id })).body['id']),
    read: async (run) => (await call(`GET /task-runs/${run}`)).body,
    advance: (duration) => automation.admin('POST /clock/advance', { duration }),
  };
}
