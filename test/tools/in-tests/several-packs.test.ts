import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { useSandbox } from '../../../tools/in-tests/jest.cjs';
import { call, form } from '../../support/http.js';
import { minimal } from '../../support/sample-pack.js';
import { useReceiver } from '../../support/start-sandbox.js';

/** `useSandbox({ packs })`: one world of several packs for each test. */

const receiver = useReceiver();
const sandbox = useSandbox({
  packs: ['payments', { pack: 'team-chat', name: 'chat' }, { pack: 'task-automation', name: 'tasks' }],
  t0: '2026-01-05T10:00:00Z',
});

const PAYMENT = { amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };

/** What a payment is called in the world of the running test. */
async function paid(): Promise<string> {
  const { body, status } = await call(sandbox.vendors.payments, 'POST /v1/payment_intents', form(PAYMENT));
  expect(status).toBe(200);
  return String(body['id']);
}

const ids: string[] = [];

test.each(['one', 'other'])('%s test has a world of its own, with ids that follow from its name', async () => {
  const { payments, chat } = sandbox.vendors;
  expect(new Set([sandbox.url, payments.url, chat.url]).size).toBe(3);
  expect(payments.address.port).toBe(Number(new URL(payments.url).port));
  expect((await payments.control.state()).resources['payment_intents'] ?? []).toEqual([]);
  ids.push(await paid());
  expect(new Set(ids).size).toBe(ids.length);
});

test('one advance is that of all packs, and each matcher finds what it names in any of them', async () => {
  const { payments, tasks } = sandbox.vendors;
  await payments.control.endpoint({ url: `${receiver.url}/payments` });
  const id = await paid();
  await expect(id).toBeInState('succeeded');
  await expect(sandbox).toHaveDelivered('payment_intent.succeeded', { id });
  await expect(sandbox).toHaveDelivered('payments/payment_intent.succeeded', { id });
  await expect(payments).toHaveDelivered('payment_intent.succeeded');
  await expect(expect(sandbox).toHaveDelivered('payments/invoice.paid')).rejects.toThrow('expected delivery of');
  await sandbox.control.advance('40d');
  const times = await Promise.all(
    [payments, tasks].map(async ({ control }) => (await control.call('GET', '/clock')).now),
  );
  expect(times.map((now) => (typeof now === 'number' ? now * 1000 : Date.parse(String(now))))).toEqual([
    Date.parse('2026-02-14T10:00:00Z'),
    Date.parse('2026-02-14T10:00:00Z'),
  ]);
});

test('an external event names its pack, and the last call that failed is found in any', async () => {
  const { payments } = sandbox.vendors;
  await paid();
  await sandbox.control.event('payments/balance.funds_available');
  expect(await sandbox.explanation()).toBe('');
  await call(payments, 'POST /v1/payment_intents', form({ ...PAYMENT, amount: 'x' }));
  expect(await sandbox.explanation()).toContain('POST /v1/payment_intents -> 400');
});

test('what became of a pack of the world is judged, and a failure says what did change', async () => {
  const { payments } = sandbox.vendors;
  const id = await paid();
  await payments.control.saveMoment('paid');
  await call(payments, `POST /v1/payment_intents/${id}`, form({ description: 'bread' }));
  const described = { changed: { payment_intents: { id }, to: { description: 'bread' } }, unchanged: true } as const;
  await expect(payments).toHaveChanged({ since: 'paid', ...described });
  await expect(payments).toHaveChanged({ added: [{ payment_intents: { id } }, { charges: { amount: { lte: 500 } } }] });
  await expect(payments).not.toHaveChanged(described);
  const failing = async (...[wanted]: Parameters<ReturnType<typeof expectPayments>['toHaveChanged']>) =>
    String(
      await expectPayments()
        .toHaveChanged(wanted)
        .catch((error: unknown) => error),
    );
  expect(await failing({ since: 'paid', added: { refunds: {} } })).toMatch(
    new RegExp(
      `added {"refunds":{}}: 0 added\nwhat changed:\n  changed payment_intents ${id}: description null -> "bread"`,
    ),
  );
  expect(await failing({ since: 'now', added: { refunds: {} } })).toContain('nothing changed');
  expect(await failing({ added: { refunds: { amount: expect.any(Number) } } })).toContain('no matchers');
  expect(await failing({ since: 'piad' })).toContain('paid');
  // @ts-expect-error: a collection that the pack has not
  expect(await failing({ added: { refund: {} } })).toContain('refunds');
  await sandbox.vendors.tasks.control.seed({ resources: { agents: [{ id: 'agt_0000000000000001', name: 'first' }] } });
  const both = { 'payments/payment_intents': { id } };
  await expect(sandbox).toHaveChanged({ added: [both, { 'tasks/agents': {}, count: 1 }] });
  await expect(sandbox).not.toHaveChanged({ added: both, unchanged: true });
  // @ts-expect-error: a collection of no pack
  const nameless = expect(sandbox).toHaveChanged({ added: { charges: {} } });
  await expect(nameless).rejects.toThrow('begin with payments/ or');

  function expectPayments() {
    return expect(payments);
  }
});
test('a delivery that the receiver rejects is told with its response', async () => {
  const { payments } = sandbox.vendors;
  const strict = createServer((req, res) => req.resume().on('end', () => res.writeHead(400).end('no signature')));
  await new Promise<void>((resolve) => strict.listen(0, resolve));
  await payments.control.endpoint({ url: `http://localhost:${(strict.address() as AddressInfo).port}/hook` });
  await paid();
  await expect(expect(payments).toHaveDelivered('payment_intent.succeeded')).rejects.toThrow(
    'of payment_intent.succeeded: pending: the receiver returned 400 no signature',
  );
  strict.close();
});

describe('where a server runs that lacks the pack', () => {
  const before = { ...process.env };
  let running: Sandbox | undefined;
  beforeAll(async () => {
    running = await createSandbox({ pack: minimal.write(minimal.files) });
    Object.assign(process.env, { SANDBOX_URL: running.url, SANDBOX_KEY: running.key });
  });
  afterAll(async () => {
    process.env = before;
    await running?.close();
  });
  const own = useSandbox({ pack: 'mail' });
  const spelled = useSandbox({ pack: 'payments', vars: { vendor: 'stripe' } });

  test('the test file serves it, with variables of its own', async () => {
    expect(await own.control.call('GET', '/')).toMatchObject({ pack: { name: 'mail' } });
    const { headers } = await call(spelled, 'GET /v1/customers');
    expect(headers.get('stripe-version')).toBe('2024-12-18.acacia');
  });
});
