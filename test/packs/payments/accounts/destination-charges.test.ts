import type Stripe from 'stripe';
import { expanded, idOf, refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

const pay = (params: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> =>
  stripe().paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    expand: ['latest_charge'],
    ...params,
  });
const chargeOf = (intent: Stripe.PaymentIntent): Stripe.Charge => expanded(intent.latest_charge);

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

  it.each([
    ['transfer_data[destination]', () => pay({ transfer_data: { destination: '000000002' } })],
    ['destination', () => stripe().transfers.create({ amount: 1, currency: 'usd', destination: '000000002' })],
  ])('%s that is no account is unknown', async (param, call) => {
    expect(await refused(call())).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param,
      message: "No such destination: '000000002'",
    });
  });
});
