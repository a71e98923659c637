import { readFileSync } from 'node:fs';
import { Resend } from 'resend';
import type { Browser, Page } from 'playwright-core';
import { createCompany, type Company } from '../../../engine/index.js';
import { call, form } from '../../support/http.js';
import { describeInBrowser, openBrowser, openInspector } from '../../support/inspector.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** The mailbox in a real browser: the pages of packs/mail, and the inspector's, which has the mail of a whole company. */

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

describeInBrowser("the inspector's mailbox", () => {
  let browser: Browser;
  let company: Company;

  beforeAll(async () => {
    browser = await openBrowser();
    company = await createCompany({ packs: ['packs/payments', 'packs/mail'], t0: '2025-01-01T00:00:00Z' });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await company?.close();
  });

  test('shows mail of all packs as it comes, as it was, and takes replies', async () => {
    const { payments, mail } = company.vendors;
    const resend = new Resend(mail.key, { baseUrl: mail.url });
    const { last: begin } = await company.control.call('GET', '/vendors/mail/ledger?limit=1');
    const { page, complaints } = await openInspector(browser, company, '/__admin__/', 'mailbox');
    const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await page.getByText('No message was sent.').waitFor();
    await resend.emails.send({
      from: 'Shop <shop@example.com>',
      to: 'ann@example.org',
      subject: 'Welcome',
      html: HTML,
      text: 'Enter 482913',
      attachments: [{ filename: 'logo.png', content: PIXEL, contentId: 'logo' }],
    });
    await rows.filter({ hasText: 'Welcome' }).waitFor();
    await company.control.advance('1m');
    const paid = { amount: '500', currency: 'usd', payment_method: 'pm_card_visa', receipt_email: 'ann@example.org' };
    const intent = form({ ...paid, confirm: 'true', return_url: 'https://shop.example' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call(payments, 'POST /v1/payment_intents', intent, headers)).status).toBe(200);
    await rows.filter({ hasText: 'Your receipt' }).waitFor();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('482913');
    await page.getByText('1 message', { exact: true }).waitFor();

    await rows.first().click();
    const message = page.getByRole('article', { name: 'Message' });
    const shown = page.frameLocator('iframe[title="The message"]');
    expect(await shown.getByRole('heading').textContent()).toBe('Hello Ann');
    const heading = shown.getByRole('heading');
    expect(await heading.evaluate((each) => (globalThis as unknown as Shown).getComputedStyle(each).color)).toBe(
      'rgb(1, 2, 3)',
    );
    expect(await shown.getByRole('img').getAttribute('src')).toBe(`data:image/png;base64,${PIXEL}`);
    expect(await message.getByText('482913', { exact: true }).count()).toBe(1);
    expect(await message.getByRole('link', { name: 'logo.png' }).getAttribute('download')).toBe('logo.png');
    await message.getByText('Source', { exact: true }).click();
    expect(await message.getByLabel('Source').textContent()).toContain('Subject: Welcome\n');

    await message.getByLabel('text', { exact: true }).fill('Thank you');
    await message.getByRole('button', { name: 'Reply' }).click();
    await page.getByText('Came in as email.received').waitFor();
    const { data: received } = await resend.emails.receiving.list();
    expect(received?.data).toMatchObject([{ from: 'ann@example.org', subject: 'Re: Welcome' }]);

    await page.getByText('Write to the application (mail/email.received)').click();
    const writing = page.getByRole('group').filter({ hasText: 'Write to the application (mail/' });
    await writing.getByLabel('subject').fill('A question');
    await writing.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Came in as email.received').first().waitFor();
    expect((await resend.emails.receiving.list()).data?.data.map(({ subject }) => subject)).toContain('A question');

    await page.getByRole('searchbox', { name: 'Filter' }).fill('');
    await page.getByText('2 messages', { exact: true }).waitFor();
    const slider = page.getByRole('slider', { name: 'Moment that all screens show' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByText('No message was sent.').waitFor();
    await page.keyboard.press('Escape');
    await rows.filter({ hasText: 'Welcome' }).waitFor();
    await company.control.rewind(Number(begin));
    await page.getByText('No message was sent.').waitFor();
    // The browser reports the script of the message, which it blocks.
    expect(complaints.filter((each) => !each.includes('about:srcdoc'))).toEqual([]);
    await page.close();
  });
});
