import type Stripe from 'stripe';
import { describeInBrowser } from '../../../support/browser.js';
import { useFront } from '../../../support/front.js';
import { bankIn, typeCard } from '../../../support/shop.js';

/**
 * A shop's page as the vendor's documents write it, on an origin of its own, with nothing changed but the address of the script:
 * the library that `browser.yaml` describes.
 */

/** The script of a shop's page that pays with a card element. */
const CARD = `
  const stripe = Stripe(KEY);
  const elements = stripe.elements();
  const card = elements.create('card', { style: { base: { fontSize: '16px' } } });
  card.mount('#element');
  card.on('change', ({ complete }) => { document.title = complete ? 'complete' : 'incomplete'; });
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const { paymentIntent, error } = await stripe.confirmCardPayment(SECRET, {
      payment_method: { card, billing_details: { name: 'Jenny Rosen' } },
    });
    document.querySelector('#outcome').textContent = error ? error.message : paymentIntent.status;
  });`;

/** A payment element, and the return to the shop. */
const PAYMENT = `
  const stripe = Stripe(KEY);
  const elements = stripe.elements({ clientSecret: SECRET, appearance: { theme: 'stripe' } });
  const payment = elements.create('payment');
  elements.create('linkAuthentication').mount('#email');
  payment.mount('#element');
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const { error } = await stripe.confirmPayment({
      elements, confirmParams: { return_url: location.origin + '/thanks' },
    });
    document.querySelector('#outcome').textContent = error.message;
  });`;

/** Three elements, a setup, and a payment method by itself. */
const SETUP = `
  const stripe = new Stripe(KEY);
  const elements = stripe.elements();
  const number = elements.create('cardNumber');
  number.mount('#element');
  elements.create('cardExpiry').mount('#expiry');
  elements.create('cardCvc').mount('#email');
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const made = await stripe.createPaymentMethod({ type: 'card', card: number });
    const { setupIntent, error } = await stripe.confirmCardSetup(SECRET, { payment_method: { card: number } });
    document.querySelector('#outcome').textContent =
      error ? error.message : setupIntent.status + ' ' + made.paymentMethod.card.brand;
  });`;

const IDEAL = `
  const stripe = Stripe(KEY);
  const ideal = stripe.elements().create('idealBank');
  ideal.mount('#element');
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    await stripe.confirmIdealPayment(SECRET, {
      payment_method: { ideal, billing_details: { name: 'Jenny Rosen' } },
      return_url: location.origin + '/thanks',
    });
  });`;

/** A form of elements, which the vendor adds up. */
const ELEMENTS = `
  const checkout = Stripe(KEY).initCheckout({ fetchClientSecret: () => Promise.resolve(SECRET) });
  const show = ({ total, canConfirm }) => {
    document.querySelector('#outcome').textContent = total.total.amount + ' ' + canConfirm;
  };
  checkout.on('change', show);
  checkout.createPaymentElement().mount('#element');
  checkout.loadActions().then(async ({ actions }) => {
    await actions.updateEmail('jenny@example.com');
    document.querySelector('form').addEventListener('submit', (event) => {
      event.preventDefault();
      actions.confirm();
    });
  });`;

const CHECKOUT = `
  document.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    Stripe(KEY).redirectToCheckout({ sessionId: SECRET });
  });`;

describeInBrowser('the library for pages in browsers', () => {
  const front = useFront('sk_test_browser');

  /** Opens a shop's page; `secret` is what its server told it. */
  async function open(script: string, secret: string | null, key = 'pk_test_browser'): Promise<void> {
    const constants = `const KEY = ${JSON.stringify(key)}, SECRET = ${JSON.stringify(secret)};`;
    front.shop.show(`<!doctype html><title>Shop</title><script src="${front.sandbox.url}/v3"></script>
      <form><div id="email"></div><div id="element"></div><div id="expiry"></div><button>Pay</button></form>
      <output id="outcome"></output><script>${constants}${script}</script>`);
    await front.page.goto(front.shop.origin);
  }

  const type = (number: string): Promise<void> => typeCard(front.page, number);
  const pay = (): Promise<void> => front.page.getByRole('button', { name: 'Pay' }).click();
  const { outcome } = front;
  /** How high the bank's page is once the browser has laid it out a few times. */
  const settledHeight = (): Promise<unknown> =>
    front.page.evaluate(`(async () => {
      for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
      return document.querySelector('[role=dialog] iframe').offsetHeight;
    })()`);
  const intent = (): Promise<Stripe.PaymentIntent> =>
    front.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });

  test('a card element pays, and says when it is complete', async () => {
    const { id, client_secret: secret } = await intent();
    await open(CARD, secret);
    await pay();
    await outcome('Your card number is incomplete.');
    await type('4242 4242 4242 4242');
    expect(await front.page.title()).toBe('complete');
    await pay();
    await outcome('succeeded');
    const { payment_method: method, status } = await front.stripe.paymentIntents.retrieve(id, {
      expand: ['payment_method'],
    });
    expect(status).toBe('succeeded');
    expect(method).toMatchObject({ card: { last4: '4242' }, billing_details: { name: 'Jenny Rosen' } });
  });

  test('a declined card is told, and another one may follow', async () => {
    await open(CARD, (await intent()).client_secret);
    await type('4000000000000002');
    await pay();
    await outcome('Your card was declined.');
    await type('5555555555554444');
    await pay();
    await outcome('succeeded');
  });

  test.each([
    ['Complete', 'succeeded'],
    ['Fail', /authenticat/],
  ])('3-D Secure opens over the page: %s', async (button, text) => {
    await open(CARD, (await intent()).client_secret);
    await type('4000000000003220');
    await pay();
    const choice = bankIn(front.page).getByRole('button', { name: button });
    await choice.waitFor();
    expect(await settledHeight()).toBe(560);
    await choice.click();
    await outcome(text);
    expect(await front.page.getByRole('dialog').count()).toBe(0);
  });

  test('a payment element leads back to the shop, after 3-D Secure too', async () => {
    for (const card of ['4242424242424242', '4000000000003220']) {
      const { id, client_secret: secret } = await intent();
      await open(PAYMENT, secret);
      await front.page.frameLocator('iframe[title*="email"]').getByLabel('Email').fill('jenny@example.com');
      await type(card);
      await pay();
      if (card.endsWith('3220')) await bankIn(front.page).getByRole('button', { name: 'Complete' }).click();
      await front.page.waitForURL('**/thanks?**');
      expect(Object.fromEntries(new URL(front.page.url()).searchParams)).toEqual({
        payment_intent: id,
        payment_intent_client_secret: secret,
        redirect_status: 'succeeded',
      });
    }
    const { data } = await front.stripe.charges.list();
    expect(data.map((charge) => charge.billing_details.email)).toEqual(['jenny@example.com', 'jenny@example.com']);
  });

  test('three elements go together: a payment method, and a setup', async () => {
    const { client_secret: secret } = await front.stripe.setupIntents.create({});
    await open(SETUP, secret);
    await type('4242424242424242');
    await pay();
    await outcome('succeeded visa');
  });

  test('a secret of another payment, and a secret key in a page', async () => {
    const { id } = await intent();
    await open(CARD, `${id}_secret_other`);
    await type('4242424242424242');
    await pay();
    await outcome(/client_secret/);
    const errors: string[] = [];
    front.page.on('pageerror', ({ message }) => void errors.push(message));
    await open(CARD, `${id}_secret_other`, 'sk_test_browser');
    expect(errors).toEqual(['Stripe(key) needs a key that begins with pk_test_']);
  });

  test('a card element stays within the height that the page gives it, and what is missing says so', async () => {
    await open(
      `${CARD}\nfor (const name of ['verifyIdentity']) try { stripe[name](); } catch ({ message }) { console.log(message); }`,
      (await intent()).client_secret,
    );
    await front.page.addStyleTag({ content: '#element { height: 44px }' });
    await type('4242424242424242');
    const [frame, button] = await Promise.all([
      front.page.locator('#element iframe').boundingBox(),
      front.page.locator('button').boundingBox(),
    ]);
    expect(Number(frame?.y) + Number(frame?.height)).toBeLessThanOrEqual(Number(button?.y));
    await pay();
    await outcome('succeeded');
  });

  test('a method of one kind goes to the page of its provider and back', async () => {
    const { id, client_secret: secret } = await front.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'eur',
      payment_method_types: ['ideal'],
    });
    await open(IDEAL, secret);
    await front.page.frameLocator('iframe').getByLabel('Bank').selectOption('ING Bank');
    await pay();
    await front.page.getByRole('button', { name: 'Authorize Test Payment' }).click();
    await front.page.waitForURL('**/thanks?**');
    const { payment_method: method, status } = await front.stripe.paymentIntents.retrieve(id, {
      expand: ['payment_method'],
    });
    expect(status).toBe('succeeded');
    expect(method).toMatchObject({ ideal: { bank: 'ing' }, billing_details: { name: 'Jenny Rosen' } });
  });

  test('elements of a checkout session pay it, after 3-D Secure', async () => {
    const price_data = { currency: 'usd', unit_amount: 500, product_data: { name: 'Tea' } };
    const session = await front.stripe.checkout.sessions.create({
      mode: 'payment',
      ui_mode: 'custom' as 'embedded',
      line_items: [{ price_data, quantity: 2 }],
      return_url: `${front.shop.origin}/thanks?session={CHECKOUT_SESSION_ID}`,
    });
    await open(ELEMENTS, session.client_secret);
    await outcome('$10.00 false');
    await type('4000000000003220');
    await outcome('$10.00 true');
    await pay();
    await bankIn(front.page).getByRole('button', { name: 'Complete' }).click();
    await front.page.waitForURL(`**/thanks?session=${session.id}`);
    expect(await front.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      customer_details: { email: 'jenny@example.com' },
    });
  });

  test('to the page of a checkout session', async () => {
    const price_data = { currency: 'usd', unit_amount: 500, product_data: { name: 'Tea' } };
    const items = [{ price_data, quantity: 1 }];
    const session = await front.stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: items,
      success_url: front.sandbox.url,
    });
    await open(CHECKOUT, session.id);
    await pay();
    await front.page.getByText('Tea').first().waitFor();
    expect(front.page.url()).toBe(session.url);
  });
});
