import { address, equal, key, receiver, step } from './kit.mjs';

const hook = await receiver();
/** Formats a date as applications do; a missing time throws. */
const day = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);

for (const version of ['14', '16', '17', '18', '20', '22', '23']) {
  const { default: Stripe } = await import(`stripe-${version}`);
  const stripe = new Stripe(key, address());
  // Release 23 of the client has another name for the parameter.
  const card = Number(version) < 23 ? { payment_method_types: ['card'] } : { allowed_payment_method_types: ['card'] };
  const named = (name, run) => step(`${version}: ${name}`, run);

  const customer = await named('a customer with a card', () =>
    stripe.customers.create({
      email: 'ann@example.com',
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    }),
  );
  await named('a payment, with its charge', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      expand: ['latest_charge'],
    });
    equal([intent.status, intent.latest_charge.amount], ['succeeded', 1000]);
  });
  await named('a decline is the error of a card', async () => {
    try {
      await stripe.paymentIntents.create({
        amount: 1000,
        currency: 'usd',
        confirm: true,
        payment_method: 'pm_card_chargeDeclined',
        ...card,
      });
    } catch (error) {
      equal([error.type, error.code, error.decline_code], ['StripeCardError', 'card_declined', 'generic_decline']);
      return;
    }
    throw new Error('nothing was thrown');
  });
  await named('what a bank asks for', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_threeDSecure2Required',
      ...card,
    });
    equal(intent.status, 'requires_action', 'status');
  });
  await named('authorised, captured in part, refunded', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      confirm: true,
      capture_method: 'manual',
      payment_method: 'pm_card_visa',
      ...card,
    });
    const captured = await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 700 });
    equal([captured.status, captured.amount_received], ['succeeded', 700]);
    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 200 });
    equal([refund.status, refund.amount], ['succeeded', 200]);
  });
  await named('a subscription, its invoice, its end', async () => {
    const product = await stripe.products.create({ name: 'Gold' });
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 1500,
      recurring: { interval: 'month' },
    });
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      expand: ['latest_invoice'],
    });
    equal([made.status, made.latest_invoice.status], ['active', 'paid']);
    const [item] = made.items.data;
    const ends = Number(version) < 18 ? made.current_period_end : item.current_period_end;
    if (day(ends) <= day(made.created)) throw new Error(`the period ends on ${day(ends)}`);
    const line = made.latest_invoice.lines.data[0];
    equal(Number(version) < 18 ? line.price.id : line.pricing.price_details.price, price.id, 'the price of the line');
    equal((await stripe.subscriptions.cancel(made.id)).status, 'canceled', 'status');
  });
  await named('all pages of a list', async () => {
    for (let i = 0; i < 5; i++) await stripe.products.create({ name: `p${i}` });
    let count = 0;
    for await (const _product of stripe.products.list({ limit: 2 })) count++;
    if (count < 6) throw new Error(`only ${count} products`);
  });
  await named('a search', async () => {
    const { data } = await stripe.customers.search({ query: "email:'ann@example.com'" });
    if (data.length === 0) throw new Error('nothing was found');
  });
  await named('the same key gives the same answer', async () => {
    const once = await stripe.customers.create({ name: 'Twice' }, { idempotencyKey: `twice-${version}` });
    const again = await stripe.customers.create({ name: 'Twice' }, { idempotencyKey: `twice-${version}` });
    equal(again.id, once.id, 'id');
  });
  await named('a checkout and a portal', async () => {
    const session = await stripe.checkout.sessions.create({
      mode: 'setup',
      currency: 'usd',
      success_url: 'https://example.com/done',
      customer: customer.id,
    });
    const portal = await stripe.billingPortal.sessions.create({ customer: customer.id });
    if (!session.url || !portal.url) throw new Error('no address');
  });
  await named('what is not there is told', async () => {
    try {
      await stripe.customers.retrieve('cus_00000000000000');
    } catch (error) {
      equal([error.type, error.code, error.statusCode], ['StripeInvalidRequestError', 'resource_missing', 404]);
      return;
    }
    throw new Error('nothing was thrown');
  });
  await named('its signatures', async () => {
    await hook.flush();
    if (hook.received.length === 0) throw new Error('nothing was received');
    for (const { body, headers } of hook.received.splice(0))
      stripe.webhooks.constructEvent(body, headers['stripe-signature'], hook.secret);
  });
}
hook.close();
process.exit(0);
