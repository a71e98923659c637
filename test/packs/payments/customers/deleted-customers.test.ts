import type Stripe from 'stripe';
import { refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

describe('a customer that was deleted', () => {
  async function gone(): Promise<{ customer: string; price: Stripe.Price }> {
    const customer = (await stripe().customers.create()).id;
    const price = await stripe().prices.create({
      currency: 'usd',
      unit_amount: 1500,
      recurring: { interval: 'month' },
      product_data: { name: 'Gold' },
    });
    return { customer, price };
  }

  it('accepts no quote', async () => {
    const { customer, price } = await gone();
    const quote = await stripe().quotes.create({ customer, line_items: [{ price: price.id }] });
    await stripe().quotes.finalizeQuote(quote.id);
    await stripe().customers.del(customer);
    expect(await refused(stripe().quotes.accept(quote.id))).toMatchObject({ code: 'resource_missing' });
  });

  it.each([{}, { subscription_details: { billing_cycle_anchor: 'now' as const } }])(
    'has no preview (%j)',
    async (more) => {
      const { customer, price } = await gone();
      const subscription = await stripe().subscriptions.create({
        customer,
        items: [{ price: price.id }],
        trial_period_days: 5,
      });
      await stripe().customers.del(customer);
      const { message, statusCode } = await refused(
        stripe().invoices.createPreview({ subscription: subscription.id, ...more }),
      );
      expect([statusCode, message]).toEqual([400, `No such customer: '${customer}'`]);
    },
  );

  it.each(['billing_portal.card_updated', 'billing_portal.customer_updated'])('%s cannot happen', async (cause) => {
    const { customer } = await gone();
    const session = await stripe().billingPortal.sessions.create({ customer });
    await stripe().customers.del(customer);
    const { causes } = (await payments.control.next()) as { causes: readonly { cause: string }[] };
    expect(causes.map((each) => each.cause)).not.toContain(cause);
    await expect(payments.control.event(cause, { billing_portal_session_id: session.id })).rejects.toMatchObject({
      status: 409,
    });
  });
});
