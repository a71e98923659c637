/** SPEC.md, "Authentication" 5: what was written once is read nowhere, in no view of either plane. */
import { type Body, type List, serveAutomation } from './served-automation.js';

const automation = serveAutomation();

const { receiver } = automation;

/** Everything that is secret says so. */
const HUSH = /hush/;
const LOGIN = { username: 'ann', password: 'hush-password', source_fields: { pin: 'hush-pin' } };
const METHOD = { auth_method: 'username_password' };
const CONFIGS: Readonly<Record<string, Body>> = {
  aws_sqs: { queue_url: 'https://q.example/1', key: 'hush-1', secret: 'hush-2', session: 'hush-3' },
  aws_kinesis: { stream_name: 's', region: 'eu-west-1', key: 'hush-1', secret: 'hush-2', session: 'hush-3' },
  aws_s3: { bucket: 'bucket', region: 'eu-west-1', key: 'hush-1', secret: 'hush-2', session: 'hush-3' },
  aws_eventbridge: { event_bus_name: 'b', region: 'eu-west-1', key: 'hush-1', secret: 'hush-2', session: 'hush-3' },
  gcp_pubsub: { project_id: 'p', topic: 't', service_account_json: '{"private_key":"hush-4"}' },
  rabbitmq: { server_url: 'mq.example:5672', exchange: 'e', username: 'hush-5', password: 'hush-6' },
  azure_servicebus: { name: 'n', connection_string: 'Endpoint=hush-7' },
  hookdeck: { token: 'hush-8' },
};

/** Writes every secret that the API takes, well and badly formed, so that events, errors, traces and deliveries come of it. */
async function writeSecrets(): Promise<void> {
  await automation.destination({
    type_config: { url: receiver.url, custom_headers: '{"x-access":"hush-header"}' },
  });
  for (const [type, type_config] of Object.entries(CONFIGS)) {
    const { id } = await automation.done<{ id: string }>('POST /event-destinations', { type, type_config });
    await automation.done(`PATCH /event-destinations/${id}`, { [type]: { ...type_config, nonsense: 'hush' } });
    await automation.call('POST /event-destinations', { type, type_config: { ...type_config, region: 'hush' } });
    await automation.done(`POST /event-destinations/${id}/test`);
  }
  const { id: source_id } = await automation.source();
  const headers = { 'idempotency-key': 'once' };
  for (let n = 0; n < 2; n++)
    await automation.done('POST /credentials', { source_id, ...METHOD, auth_credentials: LOGIN }, headers);
  const credential = await automation.credential({ source_id, auth_credentials: LOGIN });
  for (const auth_credentials of ['hush', { ...LOGIN, password: ['hush'] }, { ...LOGIN, source_fields: { hush: {} } }])
    await automation.call('POST /credentials', { source_id, ...METHOD, auth_credentials });
  await automation.call(`PATCH /credentials/${credential.id}`, { auth_credentials: { password: 'hush' } });
  await automation.done(`PATCH /credentials/${credential.id}`, { auth_credentials: LOGIN });
  const run = await automation.running({ credential_id: credential.id });
  await automation.cause('task_run.interaction_required', { task_run_id: run.id, interaction: { type: 'mfa' } });
  await automation.call(`POST /task-runs/${run.id}/interaction`, { input: { code: ['hush'] } });
  await automation.done(`POST /task-runs/${run.id}/interaction`, { input: { code: 'hush-code' } });
  await automation.advance('1h');
  await automation.cause('credential.invalid', { credential_id: credential.id });
  await automation.done(`DELETE /credentials/${credential.id}`);
  await automation.control.call('POST', '/webhooks/flush');
}

test('secrets are in no view: lists, objects, events, state, traces, deliveries, bodies of webhooks', async () => {
  const answers: string[] = [];
  automation.onAnswer = ({ text }) => void answers.push(text);
  await writeSecrets();
  const { operations } = automation.engine.pack;
  const reads = operations.filter(({ kind, routes }) => kind === 'list' && !routes[0].path.includes('{'));
  const paths = reads.map(({ routes }) => routes[0].path);
  expect(paths).toEqual(expect.arrayContaining(['/credentials', '/events', '/task-runs', '/event-destinations']));
  for (const path of paths) {
    const { data } = await automation.done<List<{ id: string }>>(`GET ${path}?Limit=100`);
    for (const { id } of data.slice(0, 20)) await automation.call(`GET ${path}/${id}?include=input,storage,artifacts`);
  }
  const control = [
    '/state',
    '/traces?limit=1000',
    '/webhooks/deliveries?limit=1000',
    '/webhooks/endpoints',
    '/world/next',
  ];
  for (const path of control) await automation.call(`GET /__admin__${path}`);
  const { data: traces } = (await automation.control.call('GET', '/traces?limit=1000')) as { data: { id: string }[] };
  for (const { id } of traces) answers.push(JSON.stringify(await automation.control.trace(id)));
  answers.push(...receiver.received.map(({ body }) => body));
  automation.onAnswer = undefined;
  expect(receiver.received.length).toBeGreaterThan(10);
  expect(answers.length).toBeGreaterThan(200);
  expect(answers.filter((text) => HUSH.test(text)).map((text) => text.slice(0, 2000))).toEqual([]);
  expect(answers.some((text) => text.includes('"username":"ann"'))).toBe(true);
  // The header is sent all the same.
  expect(receiver.received[0].headers['x-access']).toBe('hush-header');
});
