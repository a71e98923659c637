import { servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;
const subscribed = payments.subscribed;
describe('plan and quantity of a subscription', () => {
  it('are those of its only item', async () => {
    const subscription = await subscribed();
    expect(subscription).toMatchObject({ plan: { object: 'plan', amount: 1500 }, quantity: 2 });
  });

  it('are null when there are several, and come back with the last but one', async () => {
    const subscription = await subscribed(2);
    expect(subscription).toMatchObject({ plan: null, quantity: null });
    const [item] = subscription.items.data;
    await stripe().subscriptionItems.del(item.id);
    const [left] = (await stripe().subscriptions.retrieve(subscription.id)).items.data;
    expect(await stripe().subscriptions.retrieve(subscription.id)).toMatchObject({
      plan: { id: left.plan.id },
      quantity: 2,
    });
  });
});

describe('invoices', () => {
  it('a paid invoice does not advance any more', async () => {
    expect((await subscribed()).latest_invoice).toMatchObject({ status: 'paid', auto_advance: false });
  });

  it('an amount has a price of its own, which no list shows', async () => {
    const customer = (await stripe().customers.create()).id;
    const item = await stripe().invoiceItems.create({ customer, amount: 1000, currency: 'usd', description: 'Work' });
    expect(item.price).toMatchObject({ active: false, type: 'one_time', unit_amount: 1000 });
    const invoice = await stripe().invoices.create({ customer, pending_invoice_items_behavior: 'include' });
    expect(invoice.lines.data[0].price).toEqual(item.price);
    expect(await stripe().products.retrieve(String(item.price?.product))).toMatchObject({
      name: 'Work',
      active: false,
    });
    expect((await stripe().prices.list()).data).toEqual([]);
  });

  it("credits before tax are told, and a subscription's invoice has no rendering", async () => {
    const { latest_invoice } = await subscribed();
    expect(latest_invoice).toMatchObject({
      rendering: null,
      total_pretax_credit_amounts: [],
      lines: { data: [{ pretax_credit_amounts: [] }] },
    });
  });

  it('discounts are credits before tax', async () => {
    const customer = (await stripe().customers.create()).id;
    const coupon = (await stripe().coupons.create({ percent_off: 10 })).id;
    await stripe().invoiceItems.create({ customer, amount: 1000, currency: 'usd' });
    const invoice = await stripe().invoices.create({
      customer,
      discounts: [{ coupon }],
      pending_invoice_items_behavior: 'include',
    });
    const credit = { amount: 100, discount: invoice.discounts[0], type: 'discount' };
    expect(invoice).toMatchObject({
      total_pretax_credit_amounts: [credit],
      lines: { data: [{ pretax_credit_amounts: [credit] }] },
    });
  });
});
