import { serveOneTask } from './one-task.js';
import type { Called } from './served-automation.js';


const one = serveOneTask();
const { call } = one;

describe('a seed has history, and what the engine derives cannot be faked', () => {
  const RUN = 'trun_AAAAAAAAAAAAAAAA';
  const seed = (fields: object): Promise<Called> =>
    call('POST /__admin__/seed', {
      resource: 'task_runs',
      objects: [{ id: RUN, task_id: one.task, agent_id: one.agent, ...fields }],
    });

  test.each([
    [{ result: 'success' }, 'result'],
    [{ runtime_ms: 99 }, 'runtime_ms'],
    [{ interaction: { type: 'mfa' } }, 'interaction'],
    [{ status: 'failed', output: { a: 1 } }, 'output'],
    [{ status: 'completed', errors: [{ type: 'task', code: 'x', message: 'y' }] }, 'errors'],
    [{ status: 'completed', result: 'failure' }, 'result'],
    [{ status: 'completed', runtime_ms: 99 }, 'runtime_ms'],
  ])('%j is refused', async (fields, path) => {
    const answer = await seed(fields);
    expect([answer.status, answer.body['error']]).toMatchObject([422, { path: `task_runs[0].${path}` }]);
    expect((await call(`GET /task-runs/${RUN}`)).status).toBe(404);
  });

  test.each([
    ['completed', { result: 'success', output: expect.anything() as unknown, errors: [], interaction: null }],
    ['failed', { result: 'failure', output: null, errors: [{ type: 'task', code: 'task_failed' }] }],
    ['canceled', { result: 'unknown', output: null, errors: [] }],
    ['interaction_required', { result: null, interaction: { type: 'mfa' } }],
    ['review_required', { result: null, output: expect.anything() as unknown }],
  ])('a run that is seeded %s is one', async (status, shown) => {
    expect((await seed({ status })).status).toBe(200);
    expect((await call(`GET /task-runs/${RUN}`)).body).toMatchObject({ status, ...shown });
  });

  test('an answer can be given to a seeded challenge, and the run goes on to its end', async () => {
    await seed({ status: 'interaction_required' });
    const answer = await call(`POST /task-runs/${RUN}/interaction`, { input: { code: '123456' } });
    expect(answer.body).toMatchObject({ status: 'running' });
    await call('POST /__admin__/clock/advance', { duration: '5m' });
    expect((await call(`GET /task-runs/${RUN}`)).body).toMatchObject({ status: 'completed', result: 'success' });
  });
});

describe('a destination whose address cannot be read is rejected when it is seeded', () => {
  const types = [
    ...['webhook', 'aws_sqs', 'aws_kinesis', 'aws_s3', 'aws_eventbridge', 'gcp_pubsub', 'rabbitmq'],
    ...['azure_servicebus', 'hookdeck'],
  ];
  const configs = [undefined, null, {}, { url: 5 }, { url: 'nowhere' }, { url: 'https://example.com/h', secret: 7 }];

  test.each(types.flatMap((type) => configs.map((type_config) => [type, type_config] as const)))(
    '%s with %j',
    async (type, type_config) => {
      const seeded = await call('POST /__admin__/seed', {
        resource: 'event_destinations',
        objects: [
          { id: 'evtd_BBBBBBBBBBBBBBBB', type, events: ['*'], ...(type_config === undefined ? {} : { type_config }) },
        ],
      });
      const listed = await call('GET /__admin__/webhooks/endpoints');
      expect([200, 422]).toContain(seeded.status);
      if (type === 'webhook') expect(seeded.status).toBe(422);
      expect(listed.status).toBe(200);
      if (seeded.status === 200) expect(JSON.stringify(listed.body)).toContain('evtd_BBBBBBBBBBBBBBBB');
      await call('POST /__admin__/reset');
    },
  );
});

test('a seeded webhook destination has the secret of its URL, and none without URL', async () => {
  const seed = (type_config: object): Promise<Called> =>
    call('POST /__admin__/seed', {
      resource: 'event_destinations',
      objects: [{ id: 'evtd_AAAAAAAAAAAAAAAA', type: 'webhook', status: 'active', events: ['*'], type_config }],
    });
  expect((await seed({ url: 'https://example.com/hook' })).status).toBe(200);
  const { body } = await call('GET /event-destinations/evtd_AAAAAAAAAAAAAAAA');
  expect(body['type_config']).toMatchObject({
    url: 'https://example.com/hook',
    secret: expect.stringMatching(/^whsec_/) as unknown,
  });
  expect((await seed({})).body['error']).toMatchObject({ path: 'event_destinations[0].type_config.url' });
});

test('addresses of sources get a scheme, and small letters where they mean nothing', async () => {
  for (const [given, kept] of [
    ['https://EXAMPLE.com/Path', 'https://example.com/Path'],
    ['example.com', 'https://example.com'],
    ['Bank.Example.com:8443/Login?Next=A', 'https://bank.example.com:8443/Login?Next=A'],
    ['HTTP://Me:PassWord@Example.COM', 'http://Me:PassWord@example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ]) {
    const made = await call('POST /sources', { type: 'website', website: { url: given } });
    expect([made.status, made.body['website']]).toEqual([200, { url: kept }]);
    const changed = await call(`PATCH /sources/${String(made.body['id'])}`, { website: { url: 'WWW.example.org' } });
    expect(changed.body['website']).toEqual({ url: 'https://www.example.org' });
  }
  for (const url of ['nowhere', 'ftp://a.example', 'https://', '//a.example', 'a b.example'])
    expect([url, (await call('POST /sources', { type: 'website', website: { url } })).status]).toEqual([url, 400]);
});

test('a credential has its user name in both places', async () => {
  const source = await call('POST /sources', { type: 'website', website: { url: 'example.com' } });
  const made = await call('POST /credentials', {
    source_id: source.body['id'],
    auth_method: 'username_password',
    auth_credentials: { username: 'ann', password: 'hush' },
  });
  expect(made.body).toMatchObject({ username: 'ann', auth_credentials: { username: 'ann' } });
  expect(JSON.stringify(made.body)).not.toContain('hush');
});

test('an agent needs no name', async () => {
  const seeded = { resource: 'agents', objects: [{ id: 'agt_BBBBBBBBBBBBBBBB' }] };
  expect((await call('POST /__admin__/seed', seeded)).status).toBe(200);
  expect((await call('GET /agents/agt_BBBBBBBBBBBBBBBB')).body).toMatchObject({ name: 'Untitled agent' });
});
