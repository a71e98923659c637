import { createHmac } from 'node:crypto';
import { serveOneTask } from './one-task.js';
import type { Called, Body } from './served-automation.js';


const { automation, call, advance } = serveOneTask();
const { receiver } = automation;

test('topics are the events of an object, or event types', async () => {
  const make = (given: Body): Promise<Called> =>
    call('POST /event-destinations', { type_config: { url: 'https://example.com/h' }, ...given });
  const ofRuns = ['queued', 'running', 'interaction_required', 'review_required'].map((each) => `task_run.${each}`);
  const made = await make({ topics: ['task_run'] });
  expect(made.body['events']).toEqual([
    ...ofRuns,
    ...['completed', 'failed', 'canceling', 'canceled'].map((each) => `task_run.${each}`),
  ]);
  expect((await make({ topics: ['agent.created'], events: ['task.created'] })).body['events']).toEqual([
    'task.created',
    'agent.created',
  ]);
  expect((await make({ topics: ['*'] })).body['events']).toEqual(['*']);
  expect((await make({})).body['events']).toEqual(['*']);
  expect(await make({ topics: ['task_run', 'nonsense'] })).toMatchObject({
    status: 400,
    body: { errors: { 'topics[1]': ['There is no topic nonsense.'] } },
  });
  expect((await make({ topics: [] })).status).toBe(400);
  const changed = await call(`PATCH /event-destinations/${String(made.body['id'])}`, { topics: ['user'] });
  expect(changed.body['events']).toEqual(['user.created']);
  const kept = await call(`PATCH /event-destinations/${String(made.body['id'])}`, { name: 'x' });
  expect(kept.body['events']).toEqual(['user.created']);
});

test('a receiver that asks for time gets it, and the waits of deliveries and keys are durations', async () => {
  const answers: [number, Record<string, string>][] = [];
  receiver.reply = (response) => response.writeHead(...(answers.shift() ?? [200, {}])).end();
  const type_config = { url: `${receiver.url}/h` };
  await call('POST /event-destinations', { type_config, events: ['agent.created'] });
  const next = async (): Promise<unknown> => {
    await call('POST /agents', { name: 'x' });
    await call('POST /__admin__/webhooks/flush', {});
    const { body } = await call('GET /__admin__/webhooks/deliveries?limit=1');
    const [{ next_attempt_at: at }] = body['data'] as { next_attempt_at: string | null }[];
    return at === null ? null : Date.parse(at) - Date.parse(automation.now);
  };
  answers.push([503, { 'Retry-After': '300' }]);
  expect(await next()).toBe(300_000);
  answers.push([503, { 'Retry-After': '3' }]);
  expect(await next()).toBe(30_000);
  answers.push([429, { 'Retry-After': new Date(Date.now() + 600_000).toUTCString() }]);
  expect(Math.abs(Number(await next()) - 600_000)).toBeLessThan(2000);
  answers.push([500, { 'Retry-After': 'soon' }]);
  expect(await next()).toBe(30_000);
  await call('POST /__admin__/clock/durations', { durations: { delivery_retry_1: '7s', idempotency_ttl: '1m' } });
  answers.push([500, {}]);
  expect(await next()).toBe(7000);
  await call('POST /__admin__/clock/durations', { durations: { delivery_retry_1: 'none' } });
  answers.push([500, {}]);
  expect(await next()).toBe(null);

  const keyed = async (): Promise<unknown> =>
    (await call('POST /agents', { name: 'once' }, { 'idempotency-key': 'k' })).body['id'];
  const first = await keyed();
  await advance('59s');
  expect(await keyed()).toBe(first);
  await advance('1s');
  expect(await keyed()).not.toBe(first);
});

describe('what queues and buses are sent', () => {
  async function message(type: string, type_config: Body): Promise<Body> {
    await call('POST /event-destinations', { type, type_config, events: ['agent.created'] });
    await call('POST /agents', { name: 'x' });
    const { body } = await call('GET /__admin__/webhooks/deliveries?limit=1');
    return (body['data'] as { message: Body }[])[0].message;
  }

  test('the partition key of a stream and the key of a file follow their templates', async () => {
    const kinesis = { stream_name: 's', region: 'eu-west-1' };
    const partition = async (partition_key_template: string): Promise<unknown> =>
      (await message('aws_kinesis', { ...kinesis, partition_key_template }))['PartitionKey'];
    expect(await partition('data.data.object')).toBe('agent');
    expect(await partition('metadata."event-id"')).toMatch(/^evt_/);
    expect(await partition('data.nothing')).toMatch(/^evt_/);
    const s3 = { bucket: 'files', region: 'eu-west-1' };
    const key_template = "join('/', [time.year, time.month, metadata.topic, 'e.json'])";
    expect(await message('aws_s3', { ...s3, key_template })).toMatchObject({ Key: '2026/06/agent.created/e.json' });
    expect(await message('aws_s3', s3)).toMatchObject({
      Key: expect.stringMatching(/^2026-06-09T12:00:00.000Z_evt_\w+\.json$/),
      ChecksumSHA256: expect.stringMatching(/^[\w+/]{43}=$/),
    });
  });

  test('a template that cannot be read is refused', async () => {
    const type_config = { bucket: 'files', region: 'eu-west-1', key_template: 'join(' };
    const { status, body } = await call('POST /event-destinations', { type: 'aws_s3', type_config });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([400, ['type_config.key_template']]);
  });

  test('the gateway is called at the address of the token, signed by it', async () => {
    const token = Buffer.from('src_7:hush').toString('base64');
    const { url, headers, body } = await message('hookdeck', { token });
    const signature = createHmac('sha256', token).update(String(body)).digest('base64');
    expect([url, headers]).toMatchObject(['https://hkdk.events/src_7', { 'X-Hookdeck-Signature': `v0=${signature}` }]);
  });
});

test('what a receiver returns, and when, changes no id and no state', async () => {
  let answered = 0;
  receiver.reply = (response) => setTimeout(() => response.writeHead(410).end(), (answered++ * 7) % 13);
  const round = async (): Promise<unknown> => {
    await call('POST /__admin__/reset', {});
    const type_config = { url: `${receiver.url}/h` };
    await call('POST /event-destinations', { type_config, events: ['agent.created'] });
    const ids: unknown[] = [];
    for (let n = 0; n < 12; n++) ids.push((await call('POST /agents', { name: 'x' })).body['id']);
    await call('POST /__admin__/webhooks/flush', {});
    return [ids, (await call('GET /__admin__/state')).body];
  };
  const first = await round();
  expect(await round()).toEqual(first);
});

test('one advance over all attempts: they carry the times they were due at, and no more is sent afterwards', async () => {
  const { received } = receiver;
  receiver.answer(500);
  const type_config = { url: `${receiver.url}/h` };
  const made = await call('POST /event-destinations', { type: 'webhook', type_config, events: ['agent.created'] });
  const began = Date.parse(String((await call('GET /__admin__/clock')).body['now']));
  await call('POST /agents', { name: 'x' });
  await advance('30m');
  await call('POST /__admin__/webhooks/flush', {});
  const { data } = (await call('GET /__admin__/webhooks/deliveries')).body as {
    data: { attempts: { world_time: string }[]; status: string }[];
  };
  const since = data[0].attempts.map(({ world_time }) => (Date.parse(world_time) - began) / 1000);
  expect([data.length, data[0].status, since, received.length]).toEqual([1, 'failed', [0, 30, 90, 210], 4]);
  expect((await call(`GET /event-destinations/${String(made.body['id'])}`)).body).toMatchObject({ status: 'inactive' });
  await call('POST /agents', { name: 'y' });
  await call('POST /__admin__/webhooks/flush', {});
  expect(received).toHaveLength(4);
});
