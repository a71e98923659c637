/** `agent.mjs PLAN`: makes the calls of a plan, and keeps what the world has before. */
import { writeFileSync } from 'node:fs';
import { callsOf } from './plans.mjs';

const { SANDBOX_URL: url, SANDBOX_KEY: key, TASK_NAME: task, TASK_VARS } = process.env;
const [plan] = process.argv.slice(2);
const headers = { authorization: `Bearer ${key}` };
// The token of a person does not open the control API.
const { resources } = await (await fetch(`${url}/__admin__/state`, { headers })).json();
writeFileSync('seed.json', JSON.stringify(resources ?? null));
for (const [method, path, body] of callsOf(task, plan, JSON.parse(TASK_VARS))) {
  const isJson = path.startsWith('/repos/');
  const sent = body && (isJson ? JSON.stringify(body) : new URLSearchParams(body).toString());
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  const response = await fetch(url + path, {
    method,
    body: sent,
    headers: { ...headers, ...(body ? { 'content-type': type } : {}) },
  });
  console.log(method, path, response.status, (await response.text()).slice(0, 300));
}
