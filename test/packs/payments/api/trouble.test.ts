import Stripe from 'stripe';
import { PackCache, replayBug } from '../../../../engine/index.js';
import { startSandbox } from '../../../support/start-sandbox.js';

const options = { t0: '2025-01-01T00:00:00Z', seed: 'trouble', vars: { vendor: 'stripe' }, reset: {} };
const sandbox = startSandbox('packs/payments', options);
const { receiver } = sandbox;
let secret: string;

/** The vendor's client, which repeats so often what failed. */
function client(maxNetworkRetries = 0, httpClient?: Stripe.HttpClient): Stripe {
  const { hostname, port } = new URL(sandbox.url);
  const at = { host: hostname, port: Number(port), protocol: 'http' } as const;
  return new Stripe(sandbox.key, { ...at, maxNetworkRetries, httpClient });
}

beforeEach(async () => {
  secret = String((await sandbox.control.endpoint({ url: receiver.url }))['secret']);
});

const PAYMENT = { amount: 500, currency: 'usd', payment_method: 'pm_card_visa', confirm: true } as const;
const RETURN = { automatic_payment_methods: { enabled: true, allow_redirects: 'never' } } as const;
const pay = (stripe = client()): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create({ ...PAYMENT, ...RETURN });

describe('faults of calls', () => {
  test('Retry-After reaches the vendor’s client; its repeated call succeeds', async () => {
    const order = { resource: 'payment_intents', operation: 'create', headers: { 'Retry-After': 2 }, count: 1 };
    expect(await sandbox.control.fault({ ...order, status: 429 })).toMatchObject({ headers: { 'Retry-After': '2' } });
    await expect(pay()).rejects.toMatchObject({ statusCode: 429, headers: { 'retry-after': '2' } });
    await sandbox.control.fault({ ...order, status: 503 });
    expect((await pay(client(1))).status).toBe('succeeded');
  });

  test('the client gets a raw body that is no JSON', async () => {
    const order = { resource: 'customers', operation: 'list', status: 502, body: '<html>Bad gateway</html>' };
    await sandbox.control.fault({ ...order, headers: { 'content-type': 'text/html' }, count: 1 });
    await expect(client().customers.list()).rejects.toThrow(/Invalid JSON/);
    expect((await client().customers.list()).data).toEqual([]);
  });

  test('a body that breaks off: the call took effect, and the repeated call gets the kept answer', async () => {
    const order = { resource: 'payment_intents', operation: 'create', truncate_at: 40, count: 1 };
    expect(await sandbox.control.fault(order)).toMatchObject({ kind: 'response', truncate_at: 40 });
    // The client's way over node:http waits for ever when a body breaks off.
    const stripe = client(0, Stripe.createFetchHttpClient());
    const key = { idempotencyKey: 'once' };
    await expect(stripe.paymentIntents.create({ ...PAYMENT, ...RETURN }, key)).rejects.toThrow();
    const { id, status } = await stripe.paymentIntents.create({ ...PAYMENT, ...RETURN }, key);
    expect(status).toBe('succeeded');
    expect((await client().paymentIntents.list()).data.map((each) => each.id)).toEqual([id]);
  });

  test('another status and malformed JSON after the call took effect', async () => {
    await sandbox.control.fault({ resource: 'customers', operation: 'create', body: '{"id": "cus', count: 1 });
    await expect(client().customers.create()).rejects.toThrow(/Invalid JSON/);
    await sandbox.control.fault({
      ...{ resource: 'customers', operation: 'create', kind: 'response', status: 504, count: 1 },
      body: '',
    });
    await expect(client().customers.create()).rejects.toThrow();
    expect((await client().customers.list()).data).toHaveLength(2);
  });

  test('a body that drips is slow, and whole', async () => {
    await client().customers.create({ name: 'Jenny' });
    await sandbox.control.fault({ resource: 'customers', operation: 'list', drip_ms: 600, count: 1 });
    const before: string[] = [];
    setTimeout(() => before.push('shorter timer'), 500);
    expect((await client().customers.list()).data).toMatchObject([{ name: 'Jenny' }]);
    expect(before).toEqual(['shorter timer']);
  });

  test('`after` lets calls pass first, `seen` counts them', async () => {
    await sandbox.control.fault({ resource: 'customers', operation: 'create', status: 500, after: 2, count: 1 });
    const created = async (): Promise<boolean> =>
      client()
        .customers.create()
        .then(
          () => true,
          () => false,
        );
    expect([await created(), await created()]).toEqual([true, true]);
    expect(await sandbox.control.call('GET', '/faults')).toMatchObject({ data: [{ after: 2, seen: 2, remaining: 1 }] });
    expect([await created(), await created()]).toEqual([false, true]);
  });

  test('a chance is drawn from the world’s seed: the same calls fail again after a reset', async () => {
    const play = async (): Promise<boolean[]> => {
      await sandbox.control.reset();
      await sandbox.control.fault({ resource: 'customers', operation: 'list', status: 503, probability: 0.5 });
      const struck: boolean[] = [];
      for (let call = 0; call < 24; call++)
        struck.push(
          await client()
            .customers.list()
            .then(
              () => false,
              () => true,
            ),
        );
      return struck;
    };
    const first = await play();
    expect(first.filter(Boolean).length).toBeGreaterThan(5);
    expect(first.filter(Boolean).length).toBeLessThan(19);
    expect(await play()).toEqual(first);
  });

  test.each([
    [{ status: 200 }, 'status'],
    [{ kind: 'delay', delay_ms: 5, body: 'x' }, 'body'],
    [{ status: 500, headers: { 'Content-Length': 3 } }, 'headers.Content-Length'],
    [{ status: 500, headers: { 'X-A': 'a\nb' } }, 'headers.X-A'],
    [{ status: 500, probability: 2 }, 'probability'],
    [{ kind: 'response' }, 'body'],
  ])('%j is refused', async (body, path) => {
    const refused = sandbox.control.call('POST', '/faults', { resource: 'customers', operation: 'list', ...body });
    await expect(refused).rejects.toMatchObject({ status: 400, body: { error: { path } } });
  });
});

describe('faults of deliveries', () => {
  /** Names of the events that arrived, in order; each is signed. */
  const arrived = async (): Promise<string[]> => {
    await sandbox.control.flush();
    return receiver.received.map(({ body, headers }) => {
      const event = client().webhooks.constructEvent(body, String(headers['stripe-signature']), secret);
      return event.type;
    });
  };
  const ALL = ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', 'charge.updated'];

  test('one arrives twice, as the same event', async () => {
    const fault = await sandbox.control.deliveryFault({ kind: 'duplicate', event: 'charge.succeeded', count: 1 });
    await pay();
    expect(await arrived()).toEqual([ALL[0], ALL[1], ALL[1], ALL[2], ALL[3]]);
    const [, first, second] = receiver.received.map(({ body }) => body);
    expect(first).toBe(second);
    expect(await sandbox.control.call('GET', '/webhooks/deliveries')).toMatchObject({
      data: [{}, {}, { fault: fault['id'] }, { fault: fault['id'] }, {}],
    });
    expect(await sandbox.control.call('GET', '/webhooks/faults')).toEqual({ data: [] });
  });

  test('one is overtaken by the next, and by as many as were ordered', async () => {
    await sandbox.control.deliveryFault({ kind: 'reorder', event: 'payment_intent.created', count: 1 });
    await pay();
    expect(await arrived()).toEqual([ALL[1], ALL[0], ALL[2], ALL[3]]);
    receiver.received.length = 0;
    await sandbox.control.deliveryFault({ kind: 'reorder', event: 'payment_intent.created', times: 3, count: 1 });
    await pay();
    expect(await arrived()).toEqual([ALL[1], ALL[2], ALL[3], ALL[0]]);
  });

  test('the last of all is held back until a flush or a move of the clock', async () => {
    await sandbox.control.deliveryFault({ kind: 'reorder', event: 'charge.updated' });
    await pay();
    await sandbox.control.advance('1s');
    expect(await arrived()).toEqual(ALL);
  });

  test('one never comes, and is not tried again; it can be sent after all', async () => {
    await sandbox.control.deliveryFault({ kind: 'drop', event: 'payment_intent.succeeded', count: 1 });
    await pay();
    await sandbox.control.advance('10d');
    expect((await arrived()).filter((type) => ALL.includes(type))).toEqual([ALL[0], ALL[1], ALL[3]]);
    const { data } = await sandbox.control.call('GET', '/webhooks/deliveries');
    const lost = (data as { id: string; status: string; attempts: unknown[] }[]).filter(
      ({ status }) => status === 'failed',
    );
    expect(lost).toMatchObject([{ attempts: [] }]);
    await sandbox.control.call('POST', `/webhooks/deliveries/${lost[0].id}/replay`, {});
    expect((await arrived()).at(-1)).toBe(ALL[2]);
  });

  test('one comes late, by the world’s clock', async () => {
    await sandbox.control.deliveryFault({ kind: 'delay', event: 'charge.succeeded', delay: '2h', count: 1 });
    await pay();
    expect(await arrived()).toEqual([ALL[0], ALL[2], ALL[3]]);
    await sandbox.control.advance('119m');
    expect(receiver.received).toHaveLength(3);
    await sandbox.control.advance('1m');
    expect(await arrived()).toEqual([ALL[0], ALL[2], ALL[3], ALL[1]]);
  });

  test('a rewind brings back what was late, and what the fault had left', async () => {
    await sandbox.control.deliveryFault({ kind: 'delay', event: 'charge.succeeded', delay: '2h', count: 2 });
    await pay();
    await sandbox.control.flush();
    await sandbox.control.saveMoment('waiting');
    await sandbox.control.advance('3h');
    await sandbox.control.rewind('waiting');
    expect(await sandbox.control.call('GET', '/webhooks/faults')).toMatchObject({ data: [{ remaining: 1 }] });
    receiver.received.length = 0;
    await sandbox.control.advance('3h');
    expect(await arrived()).toEqual(['charge.succeeded']);
  });

  test('the same calls are struck again on the same seed, in the ledger too', async () => {
    const play = async (): Promise<unknown> => {
      await sandbox.control.reset();
      await sandbox.control.endpoint({ url: receiver.url });
      receiver.received.length = 0;
      await sandbox.control.deliveryFault({ kind: 'drop', probability: 0.5, after: 1 });
      for (let times = 0; times < 3; times++) await pay();
      return [await arrived(), await sandbox.control.call('GET', '/webhooks/faults'), await sandbox.control.state()];
    };
    const first = await play();
    expect((first as string[][])[0].length).toBeLessThan(12);
    expect(await play()).toEqual(first);
  });

  test.each([
    [{ kind: 'explode' }, 'kind'],
    [{ kind: 'delay' }, 'delay'],
    [{ kind: 'drop', delay: '1h' }, 'delay'],
    [{ kind: 'delay', delay: '1h', times: 2 }, 'times'],
    [{ kind: 'drop', count: 0 }, 'count'],
    [{ kind: 'drop', event: 'charge.succeded' }, 'event', 404],
  ])('%j is refused', async (body, path, status = 400) => {
    const refused = sandbox.control.call('POST', '/webhooks/faults', body);
    await expect(refused).rejects.toMatchObject({ status, body: { error: { path } } });
  });

  test('a world with faults is done again from its file, byte for byte', async () => {
    await sandbox.control.deliveryFault({ kind: 'duplicate', event: 'charge.*', probability: 0.5 });
    await sandbox.control.fault({ resource: 'customers', operation: 'list', status: 503, after: 1, probability: 0.5 });
    for (let times = 0; times < 4; times++) {
      await pay();
      await client()
        .customers.list()
        .catch(() => undefined);
    }
    await sandbox.control.flush();
    const bug = (await sandbox.control.export()) as unknown as Parameters<typeof replayBug>[0];
    const { sandbox: again, unlike } = await replayBug(bug, {
      pack: 'packs/payments',
      cache: PackCache.ofInstallation(),
      onDefect: () => undefined,
    });
    await again.close(0);
    expect(unlike).toBeNull();
  });
});
