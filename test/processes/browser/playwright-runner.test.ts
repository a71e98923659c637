import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchOptions } from '../../support/browser.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { documented } from '../../tools/blocks.js';
import { type Ended, startProcess } from '../../support/processes.js';
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

/** Runs Playwright on files in a folder in which the package is installed. @param config an expression, of its configuration */
function playwright(
  name: string,
  config: string,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Ended> {
  const place = join(folder, name);
  const modules = join(place, 'node_modules');
  for (const scope of ['@vendor-sandbox', '@playwright']) mkdirSync(join(modules, scope), { recursive: true });
  symlinkSync(ROOT, join(modules, '@vendor-sandbox', 'sandbox'));
  for (const each of ['@playwright/test', 'stripe']) symlinkSync(join(ROOT, 'node_modules', each), join(modules, each));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
  const more = { workers: 1, reporter: 'line', outputDir: join(place, 'out'), use: { launchOptions: options } };
  writeFileSync(join(place, 'playwright.config.js'), config.replace('BASE', `...${JSON.stringify(more)},`));
  const runner = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
  return startProcess(process.execPath, [runner, 'test', ...args], { cwd: place }).ended;
}

/** The configuration that a page shows, with settings of these tests. */
const configOf = (page: string): string =>
  documented(page, 'playwright.config.js').replace(/,?\s*\};\s*$/, ', BASE };\n');

(options ? test : test.skip)(
  'tests run with a world each, in a real browser, and a failure is explained',
  async () => {
    const page = 'docs/guides/in-tests.md';
    const { code, stdout, stderr } = await playwright('in-tests', configOf(page), {
      'checkout.spec.js': documented(page, 'checkout.spec.js'),
      'page.spec.js': PAGE,
    });
    expect(stderr).toBe('');
    expect(stdout).toContain('2 passed');
    expect(stdout).toContain('1 failed');
    expect(stdout).toContain('one that fails says why');
    expect(stdout).toContain('GET /v1/customers/cus_none -> 404');
    expect(code).toBe(1);
  },
  60_000,
);

(options ? test : test.skip)(
  'the guide to Checkout and 3-D Secure holds',
  async () => {
    const page = 'docs/guides/3d-secure-in-playwright.md';
    const files = ['fixtures.js', 'shop.js', 'checkout.spec.js', 'card.spec.js'];
    const shown = Object.fromEntries(files.map((file) => [file, documented(page, file)]));
    // Where browsers share few cores, a frame in a frame may get no animation frame for a minute, and Playwright waits for two.
    const args = ['--retries', '1', '--timeout', '20000'];
    const { code, stdout } = await playwright(
      '3d-secure',
      configOf(page),
      { 'package.json': '{ "type": "module" }', ...shown },
      args,
    );
    expect(stdout).toMatch(/[67] passed/);
    expect(code).toBe(0);
  },
  120_000,
);
