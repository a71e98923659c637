import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser, openInspector, type Watched } from '../../../support/inspector.js';
import { form } from '../../../support/http.js';
import { startSandbox } from '../../../support/start-sandbox.js';

/** Trouble of deliveries in the inspector: ordered by a form, seen, held, let go and cleared. */

describeInBrowser('deliveries in the inspector', () => {
  const sandbox = startSandbox('packs/payments', { t0: '2025-01-01T00:00:00Z' });
  const { receiver } = sandbox;
  let browser: Browser;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    await sandbox.control.endpoint({ url: `${receiver.url}/hook` });
    watched = await openInspector(browser, sandbox);
    ({ page } = watched);
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Webhooks' }).click();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.strangers).toEqual([]);
  });

  const customer = (name: string) => sandbox.call('POST /v1/customers', form({ name }));

  const names = (): string[] =>
    receiver.received.map(({ body }) => (JSON.parse(body) as { data: { object: { name: string } } }).data.object.name);
  const deliveries = (text: string) => page.getByRole('listitem').filter({ hasText: text });

  test('a duplicate is ordered by a form that asks for what the kind needs, and cleared', async () => {
    await page.getByText('Add a delivery fault').click();
    expect(await page.getByLabel('times', { exact: true }).count()).toBe(0);
    await page.getByLabel('kind (required)').selectOption('delay');
    await page.getByLabel('delay (required)').waitFor();
    await page.getByLabel('kind (required)').selectOption('duplicate');
    await page.getByLabel('times', { exact: true }).fill('2');
    await page.getByLabel('event', { exact: true }).fill('customer.created');
    expect(await page.locator('option[value="customer.*"]').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Add fault' }).click();
    const row = page.getByRole('row', { name: /customer\.created/ });
    expect(await row.innerText()).toMatch(/duplicate 2 copies\s+Until cleared/);
    await customer('Ann');
    await deliveries('customer.created').nth(2).waitFor();
    await sandbox.control.flush();
    expect(names()).toEqual(['Ann', 'Ann', 'Ann']);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('Webhooks are sent immediately, in order.').waitFor();
  });

  test('what the control API refuses is said where it was asked', async () => {
    await page.getByLabel('kind (required)').selectOption('drop');
    await page.getByLabel('event', { exact: true }).fill('customer.vanished');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByRole('alert').filter({ hasText: 'there is no event' }).waitFor();
    await page.getByLabel('event', { exact: true }).fill('');
  });

  test('all are paused, one is sent out of turn, and the others are resumed in their order', async () => {
    receiver.received.length = 0;
    await page.getByRole('button', { name: 'Pause deliveries' }).click();
    await page.getByRole('button', { name: 'Resume (0)' }).waitFor();
    for (const name of ['Ben', 'Cleo', 'Dan']) await customer(name);
    await page.getByRole('button', { name: 'Resume (3)' }).waitFor();
    expect(await deliveries('paused').count()).toBe(3);
    await deliveries('paused').first().click();
    await page.getByText('Paused until you clear the fault').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Attempt 1: 200').waitFor();
    await page.getByRole('button', { name: 'Resume (2)' }).click();
    await page.getByRole('button', { name: 'Pause deliveries' }).waitFor();
    await sandbox.control.flush();
    expect(names()).toEqual(['Dan', 'Ben', 'Cleo']);
    await deliveries('delivered').nth(5).waitFor();
  });

  test('all that failed go out again together, in their order', async () => {
    receiver.reply = (response) => response.writeHead(503).end();
    for (const name of ['Eve', 'Fay']) await customer(name);
    await sandbox.control.flush();
    for (let day = 0; day < 6; day++) await sandbox.control.advance('1d').then(() => sandbox.control.flush());
    receiver.received.length = 0;
    receiver.reply = (response) => response.end('ok');
    await page.getByRole('button', { name: 'Send 2 failed again' }).click();
    await page.getByRole('button', { name: /failed again$/ }).waitFor({ state: 'detached' });
    expect(names()).toEqual(['Eve', 'Fay']);
  });
});
