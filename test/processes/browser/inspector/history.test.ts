import type { Browser, Page } from 'playwright-core';
import { form } from '../../../support/http.js';
import { describeInBrowser, openBrowser, openInspector, type Watched } from '../../../support/inspector.js';
import { startSandbox } from '../../../support/start-sandbox.js';

/** The whole history in the inspector: searched on the server, loaded upwards, and looked at moment by moment. */

const T0 = '2025-01-01T00:00:00Z';
/** More entries than a page begins with. */
const MANY = 450;

describeInBrowser('the history in the inspector', () => {
  const sandbox = startSandbox('packs/payments', { t0: T0 });
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  let declined: string;
  let customer: string;

  beforeAll(async () => {
    browser = await openBrowser();
    const call = async (line: string, params?: Readonly<Record<string, string>>) =>
      sandbox.body<Readonly<Record<string, unknown>>>(line, params && form(params));
    customer = String((await call('POST /v1/customers', { name: 'Jenny Rosen' }))['id']);
    const intent = await call('POST /v1/payment_intents', { amount: '4200', currency: 'usd', customer });
    declined = String(intent['id']);
    await call(`POST /v1/payment_intents/${declined}/confirm`, {
      payment_method: 'pm_card_chargeDeclined',
      return_url: 'https://shop.example/done',
    });
    await sandbox.control.advance('2d');
    for (let n = 0; n < MANY; n++) await call('POST /v1/customers', { name: `Many ${n}` });
    watched = await openInspector(browser, sandbox);
    ({ page } = watched);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.strangers).toEqual([]);
  });

  const rows = () => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  const go = (path: string) => page.evaluate(`location.hash = '#/${path}'`);

  test('what the page did not load is found, with honest counts', async () => {
    await go('timeline');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('status:402');
    await page.getByText(/^1 of \d+ calls and changes$/).waitFor();
    const row = rows().filter({ hasText: /Could not confirm Jenny Rosen’s .*\$42\.00: payment failed/ });
    await row.click();
    await page.getByRole('article', { name: 'Call' }).getByText('✓ Decided the response').waitFor();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('status:418');
    await page.getByText(/^No match in \d+ calls and changes\./).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows().first().waitFor();
  });

  test('earlier ones are loaded upwards until the beginning', async () => {
    const earlier = page.getByRole('button', { name: /^Load \d+ earlier$/ });
    await earlier.waitFor();
    while ((await earlier.count()) > 0) {
      await earlier.click();
      await page.waitForTimeout(150);
    }
    await page.getByText(/^\d+ rows$/).waitFor();
    await page.evaluate(`document.querySelector('.virtual').scrollTop = 0`);
    await rows().filter({ hasText: '2 d later' }).waitFor();
  });

  test('the slider shows every screen as it was, changes nothing, and rewinds', async () => {
    const before = (await sandbox.control.call('GET', '/ledger?limit=1'))['last'];
    await go(`object/${declined}`);
    await page.locator('.object-head').getByText('requires_payment_method').waitFor();
    const slider = page.getByRole('slider', { name: 'Moment that all screens show' });
    await slider.focus();
    // To the failure, and the call before it.
    await page.keyboard.press('Shift+ArrowLeft');
    await page.getByText(/^Viewing 2025-01-01 00:00:00$/).waitFor();
    const problem = page.locator('table.fields th', { hasText: /^last_payment_error$/ });
    await problem.waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.object-head').getByText('requires_payment_method').waitFor();
    await problem.waitFor({ state: 'detached' });
    await go('objects/customers');
    await page.getByText('1 object', { exact: true }).waitFor();
    await go('clock');
    await page.getByText('This screen shows the present.').waitFor();
    expect((await sandbox.control.call('GET', '/ledger?limit=1'))['last']).toBe(before);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await go('objects/customers');
    await page.getByText(`${MANY + 1} objects`, { exact: true }).waitFor();
    await slider.focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.getByRole('button', { name: 'Rewind to here' }).click();
    await page.getByText('1 object', { exact: true }).waitFor();
  });

  test('an object has its life, and each bar says what set it off', async () => {
    await go(`object/${declined}`);
    const life = page.getByRole('group', { name: 'Life of the object and of those around it' });
    await life.getByText('Jenny Rosen').first().waitFor();
    await life.getByRole('button', { name: new RegExp(`${declined}: requires payment method`) }).click();
    await page.getByText('Set off by a call.').waitFor();
  });

  test('Ctrl-K finds objects, calls and actions by keys', async () => {
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: /^Find/ });
    await input.fill('jenny');
    const first = page.getByRole('option').first();
    await first.getByText('Jenny Rosen').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: customer }).waitFor();
    await page.keyboard.press('Control+k');
    await input.fill('go clock');
    await page.getByRole('option', { name: 'Go to Clock' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('nav a[aria-current=page]', { hasText: 'Clock' }).waitFor();
  });

  test('a wrong key, an unknown address', async () => {
    await go('nonsense');
    await page.getByRole('heading', { name: 'Unknown address' }).waitFor();
    const other = await browser.newPage();
    await other.goto(`${sandbox.url}/__admin__/#key=sk_test_wrong`);
    await other.getByRole('alert').filter({ hasText: "This key doesn't open this server." }).waitFor();
    expect(await other.evaluate(`document.activeElement.id`)).toBe('key');
    await other.close();
  });

  test.each([1440, 1024, 390])('nothing is wider than the page at %d px', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    for (const screen of [
      'home',
      'timeline',
      `object/${declined}`,
      'objects/customers',
      'clock',
      'controls',
      'webhooks',
      'worlds',
      'pack',
    ]) {
      await go(screen);
      await page.waitForTimeout(150);
      const over = await page.evaluate(
        `(() => { const main = document.querySelector('main'); return document.documentElement.scrollWidth - innerWidth + main.scrollWidth - main.clientWidth; })()`,
      );
      expect([screen, over]).toEqual([screen, 0]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});
