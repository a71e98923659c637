import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { ControlClient } from '../../../../engine/index.js';
import { describeInBrowser, openBrowser, openInspector, type Watched } from '../../../support/inspector.js';
import { form } from '../../../support/http.js';
import { IS_WHOLE, sampleOf } from '../../../support/sample.js';
import { startSandbox } from '../../../support/start-sandbox.js';

/** The inspector through the eyes of a person, in a real browser. */

const T0 = '2025-01-01T00:00:00Z';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCREENS = ['Home', 'Timeline', 'Objects', 'Clock', 'Controls', 'Webhooks', 'Worlds', 'Pack'];

/** Notes (in the page) when one more row than now is there. */
const NEXT_ROW = `{
  const rows = () => document.querySelectorAll('[role=listitem]').length;
  const seen = rows();
  globalThis.shown = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (rows() <= seen) return;
      observer.disconnect();
      resolve(rows());
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  undefined;
}`;

/** Scrolls through the list (in the page), and gives the most rows that were in the document at a time. */
const SCROLL = `(async () => {
  const box = document.querySelector('.virtual');
  let most = 0;
  for (let step = 0; step < 60; step++) {
    box.scrollTop += step % 2 === 0 ? 120 : 3_000;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve));
    most = Math.max(most, document.querySelectorAll('[role=listitem]').length);
  }
  return most;
})()`;

/** Controls (in the page) that reach beyond the window or beyond what hides the rest of them. */
const CUT = `[...document.querySelectorAll('a, button, input, select, summary')].filter((control) => {
  const { width, right } = control.getBoundingClientRect();
  if (width === 0 || !control.checkVisibility()) return false;
  for (let box = control.parentElement; box; box = box.parentElement) {
    const { overflowX, textOverflow } = getComputedStyle(box);
    if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') return false;
    if (overflowX !== 'visible' && right > box.getBoundingClientRect().right + 1) return true;
  }
  return right > innerWidth + 1;
}).map((control) => control.outerHTML.slice(0, 120))`;

/** Numbers the controls of a screen (in the page). Rows of lists come and go; keys in lists have a test of their own. */
const NUMBERED = `[...document.querySelectorAll('a[href], button, input, select, summary, [role=slider]')]
  .filter((control) => control.checkVisibility() && !control.disabled && control.getAttribute('tabindex') !== '-1')
  .map((control, number) => {
    control.dataset.number = number;
    return control.outerHTML.slice(0, 120);
  })`;

/** Which of them has the focus, and whether one sees it. */
const FOCUSED = `(() => {
  const control = document.activeElement;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(control);
  const outline = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' ? 'shown' : 'hidden';
  return { number: Number(control.dataset.number ?? -1), outline };
})()`;

type Body = Readonly<Record<string, unknown>>;

describeInBrowser('the inspector', () => {
  const sandbox = startSandbox('packs/payments', { t0: T0, reset: { t0: T0 } });
  const { receiver } = sandbox;
  let browser: Browser;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
  });

  beforeEach(async () => {
    watched = await openInspector(browser, sandbox);
    ({ page } = watched);
  });

  afterEach(async () => {
    await page.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.strangers).toEqual([]);
  });

  /** A call of the vendor's API, as an application makes it. */
  const call = async (method: string, path: string, params: Readonly<Record<string, string>> = {}): Promise<Body> =>
    sandbox.body<Body>(`${method} ${path}`, method === 'GET' ? undefined : form(params));

  async function subscribed(): Promise<{ readonly customer: string; readonly subscription: string }> {
    const { id: customer } = await call('POST', '/v1/customers', { name: 'Jenny Rosen' });
    const card = await call('POST', '/v1/payment_methods/pm_card_visa/attach', { customer: String(customer) });
    const { id: product } = await call('POST', '/v1/products', { name: 'Gold' });
    const price = await call('POST', '/v1/prices', {
      product: String(product),
      currency: 'usd',
      unit_amount: '1500',
      'recurring[interval]': 'month',
    });
    const made = await call('POST', '/v1/subscriptions', {
      customer: String(customer),
      'items[0][price]': String(price['id']),
      default_payment_method: String(card['id']),
    });
    return { customer: String(customer), subscription: String(made['id']) };
  }

  const rows = () => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  /** The newest call with this status: a row's text also has durations, such as 402 ms. */
  const declined = () =>
    rows()
      .filter({ has: page.getByText('402', { exact: true }) })
      .last();
  const screen = (name: string) =>
    page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click();

  test('a story: seed, pay, a decline by button, why, a month later, a fork before the decline, both compared', async () => {
    await sandbox.control.seed({ resource: 'customers', objects: [{ id: 'cus_Jenny000000001', name: 'Jenny' }] });
    const intent = await call('POST', '/v1/payment_intents', {
      amount: '2000',
      currency: 'usd',
      customer: 'cus_Jenny000000001',
      payment_method: 'pm_card_authenticationRequired',
      confirm: 'true',
      return_url: 'https://shop.example/done',
    });
    const id = String(intent['id']);
    expect(intent['status']).toBe('requires_action');

    // The call is there; its transition leads to the object.
    await rows().filter({ hasText: 'Seed data' }).last().waitFor();
    await rows().filter({ hasText: 'POST' }).getByRole('link', { name: id }).first().click();
    await page.getByRole('heading', { name: id }).waitFor();
    await page.getByText('requires_action', { exact: true }).first().waitFor();

    // Each possible event is a button.
    await page.getByRole('button', { name: 'The issuer declines the payment', exact: true }).click();
    await page.locator('.object-head').getByText('requires_payment_method').waitFor();
    expect(await call('GET', `/v1/payment_intents/${id}`)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });

    // Why the status is what it is, and the state diagram knows where it stands.
    await page.getByRole('button', { name: 'Why status?' }).click();
    await page.getByText('cause payment.declined').first().waitFor();
    await page.locator('[data-state="requires_payment_method"].here').waitFor({ state: 'attached' });

    // A payment that a test card declines is explained.
    const other = await call('POST', '/v1/payment_intents', { amount: '4200', currency: 'usd' });
    await call('POST', `/v1/payment_intents/${String(other['id'])}/confirm`, {
      payment_method: 'pm_card_chargeDeclined',
      return_url: 'https://shop.example/done',
    });
    await screen('Timeline');
    await declined().click();
    const explanation = page.getByRole('article', { name: 'Call' });
    await explanation.getByText('✓ Decided the response').waitFor();
    expect(await explanation.locator('li.decided').innerText()).toContain('pm_card_chargeDeclined');
    const again = await explanation.getByLabel('Code').innerText();
    expect(again).toContain(`/v1/payment_intents/${String(other['id'])}/confirm`);
    expect(again).toContain('payment_method=pm_card_chargeDeclined');
    expect(again).not.toContain(sandbox.key);

    // A month later the subscription has renewed.
    const { subscription } = await subscribed();
    await screen('Clock');
    await page.getByRole('button', { name: '1 month', exact: true }).click();
    await page.getByText(/2025-01-01 → 2025-02-01/).waitFor();
    await page.getByRole('row', { name: /invoice\.created 1 time/ }).waitFor();
    await page.getByLabel('Until event').fill('invoice.paid');
    await page.getByLabel('Until event').press('Enter');
    await page.getByRole('row', { name: /invoice\.paid 1 time/ }).waitFor();
    expect(await call('GET', `/v1/invoices?subscription=${subscription}`)).toMatchObject({ data: [{}, {}] });

    // Back to before the decline, in a world of its own.
    await screen('Timeline');
    await declined().click();
    // Until it is shown, the button is that of what was shown before.
    await explanation.locator('li.decided').getByText('pm_card_chargeDeclined').waitFor();
    await page.getByRole('button', { name: 'Fork here' }).click();
    await page.getByText(/objects differ/).waitFor();
    await page.getByRole('table').getByText(String(other['id'])).first().waitFor();
    const worlds = (await sandbox.control.call('GET', '/worlds'))['data'] as { url: string; key: string }[];
    const [fork] = worlds.reverse();
    const { resources } = await new ControlClient(fork.url, fork.key).state('payment_intents');
    const intents = resources['payment_intents'];
    expect(intents.at(-1)).toMatchObject({ id: other['id'], status: 'requires_payment_method' });
    expect(intents.at(-1)?.['last_payment_error']).toBeNull();
  });

  test('each call is shown as it happens, in a row of its own', async () => {
    await page.getByText('Live', { exact: true }).waitFor();
    for (let n = 0; n < 5; n++) {
      await page.evaluate(NEXT_ROW);
      await call('POST', '/v1/customers', { name: `Ann ${n}` });
      // Resolves with the row; the next call is made behind it.
      expect(await page.evaluate('shown')).toEqual(expect.any(Number));
    }
  });

  /** A world in which every screen has something to show. @returns the addresses of the screens */
  async function everyScreen(): Promise<readonly string[]> {
    await sandbox.control.endpoint({ url: `${receiver.url}/hook` });
    const { subscription } = await subscribed();
    await call('POST', '/v1/payment_intents', { amount: '1', currency: 'usd' });
    await sandbox.control.fault({ resource: 'refunds', operation: 'create', status: 500 });
    await sandbox.control.pin({ resource: 'charges', path: 'outcome.risk_level', value: 'elevated' });
    await sandbox.control.flush();
    const { data } = (await sandbox.control.call('GET', '/traces?limit=1')) as { data: { id: string }[] };
    const sent = (await sandbox.control.call('GET', '/webhooks/deliveries?limit=1')) as { data: { id: string }[] };
    return [
      'home',
      'nonsense',
      'timeline',
      `timeline/${data[0].id}`,
      'objects/customers',
      `object/${subscription}`,
      'clock',
      'controls',
      `webhooks/${sent.data[0].id}`,
      'worlds',
      'worlds/compare/2/3',
      'pack',
      'pack/subscriptions',
    ];
  }

  /** Opens a screen and waits until it shows what it asked for. */
  async function visit(place: string): Promise<void> {
    await page.evaluate(`location.hash = '#/${place}'`);
    await page.waitForTimeout(400);
  }

  test.each([
    ...(IS_WHOLE
      ? ([
          ['light', 1440],
          ['dark', 1024],
        ] as const)
      : []),
    ['light', 390],
  ] as const)('axe finds nothing on any screen and nothing is cut, %s, %d px', async (scheme, width) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const look = async (place: string): Promise<void> => {
      expect([place, await page.evaluate(CUT)]).toEqual([place, []]);
      // By the protocol of the browser: the page's own policy allows no other scripts.
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: {
            run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
          };
        };
        const { violations } = await axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
      });
      expect([place, found]).toEqual([place, []]);
    };
    for (const place of await everyScreen()) {
      await visit(place);
      for (const details of await page.locator('details:not([open]) > summary').all())
        if (await details.isVisible()) await details.click();
      await look(place);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('cus');
    await page.getByRole('option').first().waitFor();
    await look('find');
    await page.keyboard.press('Escape');
    await visit('timeline');
    await page.getByRole('slider').press('ArrowLeft');
    await page.getByRole('button', { name: /Back to now/ }).waitFor();
    await look('the past');
  });

  test('Tab reaches every control of every screen, shows where it is, and leads out again', async () => {
    for (const place of sampleOf(await everyScreen(), 2)) {
      await visit(place);
      await page.evaluate('document.activeElement.blur()');
      const controls = (await page.evaluate(NUMBERED)) as readonly string[];
      const reached = new Set<number>();
      let before = -1;
      for (let presses = 0; presses <= 2 * controls.length + 20; presses++) {
        await page.keyboard.press('Tab');
        const { number, outline } = (await page.evaluate(FOCUSED)) as { number: number; outline: string };
        // A date has several parts.
        if (number < 0 || number === before) continue;
        if (reached.has(number)) break;
        before = number;
        reached.add(number);
        expect([place, controls[number], outline]).toEqual([place, controls[number], 'shown']);
      }
      expect([place, controls.filter((_control, number) => !reached.has(number))]).toEqual([place, []]);
    }
  });

  test('all by keys: screens, the list, the filter, help', async () => {
    await call('POST', '/v1/customers', { name: 'Ann' });
    await call('GET', '/v1/customers');
    await rows().nth(1).waitFor();
    for (const [key, name] of [
      ['o', 'Objects'],
      ['c', 'Clock'],
      ['p', 'Pack'],
      ['t', 'Timeline'],
    ]) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.locator('nav a[aria-current=page]', { hasText: name }).waitFor();
    }
    // The newest row is the one that keys begin at, as soon as it is there.
    await page.locator('[role=listitem][tabindex="0"]', { hasText: 'GET' }).focus();
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'POST /v1/customers' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'GET /v1/customers' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('post');
    await expectCount(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  async function expectCount(count: number): Promise<void> {
    await page.locator('[role=listitem]').nth(count).waitFor({ state: 'detached' });
    await page
      .locator('[role=listitem]')
      .nth(count - 1)
      .waitFor();
  }

  test('controls: a fault, a pin and a duration are added and taken back', async () => {
    await screen('Controls');
    await page.getByText('Add a fault', { exact: true }).click();
    await page.getByLabel('operation (required)').selectOption('customers.create');
    await page.getByLabel('status', { exact: true }).fill('503');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByRole('rowheader', { name: 'customers.create' }).waitFor();
    expect(await call('POST', '/v1/customers')).toHaveProperty('error');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('No active faults.').waitFor();

    await page.getByText('Override a value').click();
    await page.getByLabel('of (required)').selectOption('charges');
    await page.getByLabel('path (required)').selectOption('outcome.*');
    await page.getByLabel('member (required)').fill('risk_level');
    await page.getByLabel('value', { exact: true }).fill('highest');
    await page.getByRole('button', { name: 'Override', exact: true }).click();
    await page.getByRole('rowheader', { name: 'charges.outcome.risk_level' }).waitFor();

    await page.getByLabel('Value of payout_arrival').fill('5d');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByText('default 2d').waitFor();
    expect((await sandbox.control.call('GET', '/clock/durations'))['durations']).toMatchObject({
      payout_arrival: { value: '5d' },
    });
  });

  test('webhooks: an endpoint is added, a delivery shows what was sent and goes out again', async () => {
    await screen('Webhooks');
    await page.getByText('Add an endpoint', { exact: true }).click();
    await page.getByLabel('url (required)').fill(`${receiver.url}/hook`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('rowheader', { name: `${receiver.url}/hook` }).waitFor();
    await call('POST', '/v1/customers', { name: 'Ann' });
    await page.getByRole('listitem').filter({ hasText: 'customer.created' }).click();
    await page.getByText('Attempt 1: 200').waitFor();
    expect(await page.getByLabel('Request body').innerText()).toContain('"customer.created"');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Attempt 2: 200').waitFor();
  });

  test('of ten thousand objects only what is seen is in the document', async () => {
    const objects = Array.from({ length: 10_000 }, (_, n) => ({
      id: `cus_Many${String(n).padStart(10, '0')}`,
      name: `N ${n}`,
    }));
    await sandbox.control.seed({ resource: 'customers', objects });
    await page.goto(`${sandbox.url}/__admin__/#/objects/customers`);
    await page.getByText('10,000 objects').waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(80);
    expect(await page.evaluate(SCROLL)).toBeLessThan(80);
    expect(await page.getByText('cus_Many').count()).toBeGreaterThan(10);
    await page.getByRole('searchbox', { name: 'Search' }).fill('cus_Many0000009999');
    await page.getByText('1 object', { exact: true }).waitFor();
  });

  test('every screen opens by its link', async () => {
    for (const name of SCREENS) {
      await screen(name);
      await page.locator('nav a[aria-current=page]', { hasText: name }).waitFor();
    }
  });
});
