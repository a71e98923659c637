import type Stripe from 'stripe';
import { at, useTestAccount } from '../test-account.js';

const START = '2025-03-03T10:00:00Z';

describe('payouts and transfers', () => {
  const account = useTestAccount(START);

  /** Pays with a card whose money is available at once; the fee is 2.9 % + 30. */
  async function earn(amount: number): Promise<Stripe.PaymentIntent> {
    return account.stripe.paymentIntents.create({
      amount,
      currency: 'usd',
      payment_method: 'pm_card_bypassPending',
      payment_method_types: ['card'],
      confirm: true,
    });
  }

  async function available(): Promise<number> {
    const [usd] = (await account.stripe.balance.retrieve()).available;
    return usd.amount;
  }

  test('a payout leaves the balance at once and arrives by the clock', async () => {
    const { stripe } = account;
    await earn(10_000);
    expect(await available()).toBe(9680);
    await account.news();
    const payout = await stripe.payouts.create({ amount: 5000, currency: 'usd', metadata: { run: '7' } });
    expect(payout).toMatchObject({
      amount: 5000,
      arrival_date: at('2025-03-05T00:00:00Z'),
      automatic: false,
      method: 'standard',
      reconciliation_status: 'not_applicable',
      status: 'pending',
      type: 'bank_account',
    });
    expect(await account.news()).toEqual(['payout.created']);
    expect(await available()).toBe(4680);
    const { data } = await stripe.balanceTransactions.list({ payout: payout.id });
    expect(data).toMatchObject([
      { id: payout.balance_transaction, amount: -5000, net: -5000, type: 'payout', reporting_category: 'payout' },
    ]);
    expect(await account.advance('12h')).toEqual(['payout.updated']);
    expect((await stripe.payouts.retrieve(payout.id)).status).toBe('in_transit');
    expect(await account.advance(payout.arrival_date)).toEqual(['payout.paid']);
    const paid = await stripe.payouts.retrieve(payout.id, { expand: ['destination', 'balance_transaction'] });
    expect(paid).toMatchObject({
      status: 'paid',
      trace_id: { status: 'supported' },
      destination: { object: 'bank_account', account: 'acct_1Pgaf0LkdIwHu7ix', last4: '6789' },
      balance_transaction: { amount: -5000 },
    });
    const own = await stripe.accounts.retrieve();
    expect(own.external_accounts?.data[0]).toEqual(paid.destination);
    expect((await stripe.payouts.update(payout.id, { metadata: { run: '8' } })).metadata).toEqual({ run: '8' });
    expect(await account.news()).toEqual(['payout.updated']);
    expect((await stripe.payouts.list({ status: 'paid' })).data.map(({ id }) => id)).toEqual([payout.id]);
    expect((await stripe.payouts.list({ status: 'pending' })).data).toEqual([]);
    expect((await stripe.payouts.list({ arrival_date: { gt: payout.arrival_date } })).data).toEqual([]);
  });

  test('an instant payout is there in half an hour', async () => {
    await earn(10_000);
    const payout = await account.stripe.payouts.create({ amount: 100, currency: 'usd', method: 'instant' });
    expect(await account.advance('30m')).toEqual(['payout.paid']);
    expect(await account.stripe.payouts.retrieve(payout.id)).toMatchObject({ status: 'paid', method: 'instant' });
  });

  test.each([
    ['more than there is', { amount: 9681, currency: 'usd' }, { code: 'balance_insufficient' }],
    ['another currency', { amount: 1, currency: 'eur' }, { code: 'balance_insufficient' }],
    [
      'money from debits',
      { amount: 1, currency: 'usd', source_type: 'bank_account' },
      { code: 'balance_insufficient' },
    ],
    ['no currency there is', { amount: 1, currency: 'xxx' }, { param: 'currency' }],
    ['nothing', { amount: 0, currency: 'usd' }, { code: 'parameter_invalid_integer' }],
    ['to a stranger', { amount: 1, currency: 'usd', destination: 'ba_1' }, { code: 'resource_missing' }],
  ] as const)('a payout is refused: %s', async (_, params, error) => {
    await earn(10_000);
    await expect(account.stripe.payouts.create(params)).rejects.toMatchObject({ statusCode: 400, ...error });
    expect(await available()).toBe(9680);
  });

  test('pending payouts are canceled, later ones are not', async () => {
    const { stripe } = account;
    await earn(10_000);
    const payout = await stripe.payouts.create({ amount: 5000, currency: 'usd' });
    await account.news();
    const canceled = await stripe.payouts.cancel(payout.id, { expand: ['failure_balance_transaction'] });
    expect(canceled).toMatchObject({
      status: 'canceled',
      failure_balance_transaction: { amount: 5000, type: 'payout_cancel', reporting_category: 'payout_reversal' },
    });
    expect(await account.news()).toEqual(['payout.canceled']);
    expect(await available()).toBe(9680);
    await expect(stripe.payouts.cancel(payout.id)).rejects.toThrow('status of canceled');
    const other = await stripe.payouts.create({ amount: 5000, currency: 'usd' });
    await account.advance('1d');
    await expect(stripe.payouts.cancel(other.id)).rejects.toThrow('status of in_transit');
  });

  test.each(['pending', 'in_transit', 'paid'] as const)('the bank returns a payout that is %s', async (status) => {
    const { stripe } = account;
    await earn(10_000);
    const payout = await stripe.payouts.create({ amount: 5000, currency: 'usd' });
    if (status !== 'pending') await account.advance(status === 'paid' ? '3d' : '1d');
    expect((await stripe.payouts.retrieve(payout.id)).status).toBe(status);
    expect(await account.fire('payout.failed', { payout_id: payout.id, failure_code: 'no_account' })).toEqual([
      'payout.failed',
    ]);
    const failed = await stripe.payouts.retrieve(payout.id, { expand: ['failure_balance_transaction'] });
    expect(failed).toMatchObject({
      status: 'failed',
      failure_code: 'no_account',
      failure_balance_transaction: { amount: 5000, type: 'payout_failure' },
    });
    expect(failed.failure_message).toMatch(/^The bank account details on file/);
    expect(await available()).toBe(9680);
    await expect(account.fire('payout.paid', { payout_id: payout.id })).rejects.toMatchObject({ status: 409 });
  });

  test('a pinned branch makes a payout fail when it should arrive', async () => {
    await earn(10_000);
    const payout = await account.stripe.payouts.create({ amount: 5000, currency: 'usd' });
    await account.sandbox.control.pin({ resource: 'payouts', id: payout.id, path: 'branch', value: 'failed' });
    expect(await account.advance('3d')).toEqual(['payout.updated', 'payout.failed']);
  });

  test('a reversal brings a paid payout back', async () => {
    const { stripe } = account;
    await earn(10_000);
    const payout = await stripe.payouts.create({ amount: 5000, currency: 'usd' });
    await expect(stripe.payouts.reverse(payout.id)).rejects.toThrow('Pending payouts are canceled');
    expect(await account.fire('payout.paid', { payout_id: payout.id })).toEqual(['payout.paid']);
    const reversal = await stripe.payouts.reverse(payout.id, { metadata: { why: 'mistake' } });
    expect(reversal).toMatchObject({ amount: -5000, original_payout: payout.id, metadata: { why: 'mistake' } });
    expect((await stripe.payouts.retrieve(payout.id)).reversed_by).toBe(reversal.id);
    expect(await available()).toBe(4680);
    await account.advance('3d');
    expect(await available()).toBe(9680);
    await expect(stripe.payouts.reverse(payout.id)).rejects.toThrow('already been reversed');
  });

  test('an automatic payout takes everything and says what it held', async () => {
    const { stripe } = account;
    await expect(account.fire('payout.initiated', {})).rejects.toMatchObject({ status: 409 });
    await earn(10_000);
    await earn(20_000);
    expect(await account.fire('payout.initiated', {})).toEqual(['payout.created']);
    const [payout] = (await stripe.payouts.list()).data;
    expect(payout).toMatchObject({ amount: 29_070, automatic: true, reconciliation_status: 'in_progress' });
    expect(await available()).toBe(0);
    await expect(stripe.payouts.cancel(payout.id)).rejects.toThrow('Automatic payouts');
    const held = await stripe.balanceTransactions.list({ payout: payout.id, type: 'charge' });
    expect(held.data.map(({ net }) => net)).toEqual([19_390, 9680]);
    expect(await account.advance('3d')).toEqual(['payout.updated', 'payout.paid', 'payout.reconciliation_completed']);
    expect((await stripe.payouts.retrieve(payout.id)).reconciliation_status).toBe('completed');
  });

  test('a transfer and its reversals', async () => {
    const { stripe } = account;
    await earn(10_000);
    await account.news();
    const transfer = await stripe.transfers.create({
      amount: 4000,
      currency: 'usd',
      destination: 'acct_1NjDKM2FLZw5xvmo',
      transfer_group: 'order 7',
    });
    expect(transfer).toMatchObject({ amount_reversed: 0, reversed: false, reversals: { data: [] } });
    expect(await account.news()).toEqual(['transfer.created']);
    expect(await available()).toBe(5680);
    const part = await stripe.transfers.createReversal(transfer.id, { amount: 1000, metadata: { part: '1' } });
    expect(part).toMatchObject({ amount: 1000, transfer: transfer.id, metadata: { part: '1' } });
    expect(await account.news()).toEqual(['transfer.reversed']);
    expect(await available()).toBe(6680);
    await expect(stripe.transfers.createReversal(transfer.id, { amount: 3001 })).rejects.toThrow('($30.01)');
    const rest = await stripe.transfers.createReversal(transfer.id);
    expect(rest.amount).toBe(3000);
    const whole = await stripe.transfers.retrieve(transfer.id, { expand: ['balance_transaction'] });
    expect(whole).toMatchObject({ amount_reversed: 4000, reversed: true, balance_transaction: { amount: -4000 } });
    expect(whole.reversals.data.map(({ id }) => id)).toEqual([rest.id, part.id]);
    expect((await stripe.transfers.listReversals(transfer.id)).data).toEqual(whole.reversals.data);
    await expect(stripe.transfers.createReversal(transfer.id)).rejects.toThrow('already fully reversed');
    expect(await stripe.transfers.retrieveReversal(transfer.id, part.id)).toEqual(part);
    const noted = await stripe.transfers.updateReversal(transfer.id, part.id, { metadata: { seen: 'yes' } });
    expect(noted.metadata).toEqual({ part: '1', seen: 'yes' });
    await account.news();
    expect((await stripe.transfers.update(transfer.id, { description: 'share' })).description).toBe('share');
    expect(await account.news()).toEqual(['transfer.updated']);
    const other = await stripe.transfers.create({ amount: 1, currency: 'usd', destination: 'acct_2NjDKM2FLZw5xvmo' });
    await expect(stripe.transfers.retrieveReversal(other.id, part.id)).rejects.toMatchObject({ statusCode: 404 });
    expect((await stripe.transfers.list({ transfer_group: 'order 7' })).data).toHaveLength(1);
    expect((await stripe.transfers.list({ destination: 'acct_2NjDKM2FLZw5xvmo' })).data).toHaveLength(1);
  });

  test('a transfer of a charge waits for its money and takes no more', async () => {
    const { stripe } = account;
    const intent = await stripe.paymentIntents.create({
      amount: 5000,
      currency: 'usd',
      payment_method: 'pm_card_visa',
      payment_method_types: ['card'],
      confirm: true,
    });
    const charge = intent.latest_charge as string;
    const params = { currency: 'usd', destination: 'acct_1NjDKM2FLZw5xvmo' };
    await expect(stripe.transfers.create({ ...params, amount: 1000 })).rejects.toMatchObject({
      code: 'balance_insufficient',
    });
    const transfer = await stripe.transfers.create({ ...params, amount: 4000, source_transaction: charge });
    expect(transfer).toMatchObject({ source_transaction: charge, transfer_group: `group_${intent.id}` });
    await expect(stripe.transfers.create({ ...params, amount: 1001, source_transaction: charge })).rejects.toThrow(
      'must not exceed the source amount',
    );
    await expect(stripe.transfers.create({ ...params, amount: 1, destination: 'nobody' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'destination',
    });
    await account.advance('3d');
    expect(await available()).toBe(5000 - 175 - 4000);
  });

  test('the balance is the sum of its transactions', async () => {
    const { stripe } = account;
    await earn(10_000);
    await stripe.payouts.create({ amount: 3000, currency: 'usd' });
    const second = await stripe.payouts.create({ amount: 2000, currency: 'usd' });
    await stripe.payouts.cancel(second.id);
    const transfer = await stripe.transfers.create({
      amount: 1000,
      currency: 'usd',
      destination: 'acct_1NjDKM2FLZw5xvmo',
    });
    await stripe.transfers.createReversal(transfer.id, { amount: 400 });
    const { data } = await stripe.balanceTransactions.list({ limit: 100 });
    expect(data).toHaveLength(6);
    expect(await available()).toBe(data.reduce((sum, { net }) => sum + net, 0));
  });
});
