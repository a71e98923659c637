import type { Browser, Page } from 'playwright-core';
import Stripe from 'stripe';
import { createSandbox } from '../../../../engine/index.js';
import { describeInBrowser, openBrowser, openInspector, type Watched } from '../../../support/inspector.js';
import { form, type Body } from '../../../support/http.js';
import { startSandbox } from '../../../support/start-sandbox.js';

/** The lines that the inspector gives to repeat a call are run, and the call is made again. */

describeInBrowser('lines to repeat a call', () => {
  const sandbox = startSandbox('packs/payments', { t0: '2025-01-01T00:00:00Z' });
  let browser: Browser;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    watched = await openInspector(browser, sandbox);
    ({ page } = watched);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    expect(watched.complaints).toEqual([]);
  });

  const call = (method: string, path: string, body?: string, headers = {}): Promise<Body> =>
    sandbox.body(`${method} ${path}`, body && form(body), headers);

  /** Opens the explanation of the newest call. */
  async function explain(path: string): Promise<void> {
    const { data } = (await sandbox.control.call('GET', '/traces?limit=1')) as { data: { id: string }[] };
    await page.evaluate(`location.hash = '#/timeline/${data[0].id}'`);
    await page.getByRole('heading', { name: path }).waitFor();
  }

  /** The line of the newest call, as the client's button shows it. */
  async function line(path: string): Promise<string> {
    await explain(path);
    await page.getByRole('button', { name: 'stripe', exact: true }).click();
    return page.getByLabel('Code').innerText();
  }

  /** Runs the code as a module that has imported the client. */
  async function run(code: string): Promise<Record<string, unknown>> {
    const body = code.replace(/^import .*$/m, '').replace('await ', 'return ');
    const made: unknown = Reflect.construct(Function, ['Stripe', 'process', body]);
    if (typeof made !== 'function') throw new Error('no function');
    const call: unknown = Reflect.apply(made, undefined, [Stripe, { env: { KEY: sandbox.key } }]);
    return (await call) as Record<string, unknown>;
  }

  test('nested parameters, lists and numbers', async () => {
    const first = await call(
      'POST',
      '/v1/payment_intents',
      'amount=2000&currency=usd&metadata[order]=12&metadata[who]=O%27Hara&automatic_payment_methods[enabled]=true&expand[]=customer',
    );
    const code = await line('/v1/payment_intents');
    expect(code).toContain('await stripe.paymentIntents.create({');
    expect(code).toContain('amount: 2000,');
    expect(code).toContain("metadata: { order: '12', who: 'O\\'Hara' }");
    expect(code).toContain('enabled: true');
    expect(code).toContain("expand: ['customer']");
    expect(code).not.toContain(sandbox.key);
    const second = await run(code);
    expect({ ...second, id: first['id'], client_secret: first['client_secret'] }).toMatchObject({
      object: 'payment_intent',
      amount: first['amount'],
      metadata: first['metadata'],
      automatic_payment_methods: first['automatic_payment_methods'],
    });
  });

  test('ids of the path come first, options last; a namespace inside a namespace', async () => {
    const { id } = await call('POST', '/v1/customers', 'name=Ann');
    await call('POST', `/v1/customers/${String(id)}`, 'name=Ben', { 'Idempotency-Key': 'twice' });
    const code = await line(`/v1/customers/${String(id)}`);
    expect(code).toContain(
      `await stripe.customers.update('${String(id)}', { name: 'Ben' }, { idempotencyKey: 'twice' });`,
    );
    expect(await run(code)).toMatchObject({ id, name: 'Ben' });
    await call('GET', '/v1/checkout/sessions?limit=3');
    expect(await line('/v1/checkout/sessions')).toContain('await stripe.checkout.sessions.list({ limit: 3 });');
  });

  test('a call that the client has no function for has no such line', async () => {
    await call('GET', '/v1/charges/ch_none/refunds');
    await explain('/v1/charges/ch_none/refunds');
    await page.getByRole('button', { name: 'JavaScript', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'stripe', exact: true }).count()).toBe(0);
  });

  test('a call as a test, which passes, and as a task', async () => {
    await call('POST', '/v1/customers', 'name=Ann&surprise=1');
    await explain('/v1/customers');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const code = await page.getByLabel('Code').innerText();
    expect(code).toContain('expect(response.status).toBe(400);');
    expect(code).not.toContain(sandbox.key);
    const body = code.replace(/^import .*$/gm, '').replace("test('", "return test('");
    const made: unknown = Reflect.construct(Function, ['createSandbox', 'expect', 'test', body]);
    if (typeof made !== 'function') throw new Error('no function');
    await Reflect.apply(made, undefined, [createSandbox, expect, (_: string, run: () => Promise<void>) => run()]);
    await page.getByRole('button', { name: 'Task', exact: true }).click();
    const task = await page.getByLabel('Code').innerText();
    expect(task).toMatch(/^# POST \/v1\/customers returned 400\n/);
    expect(task).toContain('surprise = 1');
    expect(task).not.toContain(sandbox.key);
  });

  test('a run of a task has a page with its verdict, its calls and what they changed', async () => {
    const { data: entries } = (await sandbox.control.call('GET', '/ledger?limit=1')) as { data: { entry: number }[] };
    const { id } = await call('POST', '/v1/customers', 'name=Of+the+run');
    const { data } = (await sandbox.control.call('GET', '/traces?limit=1')) as { data: { id: string }[] };
    const check = { kind: 'added', weight: 1 };
    await sandbox.control.call('POST', '/run', {
      ...{ task: 'name-it', agent: 'node agent.js', run: 3, prompt: 'Make a customer.', since: entries[0].entry },
      ...{ reward: 0.5, pass: false },
      checks: [
        { ...check, about: '{"customers":{}}', holds: true, found: '1 added: cus_1' },
        { ...check, about: 'a refund', holds: false, found: '0 added' },
      ],
      calls: [
        {
          ...{ operation: 'customers.create', tool: 'create_customer', status: 200, trace: data[0].id },
          outside: [{ advance: '2d' }],
        },
      ],
    });
    await page.evaluate(`location.hash = '#/run'`);
    await page.reload();
    await page.getByRole('heading', { name: 'name-it, run 3' }).waitFor();
    await page.getByRole('row', { name: /added a refund does not hold 1 0 added/ }).waitFor();
    await page.getByRole('row', { name: /added .*customers.* holds 1 1 added: cus_1/ }).waitFor();
    const made = page.getByRole('row', { name: /1\. customers\.create create_customer 200 .*"advance":"2d"/ });
    await made.waitFor();
    // What is new since the agent began, and nothing else.
    await page.getByRole('row', { name: `customers 1 ${String(id)}`, exact: true }).waitFor();
    await made.getByRole('link', { name: 'customers.create' }).click();
    await page.getByRole('heading', { name: '/v1/customers' }).waitFor();
  });
});
