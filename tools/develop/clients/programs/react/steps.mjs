/** A React shop whose checkout uses the vendor's published components, filled in and paid in Chromium. */
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { call, equal, key, step, url } from './kit.mjs';

writeFileSync(
  'shop.js',
  `import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { CheckoutElementsProvider, PaymentElement, useCheckoutElements } from '@stripe/react-stripe-js/checkout';

function Shop() {
  const state = useCheckoutElements();
  const [shown, show] = useState('');
  if (state.type !== 'success') return h('output', null, state.type === 'error' ? state.error.message : 'loading');
  const { checkout } = state;
  async function pay() {
    const result = await checkout.confirm({ redirect: 'if_required', email: 'jenny@example.com' });
    show(result.type === 'error' ? result.error.message : result.session.status.type);
  }
  async function discount() {
    const result = await checkout.applyPromotionCode('TEA20');
    if (result.type === 'error') show(result.error.message);
  }
  return h('div', null,
    h('p', { id: 'total' }, checkout.total.total.amount),
    h(PaymentElement),
    h('button', { onClick: discount }, 'Discount'),
    h('button', { onClick: pay, disabled: !checkout.canConfirm }, 'Pay'),
    h('output', null, shown));
}
createRoot(document.querySelector('#shop')).render(
  h(CheckoutElementsProvider, { stripe: Promise.resolve(Stripe(KEY)), options: { clientSecret: SECRET } }, h(Shop)));
`,
);
const bundle = await rolldown({
  input: 'shop.js',
  platform: 'browser',
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  logLevel: 'silent',
});
const [{ code }] = (await bundle.generate({ format: 'iife' })).output;
const coupon = await call('POST', '/v1/coupons', { percent_off: '20', duration: 'once' });
await call('POST', '/v1/promotion_codes', { coupon: coupon.id, code: 'TEA20' });

let secret;
const shop = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><script src="${url}/endive/stripe.js"></script><div id="shop"></div>
    <script>const KEY = '${key.replace('sk_', 'pk_')}', SECRET = '${secret}';</script>
    <script>${code.replaceAll('</script', '<\\/script')}</script>`);
});
await new Promise((resolve) => shop.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${shop.address().port}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});
const page = await browser.newPage();
page.setDefaultTimeout(60_000);
const problems = [];
page.on('pageerror', ({ message }) => problems.push(message));

async function opened() {
  const session = await call('POST', '/v1/checkout/sessions', {
    mode: 'payment',
    ui_mode: 'custom',
    allow_promotion_codes: 'true',
    'line_items[0][quantity]': '2',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '500',
    'line_items[0][price_data][product_data][name]': 'Tea',
    return_url: `${origin}/thanks`,
  });
  secret = session.client_secret;
  await page.goto(origin);
  return session.id;
}

async function fill(number) {
  const frame = page.frameLocator('iframe').first();
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel(/Expir/).fill('12 / 34');
  await frame.getByLabel(/CVC|Security code/).fill('123');
}

const says = (text) => page.locator('output', { hasText: text }).waitFor();
const totals = (text) => page.locator('#total', { hasText: text }).waitFor();

let id;
await step('the provider gives the session and its total', async () => {
  id = await opened();
  await totals('$10.00');
});
await step('a promotion code changes the total', async () => {
  await page.getByRole('button', { name: 'Discount' }).click();
  await totals('$8.00');
});
await step('a card that is typed pays', async () => {
  await fill('4242424242424242');
  await page.getByRole('button', { name: 'Pay' }).click();
  await says('complete');
  const { status, payment_status, amount_total } = await call('GET', `/v1/checkout/sessions/${id}`);
  equal([status, payment_status, amount_total], ['complete', 'paid', 800]);
});
await step('a declined card is told, and the session stays open', async () => {
  id = await opened();
  await totals('$10.00');
  await fill('4000000000000002');
  await page.getByRole('button', { name: 'Pay' }).click();
  await says('declined');
  equal((await call('GET', `/v1/checkout/sessions/${id}`)).status, 'open');
});
await step('nothing failed on the page', async () => equal(problems, []));
await browser.close();
shop.close();
