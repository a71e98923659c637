import Stripe from 'stripe';
import { type Received, WebhookReceiver } from '../../../support/webhook-receiver.js';
import { servePayments, type Payments } from '../served-payments.js';

let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});

afterEach(() => receiver.stop());

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as Stripe.Event);
const types = () => bodies().map(({ type }) => type);

function header({ headers }: Received, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly event: { readonly id: string; readonly type: string };
  readonly attempts: readonly { readonly status: number | null }[];
}

async function deliveries(payments: Payments): Promise<Delivery[]> {
  const { data } = (await payments.control.call('GET', '/webhooks/deliveries')) as unknown as { data: Delivery[] };
  return data;
}

async function register(
  payments: Payments,
  events: readonly string[] = ['*'],
  path = '',
): Promise<{ id: string; secret: string }> {
  return (await payments.control.endpoint({ url: `${receiver.url}${path}`, events })) as unknown as {
    id: string;
    secret: string;
  };
}

describe('in neutral words', () => {
  const payments = servePayments();

  it('the client verifies what arrives, byte for byte', async () => {
    const { secret } = await register(payments);
    const customer = await payments.stripe.customers.create({ name: 'Zoë 漢字' });
    await payments.control.flush();
    const [received] = receiver.received;
    const signature = header(received, 'vendor-signature');
    expect(signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    const event = payments.stripe.webhooks.constructEvent(received.body, signature, secret);
    expect(event).toMatchObject({ type: 'customer.created', data: { object: { id: customer.id, name: 'Zoë 漢字' } } });
    expect(received.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    payments.recorder.check('delivery', event);
  });

  it('another body, another secret and an old signature do not verify', async () => {
    const { secret } = await register(payments);
    await payments.stripe.customers.create();
    await payments.control.flush();
    const [received] = receiver.received;
    const signature = header(received, 'vendor-signature');
    const verify = (body: string, key: string, tolerance?: number) => () =>
      payments.stripe.webhooks.constructEvent(body, signature, key, tolerance);
    expect(verify(received.body, secret)).not.toThrow();
    expect(verify(`${received.body} `, secret)).toThrow(Stripe.errors.StripeSignatureVerificationError);
    expect(verify(received.body, 'whsec_other')).toThrow(Stripe.errors.StripeSignatureVerificationError);
    const t = Number(/t=(\d+)/.exec(signature)?.[1]);
    expect(Math.abs(Date.now() / 1000 - t)).toBeLessThan(60);
  });

  it('what arrives is what the events list shows', async () => {
    await register(payments);
    await payments.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    await payments.control.flush();
    const listed = await payments.events();
    expect(types()).toEqual(listed.map(({ type }) => type));
    expect(bodies().map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    expect(bodies().map(({ data }) => data)).toEqual(listed.map(({ data }) => data));
    for (const body of bodies()) payments.recorder.check(`delivery of ${body.type}`, body);
  });

  it("an endpoint of the vendor's own API gets the events it asked for", async () => {
    const endpoint = await payments.stripe.webhookEndpoints.create({
      url: receiver.url,
      enabled_events: ['customer.created', 'customer.deleted'],
    });
    expect(endpoint).toMatchObject({
      object: 'webhook_endpoint',
      status: 'enabled',
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{32}$/) as unknown,
    });
    expect(await payments.stripe.webhookEndpoints.retrieve(endpoint.id)).not.toHaveProperty('secret');
    const { id } = await payments.stripe.customers.create();
    await payments.stripe.customers.update(id, { name: 'x' });
    await payments.stripe.customers.del(id);
    await payments.control.flush();
    expect(types()).toEqual(['customer.created', 'customer.deleted']);
    const [received] = receiver.received;
    const secret = endpoint.secret ?? '';
    expect(
      payments.stripe.webhooks.constructEvent(received.body, header(received, 'stripe-signature'), secret).id,
    ).toMatch(/^evt_/);
  });

  it('both planes see the same endpoints', async () => {
    const made = await register(payments);
    await payments.stripe.webhookEndpoints.create({ url: `${receiver.url}/own`, enabled_events: ['*'] });
    const urls = (await payments.stripe.webhookEndpoints.list()).data.map(({ url }) => url);
    expect(urls).toEqual([`${receiver.url}/own`, receiver.url]);
    await payments.control.call('DELETE', `/webhooks/endpoints/${made.id}`);
    expect((await payments.stripe.webhookEndpoints.list()).data).toHaveLength(1);
  });

  it('a disabled endpoint gets nothing', async () => {
    const { id } = await payments.stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] });
    expect((await payments.stripe.webhookEndpoints.update(id, { disabled: true })).status).toBe('disabled');
    await payments.stripe.customers.create();
    await payments.control.flush();
    expect(receiver.received).toEqual([]);
    await payments.stripe.webhookEndpoints.update(id, { disabled: false });
    await payments.stripe.customers.create();
    await payments.control.flush();
    expect(types()).toEqual(['customer.created']);
  });

  it('a deleted endpoint gets nothing, and leaves a tombstone', async () => {
    const { id } = await payments.stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] });
    expect(await payments.stripe.webhookEndpoints.del(id)).toMatchObject({
      id,
      object: 'webhook_endpoint',
      deleted: true,
    });
    await payments.stripe.customers.create();
    await payments.control.flush();
    expect(receiver.received).toEqual([]);
  });

  it('pending_webhooks counts the endpoints that have not received it', async () => {
    await register(payments, ['*'], '/one');
    await register(payments, ['*'], '/two');
    await register(payments, ['charge.*'], '/three');
    await payments.stripe.customers.create();
    await payments.control.flush();
    expect(bodies()[0].pending_webhooks).toBe(2);
    const { data } = await payments.stripe.events.list();
    expect(data[0].pending_webhooks).toBe(0);
  });

  it('a failed delivery is tried again when the clock gets there, with a signature of its own', async () => {
    const { secret } = await register(payments);
    receiver.reply = (response) => {
      response.statusCode = 500;
      response.end('no');
    };
    await payments.stripe.customers.create();
    await payments.control.flush();
    expect(receiver.received).toHaveLength(1);
    const [event] = await payments.events();
    expect(event.pending_webhooks).toBe(1);
    receiver.reply = (response) => response.end('ok');
    await payments.control.advance('3d');
    await payments.control.flush();
    expect(receiver.received).toHaveLength(2);
    const [first, second] = receiver.received;
    expect(second.body).toBe(first.body);
    expect(payments.stripe.webhooks.constructEvent(second.body, header(second, 'vendor-signature'), secret).id).toBe(
      event.id,
    );
    const [delivery] = await deliveries(payments);
    expect(delivery.attempts.map(({ status }) => status)).toEqual([500, 200]);
    expect((await payments.stripe.events.retrieve(event.id)).pending_webhooks).toBe(0);
  });

  it('gives up after the last wait', async () => {
    await register(payments);
    receiver.reply = (response) => {
      response.statusCode = 503;
      response.end();
    };
    await payments.stripe.customers.create();
    await payments.control.advance('30d');
    await payments.control.flush();
    const attempts = receiver.received.length;
    expect(attempts).toBeGreaterThan(3);
    await payments.control.advance('30d');
    await payments.control.flush();
    expect(receiver.received).toHaveLength(attempts);
  });

  it('a redirect is a failure', async () => {
    await register(payments);
    receiver.reply = (response) => {
      response.writeHead(302, { Location: `${receiver.url}/elsewhere` });
      response.end();
    };
    await payments.stripe.customers.create();
    await payments.control.flush();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
    expect((await deliveries(payments))[0].status).not.toBe('delivered');
  });

  it('a delivery can be replayed', async () => {
    await register(payments);
    await payments.stripe.customers.create();
    await payments.control.flush();
    const [delivery] = await deliveries(payments);
    await payments.control.call('POST', `/webhooks/deliveries/${delivery.id}/replay`, {});
    await payments.control.flush();
    expect(receiver.received.map(({ body }) => body)).toEqual([receiver.received[0].body, receiver.received[0].body]);
  });

  it('deliveries keep the order of many events', async () => {
    await register(payments, ['customer.created']);
    const made: string[] = [];
    for (let i = 0; i < 30; i++) made.push((await payments.stripe.customers.create()).id);
    await payments.control.flush();
    expect(bodies().map(({ data }) => (data.object as Stripe.Customer).id)).toEqual(made);
  });

  it('the secret depends on the seed and the address: the same after a reset', async () => {
    const first = await register(payments);
    await payments.control.reset();
    expect((await register(payments)).secret).toBe(first.secret);
    expect((await register(payments, ['*'], '/other')).secret).not.toBe(first.secret);
  });

  it('an endpoint kept over a reset still receives', async () => {
    await register(payments);
    await payments.control.reset({ keep: ['endpoints'] });
    await payments.stripe.customers.create();
    await payments.control.flush();
    expect(types()).toEqual(['customer.created']);
  });
});

describe("in the vendor's own words", () => {
  const payments = servePayments({ vars: { vendor: 'stripe', Vendor: 'Stripe' } });

  it("the client's own header and spelling", async () => {
    const { secret } = await register(payments);
    const intent = await payments.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      confirm: true,
      payment_method_types: ['card'],
      payment_method: 'pm_card_threeDSecure2Required',
    });
    expect(intent.next_action?.type).toBe('use_stripe_sdk');
    await payments.control.flush();
    const last = receiver.received[receiver.received.length - 1];
    expect(payments.stripe.webhooks.constructEvent(last.body, header(last, 'stripe-signature'), secret)).toMatchObject({
      type: 'payment_intent.requires_action',
    });
    const { headers } = await payments.get('/v1/balance');
    expect(headers.get('stripe-version')).toBe('2024-12-18.acacia');
  });
});
