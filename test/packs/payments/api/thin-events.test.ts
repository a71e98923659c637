import Stripe from 'stripe';
import type Newest from 'stripe-newest';
import { ConformanceRecorder } from '../../../../tools/develop/conformance/index.js';
import { WebhookReceiver } from '../../../support/webhook-receiver.js';
import { newest, newestClient } from '../newest-client.js';
import { DAY, servePayments } from '../served-payments.js';

/** Event destinations and thin events, through the clients that taught them first and the newest. */

const payments = servePayments({ vars: { vendor: 'stripe' } });
const recorder = new ConformanceRecorder({ vendorWord: 'stripe' }, newest);
let receiver: WebhookReceiver;
let stripe: Newest;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await receiver.stop();
  recorder.assertClean();
});
beforeEach(() => {
  receiver.received.length = 0;
  stripe = newestClient(payments, recorder);
});

type Destination = Newest.V2.Core.EventDestination;

/** An event destination at a path of the receiver, with its secret. */
async function destination(
  events: string[],
  given: Partial<Newest.V2.Core.EventDestinationCreateParams> = {},
): Promise<Destination & { readonly secret: string }> {
  const made = await stripe.v2.core.eventDestinations.create({
    name: 'Ours',
    type: 'webhook_endpoint',
    event_payload: 'thin',
    enabled_events: events,
    webhook_endpoint: { url: `${receiver.url}/thin` },
    include: ['webhook_endpoint.signing_secret', 'webhook_endpoint.url'],
    ...given,
  });
  return { ...made, secret: made.webhook_endpoint?.signing_secret ?? '' };
}

/** What came, verified and parsed by both clients. */
async function came(secret: string) {
  await payments.control.flush();
  return receiver.received.splice(0).map(({ body, headers }) => {
    const signature = String(headers['stripe-signature']);
    const old = payments.stripe.parseThinEvent(body, signature, secret);
    expect(() => payments.stripe.parseThinEvent(body, signature, 'whsec_wrong')).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
    return { old, notification: stripe.parseEventNotification(body, signature, secret) };
  });
}

test('an event destination has a life of its own, and shows what a call asks for', async () => {
  const made = await destination(['v1.customer.created'], { description: 'Where it goes', metadata: { team: 'a' } });
  expect(made).toMatchObject({
    object: 'v2.core.event_destination',
    created: '2025-01-15T12:00:00.000Z',
    description: 'Where it goes',
    events_from: ['@self'],
    status: 'enabled',
    webhook_endpoint: {
      url: `${receiver.url}/thin`,
      signing_secret: expect.stringMatching(/^whsec_\w{32}$/) as string,
    },
  });
  expect(made.id).toMatch(/^ed_test_61\w{30}$/);
  const { eventDestinations } = stripe.v2.core;
  expect((await eventDestinations.retrieve(made.id)).webhook_endpoint).toEqual({});
  const include = ['webhook_endpoint.url'];
  expect((await eventDestinations.retrieve(made.id, { include })).webhook_endpoint?.url).toBe(`${receiver.url}/thin`);
  await payments.control.advance('1h');
  const updated = await eventDestinations.update(made.id, { name: 'Theirs', metadata: { team: 'b' } });
  expect([updated.name, updated.metadata, updated.updated]).toEqual([
    'Theirs',
    { team: 'b' },
    '2025-01-15T13:00:00.000Z',
  ]);
  const disabled = await eventDestinations.disable(made.id);
  expect([disabled.status, disabled.status_details]).toEqual(['disabled', { disabled: { reason: 'user' } }]);
  await stripe.customers.create();
  expect((await eventDestinations.enable(made.id)).status_details).toBeUndefined();
  expect(await came(made.secret)).toEqual([]);
  expect(await eventDestinations.del(made.id)).toEqual({ id: made.id, object: 'v2.core.event_destination' });
  await expect(eventDestinations.retrieve(made.id)).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    statusCode: 404,
    code: 'not_found',
  });
});

test('the first client of thin events gets nulls where the newest gets nothing', async () => {
  const { id } = await destination(['v1.customer.created']);
  expect(
    await payments.stripe.v2.core.eventDestinations.retrieve(id, { include: ['webhook_endpoint.url'] }),
  ).toMatchObject({
    amazon_eventbridge: null,
    events_from: ['self'],
    snapshot_api_version: null,
    status_details: null,
    webhook_endpoint: { signing_secret: null, url: `${receiver.url}/thin` },
  });
  const ping = await payments.stripe.v2.core.eventDestinations.ping(id);
  expect(ping).toMatchObject({
    object: 'v2.core.event',
    context: null,
    reason: null,
    created: '2025-01-15T12:00:00.000Z',
  });
});

test('a ping reaches its destination alone, is signed, and both of its objects can be fetched', async () => {
  await destination(['*'], { name: 'Another', webhook_endpoint: { url: `${receiver.url}/other` } });
  const { id, secret } = await destination(['v1.customer.created']);
  const ping = await stripe.v2.core.eventDestinations.ping(id);
  const [first, ...others] = await came(secret);
  expect(others).toEqual([]);
  expect(first.old).toMatchObject({ id: ping.id, type: 'v2.core.event_destination.ping', livemode: false });
  const { notification } = first;
  if (notification.type !== 'v2.core.event_destination.ping') throw new Error(notification.type);
  expect(await notification.fetchEvent()).toMatchObject({ id: ping.id, type: 'v2.core.event_destination.ping' });
  expect(await notification.fetchRelatedObject()).toMatchObject({ id, object: 'v2.core.event_destination' });
});

test('what happens to objects is told by names that begin with v1, with what changed', async () => {
  const { secret } = await destination(['v1.customer.created', 'v1.customer.updated', 'v1.balance.available']);
  const { id } = await stripe.customers.create({ email: 'a@example.com' });
  await stripe.customers.update(id, { email: 'b@example.com' });
  await stripe.customers.del(id);
  const told = await came(secret);
  expect(told.map(({ old }) => old.type)).toEqual(['v1.customer.created', 'v1.customer.updated']);
  const { old, notification } = told[1];
  expect(old.related_object).toEqual({ id, type: 'customer', url: `/v1/customers/${id}` });
  expect(old.reason?.request?.id).toMatch(/^req_/);
  if (notification.type !== 'v1.customer.updated') throw new Error(notification.type);
  const event = await notification.fetchEvent();
  expect(event.changes).toEqual({ before: { email: 'a@example.com' }, after: { email: 'b@example.com' } });
  expect((await stripe.events.retrieve(String(event.snapshot_event))).type).toBe('customer.updated');
  expect(await notification.fetchRelatedObject()).toMatchObject({ id, deleted: true });
});

test('a destination of snapshots gets what webhook endpoints get, in its own version', async () => {
  const { secret } = await destination(['customer.created'], {
    event_payload: 'snapshot',
    snapshot_api_version: '2026-10-28.endive',
  });
  await stripe.customers.create();
  await payments.control.flush();
  const [{ body, headers }] = receiver.received;
  const event = stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), secret);
  expect([event.object, event.type, event.api_version]).toEqual(['event', 'customer.created', '2026-10-28.endive']);
});

test('lists page by addresses, which the clients follow', async () => {
  const { id } = await destination(['v1.customer.created']);
  for (let n = 0; n < 4; n++) await stripe.v2.core.eventDestinations.ping(id);
  const { id: customer } = await stripe.customers.create();
  const ids = async (list: AsyncIterable<{ readonly id: string }>): Promise<string[]> => {
    const found: string[] = [];
    for await (const each of list) found.push(each.id);
    return found;
  };
  expect((await ids(stripe.v2.core.events.list({ limit: 2 }))).length).toBe(5);
  const pings = await ids(stripe.v2.core.events.list({ limit: 3, object_id: id }));
  expect(pings.length).toBe(4);
  expect(await ids(payments.stripe.v2.core.events.list({ limit: 3, object_id: id }))).toEqual(pings);
  expect((await stripe.v2.core.events.list({ types: ['v1.customer.created'] })).data).toMatchObject([
    { related_object: { id: customer } },
  ]);
  const later = await payments.call('GET /v2/core/events?created[gt]=2025-01-15T12:00:00Z', undefined, { 'Stripe-Version': '2026-10-28.endive' });
  expect(later.body).toEqual({ data: [], next_page_url: null, previous_page_url: null });
  for (let n = 0; n < 2; n++) await destination(['*'], { name: `More ${n}` });
  const names: string[] = [];
  for await (const each of stripe.v2.core.eventDestinations.list({ limit: 2, include: ['webhook_endpoint.url'] }))
    names.push(`${each.name} ${each.webhook_endpoint?.url ?? ''}`);
  expect(names).toEqual(['More 1', 'More 0', 'Ours'].map((name) => `${name} ${receiver.url}/thin`));
  const get = async (path: string) => (await payments.call(`GET ${path}`)).body as Record<string, string | null>;
  const second = await get(String((await get('/v2/core/event_destinations?limit=1')).next_page_url));
  const third = await get(String(second.next_page_url));
  expect(third).toMatchObject({ data: [{ name: 'Ours' }], next_page_url: null });
  expect(await get(String(third.previous_page_url))).toEqual(second);
  expect(second.previous_page_url).toBe('/v2/core/event_destinations?limit=1');
});

test('mistakes are errors of the second version, as classes of the clients', async () => {
  const refused = async (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'accepted',
      (error: unknown) => (error instanceof Error ? [error.constructor.name, Reflect.get(error, 'code')] : error),
    );
  const wrong = ['StripeInvalidRequestError', 'invalid_fields'];
  expect(await refused(destination(['customer.created']))).toEqual(wrong);
  expect(await refused(destination(['v1.customer.creatd']))).toEqual(wrong);
  expect(await refused(destination(['v1.customer.created'], { webhook_endpoint: undefined }))).toEqual(wrong);
  expect(await refused(destination(['v1.customer.created'], { type: 'amazon_eventbridge' }))).toEqual(wrong);
  expect(await refused(destination(['v1.customer.created'], { snapshot_api_version: '2026-10-28.endive' }))).toEqual(
    wrong,
  );
  const { id } = await destination(['customer.created'], { event_payload: 'snapshot' });
  expect(await refused(stripe.v2.core.eventDestinations.ping(id))).toEqual(wrong);
  expect(await refused(stripe.v2.core.events.retrieve('evt_test_none'))).toEqual([
    'StripeInvalidRequestError',
    'not_found',
  ]);
  const old = await payments.call('GET /v2/core/events', undefined, { 'Stripe-Version': '2024-12-18.acacia' });
  expect(old.body).toMatchObject({ error: { code: 'invalid_fields', param: 'object_id' } });
  const form = await payments.call('POST /v2/core/event_destinations', { name: 'x' });
  expect(form.status).toBe(400);
});

test('events of connected accounts come to destinations that listen to them, with the account as context', async () => {
  const { secret } = await destination(['v1.customer.created'], { events_from: ['@accounts'] });
  const account = (await stripe.accounts.create({ type: 'standard' })).id;
  const { id } = await stripe.customers.create({}, { stripeAccount: account });
  await stripe.customers.create();
  const [{ notification, old }, ...others] = await came(secret);
  expect(others).toEqual([]);
  expect(old.context).toBe(account);
  expect(String(notification.context)).toBe(account);
  if (notification.type !== 'v1.customer.created') throw new Error(notification.type);
  expect(await notification.fetchRelatedObject()).toMatchObject({ id });
  expect(await notification.fetchEvent()).toMatchObject({ context: account, type: 'v1.customer.created' });
});

describe('meter events of the second version', () => {
  let secret: string;
  let meter: string;
  let customer: string;
  const event = (value: string, more: Readonly<Record<string, string>> = {}) => ({
    event_name: 'tokens',
    payload: { stripe_customer_id: customer, value },
    ...more,
  });
  const used = async (): Promise<number> => {
    const start_time = payments.now - (payments.now % DAY);
    const { data } = await stripe.billing.meters.listEventSummaries(meter, {
      customer,
      start_time,
      end_time: start_time + DAY,
    });
    return data[0]?.aggregated_value ?? 0;
  };

  beforeEach(async () => {
    ({ secret } = await destination(['v1.billing.meter.error_report_triggered', 'v1.billing.meter.no_meter_found']));
    customer = (await stripe.customers.create()).id;
    const made = await stripe.billing.meters.create({
      display_name: 'Tokens',
      event_name: 'tokens',
      default_aggregation: { formula: 'sum' },
    });
    meter = made.id;
  });

  test('good ones count, and can be taken back', async () => {
    const made = await payments.stripe.v2.billing.meterEvents.create(event('25', { identifier: 'one' }));
    expect(made).toMatchObject({
      object: 'v2.billing.meter_event',
      identifier: 'one',
      timestamp: '2025-01-15T12:00:00.000Z',
    });
    await stripe.v2.billing.meterEvents.create(event('5'));
    await expect(stripe.v2.billing.meterEvents.create(event('25', { identifier: 'one' }))).rejects.toMatchObject({
      code: 'duplicate_meter_event',
    });
    expect(await used()).toBe(30);
    const taken = { event_name: 'tokens', type: 'cancel' as const, cancel: { identifier: 'one' } };
    expect(await stripe.v2.billing.meterEventAdjustments.create(taken)).toMatchObject({ status: 'complete' });
    expect(await used()).toBe(5);
    await expect(stripe.v2.billing.meterEventAdjustments.create(taken)).rejects.toMatchObject({ statusCode: 400 });
    expect(await came(secret)).toEqual([]);
  });

  test('what is wrong with one is told by a thin event about its meter', async () => {
    await stripe.v2.billing.meterEvents.create({ ...event('1', { identifier: 'lost' }), payload: { value: '1' } });
    const [{ notification }] = await came(secret);
    if (notification.type !== 'v1.billing.meter.error_report_triggered') throw new Error(notification.type);
    expect((await notification.fetchRelatedObject()).id).toBe(meter);
    const { data } = await notification.fetchEvent();
    expect(data).toEqual({
      developer_message_summary: 'There is 1 invalid event',
      reason: {
        error_count: 1,
        error_types: [
          {
            code: 'meter_event_no_customer_defined',
            error_count: 1,
            sample_errors: [
              {
                error_message: 'Customer mapping key stripe_customer_id not found in payload.',
                request: { identifier: 'lost' },
              },
            ],
          },
        ],
      },
      validation_end: '2025-01-15T12:00:00.000Z',
      validation_start: '2025-01-15T11:59:50.000Z',
    });
  });

  test('a stream takes many at once, for a quarter of an hour, and reports by meter', async () => {
    const session = await stripe.v2.billing.meterEventSession.create();
    expect(session.expires_at).toBe('2025-01-15T12:15:00.000Z');
    const body = JSON.stringify({
      events: [
        event('7'),
        { ...event('1'), event_name: 'words' },
        event('many'),
        { ...event('1'), payload: { stripe_customer_id: 'cus_nobody', value: '1' } },
        event('1', { timestamp: '2024-11-01T00:00:00Z' }),
        event('1', { timestamp: '2025-01-15T12:06:00.000Z' }),
      ],
    });
    const stream = () =>
      payments.call('POST /v2/billing/meter_event_stream', body, {
        authorization: `Bearer ${session.authentication_token}`,
        'content-type': 'application/json',
      });
    const form = await payments.call('POST /v2/billing/meter_event_stream', 'events=1');
    expect(form.body).toMatchObject({
      error: {
        message:
          'Invalid request: the content type application/x-www-form-urlencoded is not supported, send application/json',
      },
    });
    expect((await stream()).status).toBe(200);
    const told = await came(secret);
    const codes = await Promise.all(
      told.map(async ({ old }) => {
        const { data, type } = await payments.stripe.v2.core.events.retrieve(old.id);
        return [type, data.reason.error_count, data.reason.error_types.map(({ code }) => code)];
      }),
    );
    expect(codes).toEqual([
      ['v1.billing.meter.no_meter_found', 1, ['no_meter']],
      [
        'v1.billing.meter.error_report_triggered',
        4,
        [
          'meter_event_invalid_value',
          'meter_event_customer_not_found',
          'timestamp_too_far_in_past',
          'timestamp_in_future',
        ],
      ],
    ]);
    expect(await used()).toBe(7);
    await payments.control.advance('16m');
    expect((await stream()).body).toMatchObject({ error: { type: 'temporary_session_expired' } });
  });
});
