import type { Browser } from 'playwright-core';
import { type Company, createCompany } from '../../../../engine/index.js';
import { describeInBrowser, openBrowser, openInspector } from '../../../support/inspector.js';

/** The inspector at the address of a company: one vendor is shown, and the header has the others. */

describeInBrowser('the inspector of a company', () => {
  let browser: Browser;
  let company: Company;

  beforeAll(async () => {
    browser = await openBrowser();
    company = await createCompany({ packs: ['test/packs/parcels', 'test/packs/herald'] });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await company?.close();
  });

  test('another vendor is chosen in the header, and both are live', async () => {
    const { page, complaints } = await openInspector(browser, company);
    const vendor = page.getByRole('combobox', { name: 'Vendor' });
    const [first, second] = Object.keys(company.vendors);
    expect(await vendor.inputValue()).toBe(first);
    await page.getByText('Live', { exact: true }).waitFor();
    const title = await page.getByRole('heading', { level: 1 }).innerText();
    await vendor.selectOption(second);
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: title }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await vendor.inputValue()).toBe(second);
    await company.control.advance('1d');
    await page.locator('[role=listitem]').filter({ hasText: 'clock' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
