import { readFileSync } from 'node:fs';
import { Resend } from 'resend';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** The pages of packs/mail in a real browser: what was sent as its recipients see it, and replies. */

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const HTML = `<style>h1 { color: rgb(1, 2, 3) }</style><h1>Hello Ann</h1><img src="cid:logo" alt="Logo">
<a href="https://shop.example/1">Look</a><script>document.querySelector('h1').textContent = 'hijacked'</script>`;

/** Members of the browser's own objects, which tests have no types of. */
interface Shown {
  getComputedStyle(element: unknown): { readonly color: string };
}

describeInBrowser('the mailbox', () => {
  const sandbox = startSandbox('packs/mail', { t0: '2025-01-01T00:00:00Z' });
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  afterAll(() => browser.close());

  /** What hinders people, where scripts run. */
  async function hindrances(url: string): Promise<string[]> {
    const other = await browser.newPage({ bypassCSP: true });
    await other.goto(url);
    await other.evaluate(AXE);
    const found = await other.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: { id: string }[] }> };
      };
      return (await axe.run({ iframes: false })).violations.map(({ id }) => id);
    });
    await other.close();
    return found;
  }

  test('lists emails, shows one with its pictures and files, runs nothing of it, and takes a reply', async () => {
    const resend = new Resend(sandbox.key, { baseUrl: sandbox.url });
    const { data } = await resend.emails.send({
      from: 'Shop <shop@example.com>',
      to: 'ann@example.org',
      subject: 'Welcome',
      html: HTML,
      text: 'Hello Ann',
      attachments: [
        { filename: 'logo.png', content: PIXEL, contentId: 'logo' },
        { filename: 'terms.txt', content: Buffer.from('No terms.') },
      ],
    });
    await sandbox.control.advance('1m');
    const [{ secret }] = (await sandbox.control.state('mailboxes')).resources['mailboxes'] as { secret: string }[];
    const list = `${sandbox.url}/mailbox?secret=${secret}`;
    expect(await hindrances(list)).toEqual([]);
    expect((await page.goto(`${sandbox.url}/mailbox?secret=wrong`))?.status()).toBe(404);
    await page.goto(list);
    await page.getByRole('link', { name: 'Welcome' }).click();
    await page.waitForURL(`**/mailbox/${data?.id}`);
    expect(await hindrances(page.url())).toEqual([]);

    const mail = page.frameLocator('iframe[title="The email"]');
    expect(await mail.getByRole('heading').textContent()).toBe('Hello Ann');
    const heading = mail.getByRole('heading');
    const color = await heading.evaluate((each) => (globalThis as unknown as Shown).getComputedStyle(each).color);
    expect(color).toBe('rgb(1, 2, 3)');
    const width = await mail
      .getByRole('img')
      .evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth);
    expect(width).toBe(1);
    expect(await page.locator('pre').first().textContent()).toBe('Hello Ann');
    expect(await page.locator('pre').last().textContent()).toContain('Subject: Welcome\n');
    const terms = await page.getByRole('link', { name: 'terms.txt' }).getAttribute('href');
    expect(await (await fetch(String(terms))).text()).toBe('No terms.');

    await page.getByLabel('Text').fill('Thank you');
    await page.getByRole('button', { name: 'Reply' }).click();
    await page.waitForLoadState();
    const { data: received } = await resend.emails.receiving.list();
    expect(received?.data).toMatchObject([
      { from: 'ann@example.org', to: ['Shop <shop@example.com>'], subject: 'Re: Welcome' },
    ]);
    await page.getByRole('button', { name: 'This is spam' }).click();
    await page.waitForLoadState();
    expect((await resend.emails.get(String(data?.id))).data?.last_event).toBe('complained');
  });
});
