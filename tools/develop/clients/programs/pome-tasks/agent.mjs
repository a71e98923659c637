/** `agent.mjs PLAN`: saves the initial state of the world, and makes the calls of a plan. */
import { writeFileSync } from 'node:fs';
import { callsOf } from './plans.mjs';
import { stateOf } from './states.mjs';

const { SANDBOX_URL, SANDBOX_KEY, TASK_NAME: task, TASK_VARS } = process.env;
const [plan] = process.argv.slice(2);
// Saves null if the agent has a person's token, which gives no access to the control API.
writeFileSync('seed.json', JSON.stringify(await stateOf(process.env)));
for (const [method, path, body] of callsOf(task, plan, JSON.parse(TASK_VARS))) {
  const isJson = path.startsWith('/repos/');
  const of = isJson ? 'CODE_HOSTING' : path.startsWith('/api/') ? 'TEAM_CHAT' : 'PAYMENTS';
  const { [`SANDBOX_${of}_URL`]: url = SANDBOX_URL, [`SANDBOX_${of}_KEY`]: key = SANDBOX_KEY } = process.env;
  const headers = { authorization: `Bearer ${key}` };
  const sent = body && (isJson ? JSON.stringify(body) : new URLSearchParams(body).toString());
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  const response = await fetch(url + path, {
    method,
    body: sent,
    headers: { ...headers, ...(body ? { 'content-type': type } : {}) },
  });
  console.log(method, path, response.status, (await response.text()).slice(0, 300));
}
