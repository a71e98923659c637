import type { Browser } from 'playwright-core';
import { createSandbox } from '../../../../engine/index.js';
import { form } from '../../../support/http.js';
import { describeInBrowser, openBrowser, openInspector, type Watched } from '../../../support/inspector.js';
import { startSandbox } from '../../../support/start-sandbox.js';

/** What a newcomer sees first: code for a first call, the call itself, and what to try next. */

describeInBrowser('the home of the inspector', () => {
  const sandbox = startSandbox('packs/payments', { each: 'test' });
  let browser: Browser;
  let watched: Watched;

  beforeAll(async () => {
    browser = await openBrowser();
  }, 120_000);

  afterAll(() => browser?.close());

  beforeEach(async () => {
    watched = await openInspector(browser, sandbox, '/__admin__/', '');
  });

  afterEach(async () => {
    await watched.page.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.strangers).toEqual([]);
  });

  test('it waits for the first call, which takes the place of the waiting as a sentence', async () => {
    const { page } = watched;
    await page.getByRole('heading', { name: 'Payments is running. Make your first call.' }).waitFor();
    await page.getByText('Waiting for your first call…').waitFor();
    await sandbox.body('POST /v1/customers', form({ name: 'Jenny Rosen' }));
    await page.getByRole('link', { name: /^200 Created customer Jenny Rosen/ }).waitFor();
    expect(await page.getByText('Waiting for your first call…').count()).toBe(0);
    await page.getByRole('link', { name: '1 Customers' }).click();
    await page.getByText('1 object', { exact: true }).waitFor();
  });

  test('the code has the address, hides the key, changes its language by keys, and is remembered', async () => {
    const { page } = watched;
    const code = page.getByRole('tabpanel');
    expect(await code.innerText()).toContain(`port: ${new URL(sandbox.url).port}`);
    await page.getByRole('tab', { name: 'JavaScript' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'curl' }).waitFor();
    await page.locator('#tab-curl:focus').waitFor();
    expect(await code.innerText()).toContain(`curl ${sandbox.url}/v1/customers`);
    expect(await code.innerText()).not.toContain(sandbox.key);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText(sandbox.key, { exact: true }).waitFor();
    await page.reload();
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'curl' }).waitFor();
  });

  test('a card is declined by a button, and its explanation opens', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Decline a card' }).click();
    const explanation = page.getByRole('article', { name: 'Call' });
    await explanation.getByText('✓ Decided the response').waitFor();
    expect(await explanation.locator('li.decided').innerText()).toContain('pm_card_chargeDeclined');
  });

  test('a pack without a start has curl and the collections with states', async () => {
    const other = await createSandbox({ pack: 'test/packs/parcels' });
    const { page } = await openInspector(browser, other, '/__admin__/', 'home');
    expect(await page.getByRole('tabpanel').innerText()).toContain(`curl ${other.url}/api/`);
    await page.getByRole('link', { name: '0 Parcels' }).waitFor();
    await page.close();
    await other.close();
  });

  test('a server that ends is reported below the header, once', async () => {
    const other = await createSandbox({ pack: 'test/packs/parcels' });
    const { page } = await openInspector(browser, other);
    await page.getByText('Live', { exact: true }).waitFor();
    await other.close();
    await page.getByRole('alert').filter({ hasText: 'Connection lost. Retrying…' }).waitFor();
    await page.getByText('Disconnected. Retrying…').waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.close();
  });
});
