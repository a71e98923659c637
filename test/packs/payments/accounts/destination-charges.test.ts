import type Stripe from 'stripe';
import { chargeOf, idOf, refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;
const pay = payments.pay;

describe('destination charges', () => {
  const destination = 'acct_1PgafTB7WZ01zgMW';

  it('group what they pay, and pay it', async () => {
    const intent = await pay({ transfer_data: { destination } });
    const charge = chargeOf(intent);
    expect(intent.transfer_group).toBe(`group_${intent.id}`);
    expect(charge).toMatchObject({ transfer_group: `group_${intent.id}`, destination });
    expect(await stripe().transfers.retrieve(idOf(charge.transfer as string))).toMatchObject({
      amount: 1000,
      destination,
      source_transaction: charge.id,
      transfer_group: `group_${intent.id}`,
    });
    const { pending } = await stripe().balance.retrieve();
    expect(pending[0].amount).toBe(-59);
  });

  it('an application fee comes back, a refund can take the transfer back', async () => {
    const intent = await pay({ transfer_data: { destination }, application_fee_amount: 100 });
    expect((await stripe().balance.retrieve()).pending[0].amount).toBe(41);
    const refund = await stripe().refunds.create({
      payment_intent: intent.id,
      amount: 500,
      reverse_transfer: true,
      expand: ['transfer_reversal'],
    });
    expect(refund.transfer_reversal).toMatchObject({ amount: 500, source_refund: refund.id });
    expect(await stripe().transfers.retrieve(idOf(chargeOf(intent).transfer as string))).toMatchObject({
      amount_reversed: 500,
      reversed: false,
    });
  });

  it('a refund may ask for the application fee of a payment that has none', async () => {
    const { id } = await pay({ transfer_data: { destination, amount: 800 } });
    const refund = { payment_intent: id, refund_application_fee: true, reverse_transfer: true };
    expect(await stripe().refunds.create(refund)).toMatchObject({ amount: 1000, status: 'succeeded' });
    const plain = await pay();
    expect(await refused(stripe().refunds.create({ payment_intent: plain.id, refund_application_fee: true }))).toMatchObject({
      statusCode: 400,
      param: 'refund_application_fee',
    });
  });

  const price = async (): Promise<string> => {
    const product_data = { name: 'Gold' };
    const made = { currency: 'usd', unit_amount: 1000, recurring: { interval: 'month' as const }, product_data };
    return (await stripe().prices.create(made)).id;
  };
  const customer = async (): Promise<string> =>
    (await stripe().customers.create({ payment_method: 'pm_card_visa', invoice_settings: { default_payment_method: 'pm_card_visa' } }))
      .id;
  const transfer_data = { destination: '000000002' };
  const subscribe = async (params: Partial<Stripe.SubscriptionCreateParams> = {}): Promise<Stripe.Subscription> =>
    stripe().subscriptions.create({ customer: await customer(), items: [{ price: await price() }], ...params });

  it.each<[what: string, param: string, call: () => Promise<unknown>]>([
    ['a payment', 'transfer_data[destination]', () => pay({ transfer_data })],
    ['a transfer', 'destination', () => stripe().transfers.create({ amount: 1, currency: 'usd', ...transfer_data })],
    ['a subscription', 'transfer_data[destination]', () => subscribe({ transfer_data })],
    [
      'a changed subscription',
      'transfer_data[destination]',
      async () => stripe().subscriptions.update((await subscribe()).id, { transfer_data }),
    ],
    [
      'an invoice',
      'transfer_data[destination]',
      async () => stripe().invoices.create({ customer: await customer(), transfer_data }),
    ],
    [
      'a quote',
      'transfer_data[destination]',
      async () => stripe().quotes.create({ customer: await customer(), line_items: [{ price: await price() }], transfer_data }),
    ],
    [
      'a payment link',
      'transfer_data[destination]',
      async () => stripe().paymentLinks.create({ line_items: [{ price: await price(), quantity: 1 }], transfer_data }),
    ],
    [
      'a checkout',
      'subscription_data[transfer_data][destination]',
      async () =>
        stripe().checkout.sessions.create({
          mode: 'subscription',
          line_items: [{ price: await price(), quantity: 1 }],
          success_url: 'https://example.com/done',
          subscription_data: { transfer_data },
        }),
    ],
    [
      'a schedule',
      'phases[0][transfer_data][destination]',
      async () =>
        stripe().subscriptionSchedules.create({
          customer: await customer(),
          start_date: 'now',
          phases: [{ items: [{ price: await price() }], iterations: 1, transfer_data }],
        }),
    ],
  ])('what %s is for is an account', async (_, param, call) => {
    expect(await refused(call())).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param,
      message: "No such destination: '000000002'",
    });
  });

  it.each<[param: string, params: Partial<Stripe.SubscriptionCreateParams>]>([
    ['application_fee_percent', { application_fee_percent: 100.5 }],
    ['application_fee_percent', { application_fee_percent: -1 }],
    ['transfer_data[amount_percent]', { transfer_data: { destination, amount_percent: 101 } }],
  ])('%s is a share', async (param, params) => {
    expect(await refused(subscribe(params))).toMatchObject({ statusCode: 400, param });
  });
});
