import { type Bug, PackCache, replayBug } from '../../../engine/index.js';
import { call, form, type Served } from '../../support/http.js';
import { type TestSandbox, useSandboxes } from '../../support/start-sandbox.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const T0 = '2026-01-05T10:00:00Z';
const { serve, keep } = useSandboxes({ t0: T0, seed: 'pace', key: 'sk_test_pace' });

/** A sandbox with a monthly subscription, and an application that makes a customer for each paid invoice. */
async function shop(acts: 'before' | 'after' = 'before'): Promise<TestSandbox> {
  const sandbox = await serve();
  const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>> =>
    sandbox.body(`POST ${path}`, form(fields));
  const receiver = await WebhookReceiver.start();
  keep({ close: () => receiver.stop() });
  receiver.reply = (response, { body }) => {
    const { data } = JSON.parse(body) as { data: { object: { id: string } } };
    const act = (): Promise<unknown> => post('/v1/customers', { name: data.object.id });
    if (acts === 'before') void act().then(() => response.end());
    else response.end(() => void act());
  };
  await sandbox.control.endpoint({ url: receiver.url, events: ['invoice.paid'] });
  const customer = await post('/v1/customers', {
    payment_method: 'pm_card_visa',
    'invoice_settings[default_payment_method]': 'pm_card_visa',
  });
  await post('/v1/subscriptions', {
    customer: String(customer['id']),
    'items[0][price_data][currency]': 'usd',
    'items[0][price_data][product]': String((await post('/v1/products', { name: 'Seat' }))['id']),
    'items[0][price_data][unit_amount]': '1900',
    'items[0][price_data][recurring][interval]': 'month',
  });
  await sandbox.control.flush();
  return sandbox;
}

/** The days on which the application made customers. */
async function dated(sandbox: Served): Promise<string[]> {
  const { body } = await call<{ readonly data: readonly { readonly name: string | null; readonly created: number }[] }>(
    sandbox,
    'GET /v1/customers?limit=100',
  );
  const { data } = body;
  const made = data.filter(({ name }) => name?.startsWith('in_'));
  return made.map(({ created }) => new Date(created * 1000).toISOString().slice(0, 10)).sort();
}

const MONTHS = ['2026-01-05', '2026-02-05', '2026-03-05', '2026-04-05'];

test('with pace an application acts on the days of what it is notified of', async () => {
  const sandbox = await shop();
  await sandbox.control.advance({ duration: '100d', pace: true });
  expect(await dated(sandbox)).toEqual(MONTHS);
  expect(await sandbox.control.call('GET', '/clock')).toMatchObject({ now: Date.parse(T0) / 1000 + 100 * 86_400 });
});

test('with a quiet time it is waited for an application that acts after it has responded', async () => {
  const sandbox = await shop('after');
  await sandbox.control.advance({ duration: '100d', pace: { quiet: '80ms' } });
  expect(await dated(sandbox)).toEqual(MONTHS);
});

test('a paced advance stops at its event when that was responded to, and goes on from there', async () => {
  const sandbox = await shop();
  await sandbox.control.advance({ until: { event: 'invoice.paid' }, pace: true });
  expect(await dated(sandbox)).toEqual(MONTHS.slice(0, 2));
  await sandbox.control.advance({ to: '2026-04-30T00:00:00Z', pace: true });
  expect(await dated(sandbox)).toEqual(MONTHS);
});

test('what happened on the way is replayed to the same bytes', async () => {
  const sandbox = await shop();
  await sandbox.control.advance({ duration: '100d', pace: true });
  const bug = (await sandbox.control.export()) as unknown as Bug;
  const { sandbox: again, unlike } = await replayBug(bug, {
    pack: 'packs/payments',
    cache: PackCache.ofInstallation(),
  });
  keep(again);
  expect(unlike).toBeNull();
  expect(await dated(again)).toEqual(MONTHS);
});

test.each([
  [{ duration: '1d', pace: { quiet: '31s' } }, 'at most 30s'],
  [{ duration: '1d', pace: 'yes' }, 'pace'],
  [{ duration: '1d', pace: { quite: '1s' } }, 'quite'],
])('a pace that means nothing is rejected: %j', async (body, message) => {
  const sandbox = await shop();
  const { status, text } = await sandbox.admin('POST /clock/advance', body);
  expect([status, text]).toEqual([400, expect.stringContaining(message)]);
});
