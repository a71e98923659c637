import type Stripe from 'stripe';
import { press, readPage } from '../../../support/page-forms.js';
import { expanded, idOf, KEY, refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

async function session(params: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<Stripe.Checkout.Session> {
  return stripe().checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://shop.test/done',
    line_items: [{ price_data: { currency: 'usd', unit_amount: 1500, product_data: { name: 'Shirt' } }, quantity: 2 }],
    ...params,
  });
}

test('a session without an email address can be completed', async () => {
  const { id } = await session();
  await payments.control.event('checkout.session.completed', { checkout_session_id: id });
  expect(await stripe().checkout.sessions.retrieve(id)).toMatchObject({
    status: 'complete',
    customer_details: { email: 'customer@example.com' },
  });
});

it('a call completes a session by its page', async () => {
  const { id } = await session();
  const page = await payments.get(`/v1/payment_pages/${id}`);
  const method = await stripe().paymentMethods.create({
    type: 'card',
    card: { token: 'tok_visa' },
    billing_details: { email: 'stripe@example.com' },
  });
  const confirm = () =>
    payments.post(`/v1/payment_pages/${String(page.body['id'])}/confirm`, { payment_method: method.id });
  const types = await payments.typesOf(confirm);
  expect(types).toContain('checkout.session.completed');
  expect(await stripe().checkout.sessions.retrieve(id)).toMatchObject({
    payment_status: 'paid',
    customer_details: { email: 'stripe@example.com' },
  });
  expect((await confirm()).status).toBe(400);
});

it.each([
  [undefined, 401],
  [`Bearer ${KEY}`, 404],
])('a quote’s PDF below /v1 with key %s', async (authorization, status) => {
  const answer = await payments.get('/v1/quotes/qt_wrong/pdf', { authorization });
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error' } });
});

it.each<[Stripe.PriceCreateParams.Recurring, string]>([
  [{ interval: 'month' }, '$30.00 USD a month'],
  [{ interval: 'week', interval_count: 2 }, '$30.00 USD every 2 weeks'],
])('the page of a subscription says what comes after its trial: %j', async (recurring, price) => {
  const { url } = await session({
    mode: 'subscription',
    line_items: [
      { price_data: { currency: 'usd', unit_amount: 1500, product_data: { name: 'Gold' }, recurring }, quantity: 2 },
    ],
    subscription_data: { trial_period_days: 7 },
  });
  const page = await readPage(url);
  expect(page).toContain('After the trial');
  expect(page).toContain(price);
  expect(await readPage((await session()).url)).not.toContain('After the trial');
});

it('the page asks for a tax id where the session wants one', async () => {
  const { id, url } = await session({ tax_id_collection: { enabled: true } });
  const filled = { email: 'a@example.com', name: 'Ada', tax_id_value: 'DE123456789' };
  expect(await (await press(String(url), 'Pay', filled)).text()).toContain('The kind of the tax id must be chosen.');
  await press(String(url), 'Pay', { ...filled, tax_id_type: 'eu_vat' });
  expect(await stripe().checkout.sessions.retrieve(id)).toMatchObject({
    status: 'complete',
    customer_details: { tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }] },
  });
  expect(await readPage((await session()).url)).not.toContain('Tax id');
});

it.each(['payment', 'setup'] as const)('the number of a declined card stays: %s', async (mode) => {
  const { url } = await session(mode === 'payment' ? {} : { mode, currency: 'usd', line_items: undefined });
  const button = mode === 'payment' ? 'Pay' : 'Save';
  const number = async () => /name="cardNumber"[^>]* value="(\d+)"/.exec(await readPage(url))?.[1];
  expect(await number()).toBe('4242424242424242');
  await press(String(url), button, { email: 'a@example.com', name: 'Ada', card_number: '4000000000000002' });
  expect(await number()).toBe('4000000000000002');
});

it('receipt_url opens a receipt of what was paid', async () => {
  const intent = await stripe().paymentIntents.create({
    amount: 1234,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    description: 'Two shirts',
    expand: ['latest_charge'],
  });
  const { receipt_url } = expanded(intent.latest_charge);
  const page = await fetch(String(receipt_url));
  expect(page.status).toBe(200);
  const text = await page.text();
  for (const word of ['$12.34', 'Two shirts', 'Visa ending in 4242']) expect(text).toContain(word);
  expect((await fetch(`${new URL(String(receipt_url)).origin}/receipts/ch_none`)).status).toBe(404);
});

it('a declined charge has no receipt', async () => {
  const error = await refused(
    stripe().paymentIntents.create({
      amount: 100,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_chargeDeclined',
    }),
  );
  const charge = await stripe().charges.retrieve(idOf((error.raw as { charge?: string }).charge));
  expect(charge.receipt_url).toBeNull();
});
