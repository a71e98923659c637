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
    await page.getByText('Make trouble for deliveries').click();
    expect(await page.getByLabel('times', { exact: true }).count()).toBe(0);
    await page.getByLabel('kind (needed)').selectOption('delay');
    await page.getByLabel('delay (needed)').waitFor();
    await page.getByLabel('kind (needed)').selectOption('duplicate');
    await page.getByLabel('times', { exact: true }).fill('2');
    await page.getByLabel('event', { exact: true }).fill('customer.created');
    expect(await page.locator('option[value="customer.*"]').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Arm the fault' }).click();
    const row = page.getByRole('row', { name: /customer\.created/ });
    expect(await row.innerText()).toMatch(/duplicate 2 more\s+until cleared/);
    await customer('Ann');
    await deliveries('customer.created').nth(2).waitFor();
    await sandbox.control.flush();
    expect(names()).toEqual(['Ann', 'Ann', 'Ann']);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('Deliveries go out at once, in order.').waitFor();
  });

  test('what the control API refuses is said where it was asked', async () => {
    await page.getByLabel('kind (needed)').selectOption('drop');
    await page.getByLabel('event', { exact: true }).fill('customer.vanished');
    await page.getByRole('button', { name: 'Arm the fault' }).click();
    await page.getByRole('alert').filter({ hasText: 'there is no event' }).waitFor();
    await page.getByLabel('event', { exact: true }).fill('');
  });

  test('all are held, one is sent out of turn, and the others are let go in their order', async () => {
    receiver.received.length = 0;
    await page.getByRole('button', { name: 'Hold', exact: true }).click();
    await page.getByRole('button', { name: 'Let 0 go' }).waitFor();
    for (const name of ['Ben', 'Cleo', 'Dan']) await customer(name);
    await page.getByRole('button', { name: 'Let 3 go' }).waitFor();
    expect(await deliveries('held').count()).toBe(3);
    await deliveries('held').first().click();
    await page.getByText('It waits until its fault is cleared').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Attempt 1: 200').waitFor();
    await page.getByRole('button', { name: 'Let 2 go' }).click();
    await page.getByRole('button', { name: 'Hold', exact: true }).waitFor();
    await sandbox.control.flush();
    expect(names()).toEqual(['Dan', 'Ben', 'Cleo']);
    await deliveries('delivered').nth(5).waitFor();
  });
});
