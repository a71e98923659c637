/** SPEC.md, "Events" and "Authentication": event destinations of all nine types, and webhooks that a stock library verifies. */
import { createHash, createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Received } from '../../support/webhook-receiver.js';
import { type Body, type Destination, serveAutomation, type VendorEvent } from './served-automation.js';

const automation = serveAutomation();

const ACCESS = { key: 'AKIA-hush', secret: 'hush-secret', session: 'hush-session' };

/** `id:secret` */
const HOOKDECK = Buffer.from('src_1:hush-token').toString('base64');

interface Kind {
  readonly type: string;
  /** A configuration that is fine; what of it reads back. */
  readonly config: Body;
  readonly reads: Body;
  /** Configurations that are not, and the field that is told. */
  readonly wrong: readonly (readonly [config: Body, field: string])[];
  /** The message that would be published for an event: what stands in it beside the event itself. */
  readonly message?: (event: Sent) => Body;
}

/** An event as it is sent: the object, its JSON and what describes it. */
interface Sent {
  readonly event: VendorEvent;
  readonly json: string;
  readonly metadata: Body;
}

const KINDS: readonly Kind[] = [
  {
    type: 'webhook',
    config: { url: 'http://127.0.0.1:9/hook', custom_headers: '{"x-tenant":"hush-tenant"}' },
    reads: { url: 'http://127.0.0.1:9/hook', secret: expect.stringMatching(/^whsec_/) as unknown },
    wrong: [
      [{}, 'url'],
      [{ url: 'nowhere' }, 'url'],
      [{ url: 'http://a.example', secret: 'whsec_' }, 'secret'],
      [{ url: 'http://a.example', secret: 'plain' }, 'secret'],
      [{ url: 'http://a.example', custom_headers: 'X-A: 1' }, 'custom_headers'],
    ],
  },
  {
    type: 'aws_sqs',
    config: { queue_url: 'https://sqs.example.com/1/events', ...ACCESS },
    reads: { queue_url: 'https://sqs.example.com/1/events' },
    wrong: [
      [{}, 'queue_url'],
      [{ queue_url: 'events' }, 'queue_url'],
    ],
    message: ({ json, metadata }) => ({
      action: 'SendMessage',
      QueueUrl: 'https://sqs.example.com/1/events',
      MessageBody: json,
      MessageAttributes: { metadata: { DataType: 'String', StringValue: JSON.stringify(metadata) } },
    }),
  },
  {
    type: 'aws_kinesis',
    config: { stream_name: 'events', region: 'eu-west-1', ...ACCESS },
    reads: { stream_name: 'events', region: 'eu-west-1' },
    wrong: [
      [{ region: 'eu-west-1' }, 'stream_name'],
      [{ stream_name: 'a b', region: 'eu-west-1' }, 'stream_name'],
      [{ stream_name: 'events', region: 'Europe' }, 'region'],
    ],
    message: ({ event, metadata }) => ({
      action: 'PutRecord',
      region: 'eu-west-1',
      StreamName: 'events',
      PartitionKey: event.id,
      Data: { metadata, data: event },
    }),
  },
  {
    type: 'aws_s3',
    config: { bucket: 'events', region: 'us-east-1', storage_class: 'GLACIER', ...ACCESS },
    reads: { bucket: 'events', region: 'us-east-1' },
    wrong: [
      [{ region: 'us-east-1' }, 'bucket'],
      [{ bucket: 'No Bucket', region: 'us-east-1' }, 'bucket'],
      [{ bucket: 'events' }, 'region'],
    ],
    message: ({ event, json, metadata }) => ({
      action: 'PutObject',
      region: 'us-east-1',
      Bucket: 'events',
      Key: `${event.created_at}_${event.id}.json`,
      StorageClass: 'GLACIER',
      ContentType: 'application/json',
      Metadata: metadata,
      ChecksumSHA256: createHash('sha256').update(json).digest('base64'),
      Body: json,
    }),
  },
  {
    type: 'aws_eventbridge',
    config: { event_bus_name: 'main', region: 'us-east-1', ...ACCESS },
    reads: { event_bus_name: 'main', region: 'us-east-1' },
    wrong: [
      [{ region: 'us-east-1' }, 'event_bus_name'],
      [{ event_bus_name: 'main', region: 'us' }, 'region'],
    ],
    message: ({ event, json }) => ({
      action: 'PutEvents',
      region: 'us-east-1',
      Entries: [
        {
          EventBusName: 'main',
          Source: 'task-automation',
          DetailType: event.type,
          Time: event.created_at,
          Detail: json,
        },
      ],
    }),
  },
  {
    type: 'gcp_pubsub',
    config: { project_id: 'shop', topic: 'events', service_account_json: '{"private_key":"hush-key"}' },
    reads: { project_id: 'shop', topic: 'events' },
    wrong: [
      [{ topic: 'events' }, 'project_id'],
      [{ project_id: 'shop' }, 'topic'],
      [{ project_id: 'shop', topic: 7 }, 'topic'],
    ],
    message: ({ json, metadata }) => ({
      action: 'publish',
      topic: 'projects/shop/topics/events',
      data: json,
      attributes: metadata,
    }),
  },
  {
    type: 'rabbitmq',
    config: { server_url: 'mq.example.com:5672', exchange: 'events', username: 'hush-user', password: 'hush-pass' },
    reads: { server_url: 'mq.example.com:5672', exchange: 'events' },
    wrong: [
      [{}, 'server_url'],
      [{ server_url: 'amqp://mq.example.com' }, 'server_url'],
      [{ server_url: 'mq.example.com:5672', tls: 'perhaps' }, 'tls'],
    ],
    message: ({ event, json, metadata }) => ({
      action: 'basic.publish',
      server: 'mq.example.com:5672',
      exchange: 'events',
      routing_key: event.type,
      properties: { content_type: 'application/json', headers: metadata },
      body: json,
    }),
  },
  {
    type: 'azure_servicebus',
    config: { name: 'events', connection_string: 'Endpoint=sb://hush' },
    reads: { name: 'events' },
    wrong: [
      [{}, 'name'],
      [{ name: '-events' }, 'name'],
    ],
    message: ({ json, metadata }) => ({
      action: 'send',
      entity: 'events',
      application_properties: metadata,
      body: json,
    }),
  },
  {
    type: 'hookdeck',
    config: { token: HOOKDECK },
    reads: {},
    wrong: [[{ token: '' }, 'token']],
    message: ({ event, json, metadata }) => ({
      action: 'POST',
      url: 'https://hkdk.events/src_1',
      headers: {
        'Content-Type': 'application/json',
        'X-Hookdeck-Signature': `v0=${createHmac('sha256', HOOKDECK).update(json).digest('base64')}`,
        'X-Outpost-Event-Id': event.id,
        'X-Outpost-Topic': event.type,
        'X-Outpost-Timestamp': metadata['timestamp'],
      },
      body: json,
    }),
  },
];

async function sent(event: VendorEvent): Promise<Sent> {
  // What is delivered has no request_id, as items of lists have none.
  const found = (await automation.events()).find(({ id }) => id === event.id) ?? event;
  const timestamp = String(Math.floor(Date.parse(event.created_at) / 1000));
  return {
    event: found,
    json: JSON.stringify(found),
    metadata: { 'event-id': event.id, topic: event.type, timestamp },
  };
}

describe('a destination of type', () => {
  test('every type of the pack is in the table', async () => {
    const { body } = await automation.call('POST /event-destinations', { type: 'pigeon' });
    const [message] = (body['errors'] as Readonly<Record<string, readonly string[]>>)['type'];
    expect(message.match(/[a-z0-9_]+(?=,|\.$)/g)?.sort()).toEqual(KINDS.map(({ type }) => type).sort());
  });

  test.each(KINDS)('$type shows what is no secret of its configuration, under either name', async (kind) => {
    const { type, config, reads } = kind;
    for (const key of ['type_config', type]) {
      const { id } = await automation.done<Destination>('POST /event-destinations', { type, [key]: config });
      const shown = await automation.done<Destination>(`GET /event-destinations/${id}`);
      expect(shown).toMatchObject({ type, status: 'active', events: ['*'] });
      expect(shown.type_config).toEqual(reads);
    }
  });

  test.each(KINDS)('$type refuses a wrong configuration, at its field', async ({ type, wrong }) => {
    for (const [type_config, field] of wrong) {
      const { status, body } = await automation.call('POST /event-destinations', { type, type_config });
      expect([type_config, status, Object.keys(body['errors'] as Body)]).toEqual([
        type_config,
        400,
        [`type_config.${field}`],
      ]);
    }
  });

  test.each(KINDS.filter(({ message }) => message))(
    '$type has the message on record that would be published, with its routing',
    async ({ type, config, message }) => {
      const events = ['agent.created', 'task.created'];
      const { id } = await automation.done<Destination>('POST /event-destinations', {
        type,
        events,
        type_config: config,
      });
      await automation.task();
      const made = (await automation.events()).filter((event) => events.includes(event.type));
      const deliveries = await automation.deliveries();
      expect(deliveries.map((each) => [each.event.type, each.endpoint, each.transport, each.status])).toEqual(
        events.map((each) => [each, id, type, 'recorded']),
      );
      for (const [index, event] of made.entries())
        expect(deliveries[index].message).toEqual(message?.(await sent(event)));
      expect(made).toHaveLength(2);
    },
  );
});

describe('webhooks', () => {
  const { receiver } = automation;

  const hook = (fields: Body = {}, config: Body = {}): Promise<Destination> =>
    automation.destination({ events: ['agent.created'], type_config: { url: receiver.url, ...config }, ...fields });
  const flush = () => automation.control.call('POST', '/webhooks/flush');
  const statusOf = async ({ id }: Destination) =>
    (await automation.done<Destination>(`GET /event-destinations/${id}`)).status;
  const text = ({ headers }: Received, name: string) => String(headers[name]);
  const verified = ({ body, headers }: Received, secret: string) =>
    new Webhook(secret).verify(body, headers as Record<string, string>) as VendorEvent;

  test('are verified by the library, also long after the world’s clock was moved', async () => {
    const { type_config } = await hook();
    await automation.agent({ name: 'Now' });
    await automation.advance('32d');
    await automation.agent({ name: 'Later' });
    await flush();
    const events = (await automation.events()).filter(({ type }) => type === 'agent.created');
    expect(receiver.received.map((each) => verified(each, type_config['secret']))).toEqual(events);
    expect(receiver.received.map((each) => text(each, 'webhook-id'))).toEqual(events.map(({ id }) => id));
    expect(receiver.received.map((each) => text(each, 'webhook-topic'))).toEqual(['agent.created', 'agent.created']);
    expect(() => verified(receiver.received[0], 'whsec_c29tZSBvdGhlciBzZWNyZXQgYWx0b2dldGhlcg==')).toThrow();
  });

  test('carry headers of their own, which do not replace those of the signature', async () => {
    const custom_headers = JSON.stringify({ 'x-tenant': 'blue', 'webhook-id': 'evil' });
    const { type_config } = await hook({}, { custom_headers });
    await automation.agent();
    await flush();
    expect(text(receiver.received[0], 'x-tenant')).toBe('blue');
    verified(receiver.received[0], type_config['secret']);
  });

  test('use the secret that was given', async () => {
    const secret = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=';
    const { type_config } = await hook({}, { secret });
    expect(type_config['secret']).toBe(secret);
    await automation.agent();
    await flush();
    verified(receiver.received[0], secret);
  });

  const ROTATIONS: readonly [how: string, rotate: (id: string) => Promise<Destination>][] = [
    ['POST rotate-secret', (id) => automation.done(`POST /event-destinations/${id}/rotate-secret`)],
    [
      'PATCH',
      (id) =>
        automation.done(`PATCH /event-destinations/${id}`, {
          type_config: { secret: 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=' },
        }),
    ],
  ];
  test.each(ROTATIONS)('are signed with the old and the new secret for a day after %s', async (_, rotate) => {
    const { id, type_config } = await hook();
    const rotated = await rotate(id);
    expect(rotated.status).toBe('active');
    const [old, fresh] = [type_config['secret'], rotated.type_config['secret']];
    expect(fresh).not.toBe(old);
    await automation.agent();
    await automation.advance('24h');
    await automation.agent();
    await flush();
    const [during, after] = receiver.received;
    for (const secret of [old, fresh]) verified(during, secret);
    expect(text(during, 'webhook-signature').split(' ')).toHaveLength(2);
    verified(after, fresh);
    expect(() => verified(after, old)).toThrow();
  });

  test('only a webhook has a secret to rotate', async () => {
    const { id } = await automation.done<Destination>('POST /event-destinations', { type: 'hookdeck' });
    const { status, body } = await automation.call(`POST /event-destinations/${id}/rotate-secret`);
    expect([status, body['errors']]).toMatchObject([
      409,
      [{ type: 'request', code: 'event_destination_without_secret' }],
    ]);
  });

  test('are tried again after 30 s, 1 min and 2 min with the same body; then the destination is inactive', async () => {
    receiver.answer(500, 302, 429, 503);
    const destination = await hook();
    await automation.agent();
    await flush();
    const attempts = [receiver.received.length];
    for (const wait of ['29s', '1s', '59s', '1s', '119s']) {
      await automation.advance(wait);
      await flush();
      attempts.push(receiver.received.length);
    }
    expect(attempts).toEqual([1, 1, 2, 2, 3, 3]);
    expect(await statusOf(destination)).toBe('active');
    const types = await automation.typesOf(async () => {
      await automation.advance('1s');
      await flush();
    });
    expect(types).toEqual(['event_destination.deactivated']);
    expect(await statusOf(destination)).toBe('inactive');
    const bodies = receiver.received.map(({ body, headers }) => [body, headers['webhook-id']]);
    expect(bodies).toHaveLength(4);
    expect(new Set(bodies.map((each) => JSON.stringify(each))).size).toBe(1);
    for (const each of receiver.received) verified(each, destination.type_config['secret']);
    const [delivery] = await automation.deliveries();
    expect([delivery.status, delivery.attempts.map(({ status }) => status)]).toEqual(['failed', [500, 302, 429, 503]]);
  });

  test('are taken at the second attempt as at the first', async () => {
    receiver.answer(500, 204);
    const destination = await hook();
    await automation.agent();
    await flush();
    await automation.advance('30s');
    await flush();
    expect(await statusOf(destination)).toBe('active');
    expect((await automation.deliveries()).map(({ status }) => status)).toEqual(['delivered']);
  });

  test('a receiver that is gone (410) deactivates its destination at once', async () => {
    receiver.answer(410);
    const destination = await hook();
    await automation.agent();
    await flush();
    expect(await statusOf(destination)).toBe('inactive');
    await automation.agent();
    await flush();
    expect(receiver.received).toHaveLength(1);
    // What happened meanwhile is not sent later.
    receiver.answer(200);
    await automation.done(`POST /event-destinations/${destination.id}/activate`);
    await flush();
    expect(receiver.received).toHaveLength(1);
  });

  test('come in the order of the events', async () => {
    await hook({ events: ['*'] });
    const { id } = await automation.run();
    await automation.advance('1h');
    await flush();
    const order = receiver.received.map((each) => text(each, 'webhook-id'));
    const events = (await automation.events()).slice(-order.length);
    expect(order).toEqual(events.map((event) => event.id));
    const run = events.filter(({ data }) => data.id === id).map(({ type }) => type);
    expect(run).toEqual(['task_run.queued', 'task_run.running', 'task_run.completed']);
  });

  test('of a test message reach this destination alone, whatever it subscribed to, and are not stored', async () => {
    const destination = await hook();
    const before = (await automation.events()).length;
    await automation.done(`POST /event-destinations/${destination.id}/test`);
    await flush();
    expect(receiver.received).toHaveLength(1);
    const event = verified(receiver.received[0], destination.type_config['secret']);
    expect(event.type).toBe('event_destination.activated');
    expect(await automation.events()).toHaveLength(before);
    expect((await automation.call(`GET /events/${event.id}`)).status).toBe(404);
  });

  test('go to active destinations only', async () => {
    await automation.control.call('POST', '/clock/durations', { durations: { verification_time: '1m' } });
    const destination = await hook();
    await automation.agent({ name: 'Early' });
    await automation.advance('1m');
    await automation.agent({ name: 'Right' });
    await automation.done(`PATCH /event-destinations/${destination.id}`, { status: 'inactive' });
    await automation.agent({ name: 'Late' });
    await flush();
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as VendorEvent).data['name'])).toEqual(['Right']);
    expect((await automation.deliveries()).length).toBe(1);
  });
});

describe('the deliveries of a destination', () => {
  const page = (id: string, query = '') =>
    automation.done<{ data: Body[]; has_more: boolean; next_cursor: string | null }>(
      `GET /event-destinations/${id}/event-deliveries${query}`,
    );

  test('are listed newest first, in pages, with their events', async () => {
    const { id } = await automation.done<Destination>('POST /event-destinations', { type: 'hookdeck' });
    await automation.task();
    const whole = await page(id);
    expect(whole.data.map((each) => each['event_type'])).toEqual([
      'task.created',
      'agent.created',
      'event_destination.activated',
    ]);
    const [event] = (await automation.events()).slice(-1);
    expect(whole.data[0]).toEqual({
      id: expect.stringMatching(/^edlv_\w{16}$/) as unknown,
      object: 'event_delivery',
      status: 'success',
      event_type: 'task.created',
      event_id: event.id,
      event_destination_id: id,
      attempts: 1,
      created_at: automation.now,
      delivered_at: automation.now,
    });
    const first = await page(id, '?limit=2');
    expect(first).toMatchObject({ data: whole.data.slice(0, 2), has_more: true });
    const rest = await page(id, `?limit=2&cursor=${String(first.next_cursor)}`);
    expect(rest).toMatchObject({ data: whole.data.slice(2), has_more: false, next_cursor: null });
  });

  const FILTERS: readonly [query: string, found: number][] = [
    ['?status=success', 3],
    ['?status=failure', 0],
    ['?status=success,failure', 3],
    ['?status=success&status=failure', 3],
    ['?type=task.created', 1],
    ['?type=task.created,agent.created', 2],
    ['?status=perhaps', 0],
    ['?Limit=0', 1],
    ['?Limit=many', 3],
    ['?Limit=5000', 3],
    ['?cursor=nonsense', 3],
  ];
  test.each(FILTERS)('with %s are %i', async (query, found) => {
    const { id } = await automation.done<Destination>('POST /event-destinations', { type: 'hookdeck' });
    await automation.task();
    expect((await page(id, query)).data).toHaveLength(found);
  });

  test('that failed say so', async () => {
    const { id } = await automation.destination({ events: ['agent.created'] });
    await automation.agent();
    await automation.control.call('POST', '/webhooks/flush');
    expect((await page(id)).data[0]).toMatchObject({ status: 'pending', attempts: 1, delivered_at: null });
    await automation.advance('10m');
    await automation.control.call('POST', '/webhooks/flush');
    expect((await page(id)).data[0]).toMatchObject({ status: 'failure', attempts: 4, delivered_at: null });
  });
});
