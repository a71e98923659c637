import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bug, createSandbox, replayBug, type Sandbox } from '../../../engine/index.js';
import { call, form } from '../../support/http.js';

const T0 = '2026-01-05T10:00:00Z';
const running: Sandbox[] = [];
const servers: Server[] = [];

afterAll(async () => {
  for (const each of servers) each.close().closeAllConnections();
  await Promise.all(running.map((each) => each.close()));
});

/** A sandbox with a monthly subscription, and an application that makes a customer for each paid invoice. */
async function shop(acts: 'before' | 'after' = 'before'): Promise<{ readonly sandbox: Sandbox }> {
  const sandbox = await createSandbox({ pack: 'packs/payments', t0: T0, seed: 'pace', key: 'sk_test_pace' });
  running.push(sandbox);
  const post = async (path: string, fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>> =>
    (await call(sandbox, `POST ${path}`, form(fields))).body;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { object: { id: string } } };
      const act = (): Promise<unknown> => post('/v1/customers', { name: data.object.id });
      if (acts === 'before') void act().then(() => response.end());
      else response.end(() => void act());
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await sandbox.control.endpoint({ url, events: ['invoice.paid'] });
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
  return { sandbox };
}

/** The days on which the application made customers. */
async function dated(sandbox: Sandbox): Promise<string[]> {
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
  const { sandbox } = await shop();
  await sandbox.control.advance({ duration: '100d', pace: true });
  expect(await dated(sandbox)).toEqual(MONTHS);
  expect(await sandbox.control.call('GET', '/clock')).toMatchObject({ now: Date.parse(T0) / 1000 + 100 * 86_400 });
});

test('with a quiet time it is waited for an application that acts after it has responded', async () => {
  const { sandbox } = await shop('after');
  await sandbox.control.advance({ duration: '100d', pace: { quiet: '80ms' } });
  expect(await dated(sandbox)).toEqual(MONTHS);
});

test('a paced advance stops at its event, and goes on from there', async () => {
  const { sandbox } = await shop();
  await sandbox.control.advance({ until: { event: 'invoice.paid' }, pace: true });
  await sandbox.control.flush();
  expect(await dated(sandbox)).toEqual(MONTHS.slice(0, 2));
  await sandbox.control.advance({ to: '2026-04-30T00:00:00Z', pace: true });
  expect(await dated(sandbox)).toEqual(MONTHS);
});

test('what happened on the way is replayed to the same bytes', async () => {
  const { sandbox } = await shop();
  await sandbox.control.advance({ duration: '100d', pace: true });
  const bug = (await sandbox.control.export()) as unknown as Bug;
  const { sandbox: again, unlike } = await replayBug(bug, { pack: 'packs/payments' });
  running.push(again);
  expect(unlike).toBeNull();
  expect(await dated(again)).toEqual(MONTHS);
});

test.each([
  [{ duration: '1d', pace: { quiet: '31s' } }, 'at most 30s'],
  [{ duration: '1d', pace: 'yes' }, 'pace'],
  [{ duration: '1d', pace: { quite: '1s' } }, 'quite'],
])('a pace that means nothing is rejected: %j', async (body, message) => {
  const { sandbox } = await shop();
  const { status, text } = await call(sandbox, 'POST /__admin__/clock/advance', body);
  expect([status, text]).toEqual([400, expect.stringContaining(message)]);
});
