import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { describeInBrowser } from '../../../support/browser.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { type Front, useFront } from '../../../support/front.js';
import { bankIn, typeCard } from '../../../support/shop.js';
import { blocksOf } from '../../../tools/blocks.js';

/**
 * The library for pages behind what the vendor publishes on npm: `@stripe/stripe-js`, which loads it, and the components of
 * `@stripe/react-stripe-js`, both as they are; wallets and embedded checkout; and each method that the other tests do not call.
 */

const KEY = 'pk_test_loader';
const folder = scratchFolder();
const installed = (path: string): string => readFileSync(join('node_modules', path), 'utf8');

/** Loads the library by the vendor's loader, as an application that bundles it does. */
const LOADED = `import { loadStripe } from './loader.js';\nconst stripe = await loadStripe('${KEY}');\n`;
const FILES = { '/loader.js': installed('@stripe/stripe-js/dist/index.mjs') };

/** A shop in React: elements, the hooks, and the element by its component. */
const COMPONENTS = `
  import { loadStripe } from './loader.js';
  const { createElement: h, useState } = React;
  const { Elements, CardElement, EmbeddedCheckoutProvider, EmbeddedCheckout, useStripe, useElements } = ReactStripe;
  const loaded = loadStripe('${KEY}');
  function Form() {
    const stripe = useStripe();
    const elements = useElements();
    const [shown, show] = useState('');
    async function pay(event) {
      event.preventDefault();
      const card = elements.getElement(CardElement);
      const { paymentIntent, error } = await stripe.confirmCardPayment(SECRET, { payment_method: { card } });
      show(error ? error.message : paymentIntent.status);
    }
    return h('form', { onSubmit: pay }, h(CardElement), h('button', null, 'Pay'), h('output', null, shown));
  }
  ReactDOM.createRoot(document.querySelector('#element')).render(
    WANTED === 'card'
      ? h(Elements, { stripe: loaded }, h(Form))
      : h(EmbeddedCheckoutProvider, { stripe: loaded, options: { clientSecret: SECRET } }, h(EmbeddedCheckout)));`;
const REACT = {
  ...FILES,
  '/react.js': installed('react/umd/react.production.min.js'),
  '/react-dom.js': installed('react-dom/umd/react-dom.production.min.js'),
  '/react-stripe.js': installed('@stripe/react-stripe-js/dist/react-stripe.umd.min.js'),
};

/** A wallet's button, and a payment made only when the customer has agreed. */
const WALLET = `
  const elements = stripe.elements({ mode: 'payment', amount: 2000, currency: 'usd' });
  const wallet = elements.create('expressCheckout');
  wallet.on('ready', ({ availablePaymentMethods }) => { document.title = JSON.stringify(availablePaymentMethods); });
  wallet.on('click', ({ resolve }) => setTimeout(resolve, 10));
  wallet.on('confirm', async ({ billingDetails }) => {
    await elements.submit();
    const { error } = await stripe.confirmPayment({
      elements, clientSecret: SECRET, confirmParams: { return_url: location.origin + '/thanks?by=' + encodeURIComponent(billingDetails.name) },
    });
    show(error.message);
  });
  elements.create('payment').mount('#more');
  wallet.mount('#element');
  const button = await stripe.paymentRequest({ country: 'US', currency: 'usd' }).canMakePayment();
  show(String(button));`;

describeInBrowser('what the vendor publishes for pages', () => {
  const warnings: string[] = [];
  const front = useFront('sk_test_loader', (page) => {
    warnings.length = 0;
    page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
    page.on('pageerror', ({ message }) => void warnings.push(message));
  });

  /** Opens the shop's page with a script; `path` is what of the library it loads itself, if anything. */
  async function open(script: string, secret: string | null, path = '/endive/stripe.js', files = FILES): Promise<void> {
    const tag = path === '' ? '' : `<script src="${front.sandbox.url}${path}"></script>`;
    const shown = 'const show = (text) => { document.querySelector("#outcome").textContent = text; };';
    front.shop.show(
      `<!doctype html><title>Shop</title>${tag}<div id="element"></div><div id="more"></div><output id="outcome"></output>
      <script>const SECRET = ${JSON.stringify(secret)}; ${shown}</script><script type="module">${script}</script>`,
      files,
    );
    await front.page.goto(front.shop.origin);
  }

  const { outcome } = front;
  const intent = (more: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> =>
    front.stripe.paymentIntents.create({ amount: 2000, currency: 'usd', ...more });
  const embedded = (more: Partial<Stripe.Checkout.SessionCreateParams>): Promise<Stripe.Checkout.Session> =>
    front.stripe.checkout.sessions.create({
      ui_mode: 'embedded',
      mode: 'payment',
      line_items: [{ price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Tea' } }, quantity: 1 }],
      ...more,
    });

  test('the loader takes the script of the page without a word', async () => {
    await open(`${LOADED} show(typeof stripe.elements);`, null);
    await outcome('function');
    expect(warnings).toEqual([]);
  });

  test('the loader of an unchanged application is answered where a test routes the vendor to the sandbox', async () => {
    const [documented] = blocksOf('docs/start/installing.md').filter(({ language }) => language === 'js');
    const file = join(folder, 'route.mjs');
    writeFileSync(file, `export default async (page, sandbox) => {\n${documented.text}};\n`);
    const { default: route } = (await import(file)) as {
      default: (...given: [Front['page'], Front['sandbox']]) => Promise<void>;
    };
    await route(front.page, front.sandbox);
    const { client_secret: secret } = await intent();
    const pay = `show((await stripe.confirmCardPayment(SECRET, { payment_method: 'pm_card_visa' })).paymentIntent.status);`;
    await open(LOADED + pay, secret, '');
    await outcome('succeeded');
    expect(warnings).toEqual([]);
  });

  test('components of React pay, and show embedded checkout', async () => {
    const scripts = ['react', 'react-dom', 'react-stripe']
      .map((name) => `<script src="/${name}.js"></script>`)
      .join('');
    const openReact = (wanted: string, secret: string | null): Promise<void> => {
      front.shop.show(
        `<!doctype html><script src="${front.sandbox.url}/endive/stripe.js"></script><div id="element"></div>${scripts}
        <script>const SECRET = ${JSON.stringify(secret)}, WANTED = '${wanted}';</script>
        <script type="module">${COMPONENTS}</script>`,
        REACT,
      );
      return front.page.goto(front.shop.origin).then(() => undefined);
    };
    await openReact('card', (await intent()).client_secret);
    await typeCard(front.page, '4242424242424242');
    await front.page.getByRole('button', { name: 'Pay' }).click();
    await outcome('succeeded');
    await openReact('checkout', (await embedded({ redirect_on_completion: 'never' })).client_secret);
    await front.page.frameLocator('iframe').getByText('Tea').first().waitFor();
    expect(warnings).toEqual([]);
  });

  test('embedded checkout: the page of the session, and then the return to the shop', async () => {
    const session = await embedded({ return_url: `${front.shop.origin}/thanks?of={CHECKOUT_SESSION_ID}` });
    await open(
      `${LOADED} const fetchClientSecret = () => Promise.resolve(SECRET);
      (await stripe.initEmbeddedCheckout({ fetchClientSecret })).mount('#element');`,
      session.client_secret,
    );
    const frame = front.page.frameLocator('iframe');
    await frame.getByLabel('Email').fill('jenny@example.com');
    await frame.getByLabel('Name').fill('Jenny Rosen');
    await frame.getByRole('button', { name: 'Pay' }).click();
    await front.page.waitForURL('**/thanks?**');
    expect(front.page.url()).toBe(`${front.shop.origin}/thanks?of=${session.id}`);
    expect((await front.stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
  });

  test('embedded checkout without a return tells the page', async () => {
    const session = await embedded({ redirect_on_completion: 'never' });
    await open(
      `${LOADED} const page = await stripe.createEmbeddedCheckoutPage({ clientSecret: SECRET, onComplete: () => show('complete') });
      page.mount(document.querySelector('#element'));`,
      session.client_secret,
    );
    const frame = front.page.frameLocator('iframe');
    await frame.getByLabel('Email').fill('jenny@example.com');
    await frame.getByLabel('Name').fill('Jenny Rosen');
    await frame.getByLabel('Card number').fill('4000000000000002');
    await frame.getByRole('button', { name: 'Pay' }).click();
    await frame.getByText('Your card was declined.').first().waitFor();
    await frame.getByLabel('Card number').fill('4242424242424242');
    await frame.getByRole('button', { name: 'Pay' }).click();
    await outcome('complete');
    await frame.getByText('Thank you').first().waitFor();
  });

  test("a wallet's button pays, whatever stands in other elements; Link and other wallets are not there", async () => {
    const { id, client_secret: secret } = await intent();
    await open(LOADED + WALLET, secret);
    await outcome('null');
    expect(JSON.parse(await front.page.title())).toMatchObject({ googlePay: true, applePay: false, link: false });
    await typeCard(front.page, '4000000000000002');
    await front.page.frameLocator('iframe[title*="express"]').getByRole('button', { name: 'Google Pay' }).click();
    await front.page.waitForURL('**/thanks?**');
    expect(Object.fromEntries(new URL(front.page.url()).searchParams)).toEqual({
      by: 'Jenny Rosen',
      payment_intent: id,
      payment_intent_client_secret: secret,
      redirect_status: 'succeeded',
    });
    const { payment_method: method } = await front.stripe.paymentIntents.retrieve(id, { expand: ['payment_method'] });
    expect(method).toMatchObject({ card: { last4: '4242' }, billing_details: { name: 'Jenny Rosen' } });
  });

  test('every other method', async () => {
    const [card, sepa, actions, held] = await Promise.all([
      intent(),
      intent({ currency: 'eur', payment_method_types: ['sepa_debit'] }),
      intent({ payment_method: 'pm_card_threeDSecureRequired', confirm: true, use_stripe_sdk: true }),
      intent({ confirmation_method: 'manual' }),
    ]);
    const setup = await front.stripe.setupIntents.create({});
    const secrets = [card, sepa, actions, held, setup].map(({ client_secret: secret }) => secret);
    await open(
      `${LOADED}
      const [card, sepa, actions, held, setup] = ${JSON.stringify(secrets)};
      const said = {};
      const elements = stripe.elements({ clientSecret: setup });
      const payment = elements.create('payment');
      payment.mount('#element');
      const single = stripe.elements().create('card');
      single.mount('#more');
      await Promise.all([payment, single].map((element) => new Promise((resolve) => element.on('ready', resolve))));
      for (const place of ['#element', '#more'])
        for (const [name, value] of Object.entries({ number: '4242424242424242', exp: '12 / 34', csc: '123' }))
          document.querySelector(place + ' iframe').contentDocument.querySelector('[autocomplete=cc-' + name + ']').value = value;
      said.retrieved = (await stripe.retrievePaymentIntent(card)).paymentIntent.status;
      said.setup = (await stripe.retrieveSetupIntent(setup)).setupIntent.status;
      said.token = (await stripe.createToken(single, { name: 'Jenny Rosen' })).token.card.name;
      said.confirmation = (await stripe.createConfirmationToken({ elements })).confirmationToken.object;
      const debit = { sepa_debit: { iban: 'DE89370400440532013000' }, billing_details: { name: 'Jenny Rosen', email: 'j@example.com' } };
      said.debit = (await stripe.confirmSepaDebitPayment(sepa, { payment_method: debit })).paymentIntent.status;
      said.confirmed = (await stripe.confirmSetup({ elements, redirect: 'if_required' })).setupIntent.status;
      said.action = (await stripe.handleCardAction(held)).paymentIntent.status;
      show(JSON.stringify(said));
      const { paymentIntent } = await stripe.handleNextAction({ clientSecret: actions });
      show(paymentIntent.status);`,
      null,
    );
    await outcome('{');
    expect(JSON.parse((await front.page.locator('output').textContent()) ?? '')).toEqual({
      retrieved: 'requires_payment_method',
      setup: 'requires_payment_method',
      token: 'Jenny Rosen',
      confirmation: 'confirmation_token',
      debit: 'processing',
      confirmed: 'succeeded',
      action: 'requires_payment_method',
    });
    await bankIn(front.page).getByRole('button', { name: 'Complete' }).click();
    await outcome('succeeded');
    expect(warnings).toEqual([]);
  });
});
