import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchOptions } from '../../support/browser.js';
import { scratchFolder } from '../../support/file-store.js';
import { documented } from '../../tools/blocks.js';
import { startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';

/** The face for Playwright, run by Playwright's own runner with a real browser; skipped where there is none (test/support/browser). */

const folder = scratchFolder();

const PAGE = `const { expect, testWith } = require('@vendor-sandbox/sandbox/playwright');
const test = testWith({ pack: 'payments', t0: '2026-02-03T00:00:00Z' });
test('a page of the world in the browser', async ({ sandbox, page }) => {
  const headers = { Authorization: 'Bearer ' + sandbox.key };
  const form = { 'line_items[0][price_data][currency]': 'usd', 'line_items[0][price_data][unit_amount]': '500',
    'line_items[0][price_data][product_data][name]': 'Tea', 'line_items[0][quantity]': '1',
    mode: 'payment', success_url: sandbox.url + '/__admin__/openapi.json' };
  const session = await (await page.request.post(sandbox.url + '/v1/checkout/sessions', { headers, form })).json();
  expect(session.created).toBe(Date.UTC(2026, 1, 3) / 1000);
  await page.goto(session.url);
  await expect(page.getByText('Tea').first()).toBeVisible();
  await expect(session).toBeInState('open');
});
test('one that fails says why', async ({ sandbox, request }) => {
  await request.get(sandbox.url + '/v1/customers/cus_none', { headers: { Authorization: 'Bearer ' + sandbox.key } });
  await expect(sandbox).toHaveDelivered('customer.created');
});`;

const options = launchOptions();

(options ? test : test.skip)(
  'tests run with a world each, in a real browser, and a failure is explained',
  async () => {
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, '@vendor-sandbox'), { recursive: true });
    mkdirSync(join(modules, '@playwright'));
    symlinkSync(ROOT, join(modules, '@vendor-sandbox', 'sandbox'));
    symlinkSync(join(ROOT, 'node_modules', '@playwright', 'test'), join(modules, '@playwright', 'test'));
    writeFileSync(join(folder, 'checkout.spec.js'), documented('docs/guides/in-tests.md', 'checkout.spec.js'));
    writeFileSync(join(folder, 'page.spec.js'), PAGE);
    const setup = documented('docs/guides/in-tests.md', 'playwright.config.js').replace(
      'module.exports =',
      'const base =',
    );
    const more = { workers: 1, reporter: 'line', outputDir: join(folder, 'out'), use: { launchOptions: options } };
    writeFileSync(
      join(folder, 'playwright.config.js'),
      `${setup}\nmodule.exports = { ...base, ...${JSON.stringify(more)} };`,
    );
    const runner = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
    const { code, stdout, stderr } = await startProcess(process.execPath, [runner, 'test'], { cwd: folder }).ended;
    expect(stderr).toBe('');
    expect(stdout).toContain('2 passed');
    expect(stdout).toContain('1 failed');
    expect(stdout).toContain('one that fails says why');
    expect(stdout).toContain('GET /v1/customers/cus_none -> 404');
    expect(code).toBe(1);
  },
  60_000,
);
