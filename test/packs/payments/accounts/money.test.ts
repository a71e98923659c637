import type Stripe from 'stripe';
import { useTestAccount } from '../test-account.js';

const HOME = 'acct_1Pgaf0LkdIwHu7ix';

describe('money between the platform and its accounts', () => {
  const account = useTestAccount('2026-01-01T00:00:00Z');
  let id: string;
  let there: Stripe.RequestOptions;

  beforeEach(async () => {
    ({ id } = await account.stripe.accounts.create({
      type: 'custom',
      capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    }));
    there = { stripeAccount: id };
    await account.fire('account.onboarded', { account_id: id });
    await account.advance('10s');
  });

  /** With a card whose money is available at once; the vendor's fee is 2.9 % + 30. */
  const pay = (amount: number, more: Partial<Stripe.PaymentIntentCreateParams> = {}, options?: Stripe.RequestOptions) =>
    account.stripe.paymentIntents.create(
      {
        amount,
        currency: 'usd',
        payment_method: 'pm_card_bypassPending',
        payment_method_types: ['card'],
        confirm: true,
        ...more,
      },
      options,
    );

  const total = ({ available, pending }: Stripe.Balance): number => available[0].amount + pending[0].amount;

  /** What the platform and the account have. */
  const both = async (): Promise<number[]> => [
    total(await account.stripe.balance.retrieve()),
    total(await account.stripe.balance.retrieve(there)),
  ];

  const FEE = { application_fee_amount: 1000 };
  const DESTINATION = () => ({ transfer_data: { destination: id } });

  test.each<[string, Stripe.RefundCreateParams, number, number]>([
    ['both flags', { reverse_transfer: true, refund_application_fee: true }, -320, 0],
    ['only the transfer', { reverse_transfer: true }, 680, -1000],
    ['no flag', {}, -9320, 9000],
    ['only the fee', { refund_application_fee: true }, -10320, 10000],
    ['a quarter, both', { amount: 2500, reverse_transfer: true, refund_application_fee: true }, 430, 6750],
  ])('a destination charge with a fee, refunded: %s', async (_, flags, platform, other) => {
    const intent = await pay(10_000, { ...FEE, ...DESTINATION() });
    expect(await both()).toEqual([680, 9000]);
    await account.stripe.refunds.create({ payment_intent: intent.id, ...flags });
    expect(await both()).toEqual([platform, other]);
  });

  test.each<[string, Stripe.RefundCreateParams, number, number]>([
    ['with the fee', { refund_application_fee: true }, 0, -320],
    ['without it', {}, 1000, -1320],
    ['a quarter, with it', { amount: 2500, refund_application_fee: true }, 750, 6430],
  ])('a direct charge with a fee, refunded: %s', async (_, flags, platform, other) => {
    const intent = await pay(10_000, FEE, there);
    expect(await both()).toEqual([1000, 8680]);
    const [booked] = (await account.stripe.balanceTransactions.list({ type: 'charge' }, there)).data;
    expect(booked).toMatchObject({ amount: 10_000, fee: 1320, net: 8680 });
    expect(booked.fee_details.map((each) => [each.type, each.amount])).toEqual([
      ['vendor_fee', 320],
      ['application_fee', 1000],
    ]);
    await account.stripe.refunds.create({ payment_intent: intent.id, ...flags }, there);
    expect(await both()).toEqual([platform, other]);
  });

  test('a destination charge of a part leaves the rest with the platform, without a fee', async () => {
    const { stripe } = account;
    const intent = await pay(10_000, { transfer_data: { destination: id, amount: 9000 } });
    expect(await both()).toEqual([680, 9000]);
    expect((await stripe.applicationFees.list()).data).toEqual([]);
    await stripe.refunds.create({ payment_intent: intent.id, reverse_transfer: true });
    expect(await both()).toEqual([-320, 0]);
  });

  test('the worked sequence', async () => {
    const { stripe } = account;
    const intent = await pay(15_000, { application_fee_amount: 1500, ...DESTINATION() });
    expect(await both()).toEqual([1035, 13_500]);
    await stripe.refunds.create({
      payment_intent: intent.id,
      amount: 5000,
      reverse_transfer: true,
      refund_application_fee: true,
    });
    expect(await both()).toEqual([535, 9000]);
    const payout = await stripe.payouts.create({ amount: 9000, currency: 'usd' }, {
      ...there,
      expand: ['destination'],
    } as never);
    expect(payout.id).toContain(id.slice(-10));
    expect(await both()).toEqual([535, 0]);
    const { data } = await stripe.transfers.list({ destination: id });
    await stripe.transfers.createReversal(data[0].id, { refund_application_fee: true });
    expect(await both()).toEqual([9535, -9000]);
    await pay(20_000, { application_fee_amount: 2000 }, there);
    expect(await both()).toEqual([11_535, 8390]);
    await stripe.accounts.del(id);
    expect(total(await stripe.balance.retrieve())).toBe(11_535);
    expect((await stripe.transfers.list()).data).toHaveLength(1);
    expect((await stripe.applicationFees.list()).data).toHaveLength(2);
  });

  test('an account that refunds what a transfer brought sends it back to who sent it', async () => {
    const { stripe } = account;
    await pay(20_000);
    const transfer = await stripe.transfers.create({ amount: 5000, currency: 'usd', destination: id });
    expect(await both()).toEqual([14_390, 5000]);
    const payment = String(transfer.destination_payment);
    const refund = await stripe.refunds.create({ charge: payment, amount: 2000, metadata: { why: 'too much' } }, there);
    const { reversals, amount_reversed } = await stripe.transfers.retrieve(transfer.id);
    expect([amount_reversed, reversals.data.map((each) => each.destination_payment_refund)]).toEqual([
      2000,
      [refund.id],
    ]);
    expect(refund).toMatchObject({
      charge: payment,
      metadata: { why: 'too much' },
      source_transfer_reversal: reversals.data[0].id,
    });
    expect(await both()).toEqual([16_390, 3000]);
    // The other way: what an account sends its platform.
    const up = await stripe.transfers.create({ amount: 1000, currency: 'usd', destination: HOME }, there);
    expect(await both()).toEqual([17_390, 2000]);
    await stripe.refunds.create({ charge: String(up.destination_payment) });
    expect(await both()).toEqual([16_390, 3000]);
    const other = await stripe.accounts.create({ type: 'standard' });
    await expect(
      stripe.transfers.create({ amount: 5, currency: 'usd', destination: other.id }, there),
    ).rejects.toMatchObject({ code: 'resource_missing', param: 'destination' });
  });

  test('a reversal and the refund on the other side name each other, and have the ids of their accounts', async () => {
    const { stripe } = account;
    await pay(20_000);
    const transfer = await stripe.transfers.create({ amount: 5000, currency: 'usd', destination: id });
    const reversal = await stripe.transfers.createReversal(transfer.id, { amount: 2000 });
    const refund = String(reversal.destination_payment_refund);
    // The account's own ten characters stand inside.
    expect(reversal.id).toMatch(new RegExp(`^trr_1.{5}${HOME.slice(-10)}.{8}$`));
    expect(refund).toMatch(new RegExp(`^pyr_1.{5}${id.slice(-10)}.{8}$`));
    expect(await stripe.refunds.retrieve(refund, {}, there)).toMatchObject({
      amount: 2000,
      charge: transfer.destination_payment,
      source_transfer_reversal: reversal.id,
    });
    await expect(stripe.refunds.retrieve(refund)).rejects.toMatchObject({ code: 'resource_missing' });
    // No bank pays it, so none rejects it.
    await expect(account.fire('refund.failed', { refund_id: refund })).rejects.toMatchObject({ status: 409 });
    const read = await stripe.transfers.retrieveReversal(transfer.id, reversal.id, {
      expand: ['transfer', 'balance_transaction'],
    });
    expect(read).toMatchObject({
      id: reversal.id,
      source_refund: null,
      transfer: { id: transfer.id, amount_reversed: 2000 },
      balance_transaction: { amount: 2000, source: reversal.id, type: 'transfer_refund' },
    });
    const other = await stripe.transfers.create({ amount: 100, currency: 'usd', destination: id });
    for (const [of, which] of [
      [other.id, reversal.id],
      [transfer.id, 'trr_1Nothing'],
    ])
      await expect(stripe.transfers.retrieveReversal(of, which)).rejects.toMatchObject({ code: 'resource_missing' });
    await account.sandbox.control.pin({ resource: 'refunds', path: 'branch', value: 'failed' });
    await account.advance('40d');
    expect(await stripe.refunds.retrieve(refund, {}, there)).toMatchObject({ status: 'succeeded' });
  });

  test('separate transfers of a charge arrive as payments, grouped, when its money does', async () => {
    const { stripe } = account;
    const intent = await stripe.paymentIntents.create({
      amount: 10_000,
      currency: 'usd',
      payment_method: 'pm_card_visa',
      payment_method_types: ['card'],
      confirm: true,
      transfer_group: 'order_7',
    });
    const source = String(intent.latest_charge);
    const transfer = await stripe.transfers.create({
      amount: 7000,
      currency: 'usd',
      destination: id,
      source_transaction: source,
    });
    expect(transfer.transfer_group).toBe('order_7');
    const payment = await stripe.charges.retrieve(String(transfer.destination_payment), {}, there);
    expect(payment).toMatchObject({
      amount: 7000,
      source_transfer: transfer.id,
      status: 'succeeded',
      transfer_group: 'order_7',
    });
    expect(payment.id).toMatch(/^py_/);
    expect((await stripe.balance.retrieve(there)).pending[0].amount).toBe(7000);
    await account.advance('3d');
    expect((await stripe.balance.retrieve(there)).available[0].amount).toBe(7000);
    await expect(
      stripe.transfers.create({ amount: 3001, currency: 'usd', destination: id, source_transaction: source }),
    ).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.charges.retrieve(payment.id)).rejects.toMatchObject({ statusCode: 404 });
    const fee = (await stripe.applicationFees.list()).data;
    expect(fee).toEqual([]);
  });

  test('application fees and their refunds are objects of the platform', async () => {
    const { stripe } = account;
    const intent = await pay(10_000, FEE, there);
    const [fee] = (await stripe.applicationFees.list({ charge: String(intent.latest_charge) })).data;
    expect(fee).toMatchObject({ account: id, amount: 1000, originating_transaction: null, refunded: false });
    const refund = await stripe.applicationFees.createRefund(fee.id, { amount: 400, metadata: { why: 'kind' } });
    expect(refund).toMatchObject({ amount: 400, fee: fee.id, metadata: { why: 'kind' } });
    await expect(stripe.applicationFees.createRefund(fee.id, { amount: 601 })).rejects.toThrow(
      'greater than unrefunded',
    );
    await stripe.applicationFees.createRefund(fee.id);
    expect(await stripe.applicationFees.retrieve(fee.id)).toMatchObject({ amount_refunded: 1000, refunded: true });
    expect(await both()).toEqual([0, 9680]);
    expect(
      (await account.events()).filter(({ type }) => type.startsWith('application_fee')).map(({ type }) => type),
    ).toEqual(['application_fee.created', 'application_fee.refunded', 'application_fee.refunded']);
  });

  test('what is refused', async () => {
    const { stripe } = account;
    const other = (await stripe.accounts.create({ type: 'express' })).id;
    const wrong = async (run: Promise<unknown>): Promise<unknown> => {
      const error = (await run.then(
        () => null,
        (thrown: unknown) => thrown,
      )) as Stripe.errors.StripeError | null;
      return [error?.statusCode, error?.code ?? error?.message];
    };
    expect(await wrong(pay(1000, { application_fee_amount: 100 }))).toEqual([400, 'parameter_missing']);
    expect(await wrong(pay(1000, { application_fee_amount: 1001, ...DESTINATION() }))).toEqual([
      400,
      expect.stringContaining('larger'),
    ]);
    expect(await wrong(pay(1000, { transfer_data: { destination: 'acct_1AAAAAAAAAAAAAAA' } }))).toEqual([
      400,
      'resource_missing',
    ]);
    expect(await wrong(pay(1000, { transfer_data: { destination: other } }))).toEqual([
      400,
      'insufficient_capabilities_for_transfer',
    ]);
    expect(await wrong(pay(1000, {}, { stripeAccount: other }))).toEqual([
      400,
      expect.stringContaining('cannot currently make charges'),
    ]);
    expect(await wrong(stripe.transfers.create({ amount: 5, currency: 'usd', destination: id }))).toEqual([
      400,
      'balance_insufficient',
    ]);
    expect(await wrong(stripe.payouts.create({ amount: 5, currency: 'usd' }, there))).toEqual([
      400,
      'balance_insufficient',
    ]);
  });

  test('a subscription shares each invoice by percent', async () => {
    const { stripe } = account;
    const customer = await stripe.customers.create({
      payment_method: 'pm_card_bypassPending',
      invoice_settings: { default_payment_method: 'pm_card_bypassPending' },
    });
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 10_000,
      recurring: { interval: 'month' },
      product_data: { name: 'Plan' },
    });
    await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      application_fee_percent: 10,
      transfer_data: { destination: id },
    });
    const [, own] = await both();
    expect(own).toBe(9000);
    expect((await stripe.applicationFees.list()).data).toMatchObject([{ amount: 1000, account: id }]);
  });
});
