import type { Browser } from 'playwright-core';
import { describeInBrowser, openBrowser, openInspector } from '../../../support/inspector.js';
import { type Called, form } from '../../../support/http.js';
import { startSandbox } from '../../../support/start-sandbox.js';

/** An object in two versions of the vendor's API, in the control API and in the inspector. */

const sandbox = startSandbox('packs/payments', { seed: 'versions' });
let discount: string;

beforeAll(async () => {
  const call = (path: string, body: Readonly<Record<string, string>>) =>
    sandbox.body<{ readonly id: string }>(`POST ${path}`, form(body));
  const { id: coupon } = await call('/v1/coupons', { percent_off: '25', duration: 'forever' });
  discount = (await call('/v1/promotion_codes', { coupon, code: 'FALL' })).id;
});

const shown = (version: string): Promise<Called> => sandbox.admin(`GET /objects/${discount}?version=${version}`);

test('the control API shows an object in a version', async () => {
  const { body } = await shown('2026-10-28.endive');
  expect(body).toMatchObject({
    shown: { version: '2026-09-30.endive', value: { code: 'FALL', promotion: { type: 'coupon' } } },
    value: { coupon: expect.anything() as unknown },
  });
  expect((body as { shown: { value: object } }).shown.value).not.toHaveProperty('coupon');
  expect((await shown('2024-12-18.acacia')).body).toMatchObject({ shown: { value: { coupon: { percent_off: 25 } } } });
  expect(await shown('2026-13-13.nope')).toMatchObject({ status: 404, body: { error: { code: 'unknown_version' } } });
});

describeInBrowser('in the inspector', () => {
  test('the inspector shows it in two versions side by side', async () => {
    const browser: Browser = await openBrowser();
    try {
      const { page } = await openInspector(browser, sandbox);
      await page.evaluate(`location.hash = '#/object/${discount}'`);
      const table = page.locator('table.versions');
      await table.getByRole('rowheader', { name: 'promotion', exact: true }).waitFor();
      await table.getByRole('rowheader', { name: 'coupon', exact: true }).waitFor();
      expect(await table.getByRole('row').filter({ hasText: 'promotion' }).textContent()).toContain('(none)');
      await page.getByLabel('Version B').selectOption('2025-03-31.basil');
      await page.getByText('No differences.').waitFor();
    } finally {
      await browser.close();
    }
  });
});
