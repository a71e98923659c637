import { customerWith, useTestAccount } from '../test-account.js';

const START = '2025-03-03T10:00:00Z';

describe('confirmation tokens and cash balances', () => {
  const account = useTestAccount(START);

  test('a confirmation token shows how somebody will pay', async () => {
    const { stripe } = account;
    const token = await stripe.testHelpers.confirmationTokens.create({
      payment_method: 'pm_card_visa',
      return_url: 'https://example.com/back',
      setup_future_usage: 'off_session',
      shipping: { name: 'Jenny', address: { line1: 'Main 1' } },
    });
    expect(token).toMatchObject({
      object: 'confirmation_token',
      expires_at: account.now() + 12 * 3600,
      payment_intent: null,
      setup_intent: null,
      payment_method_preview: { type: 'card', customer: null, card: { brand: 'visa', last4: '4242' } },
      return_url: 'https://example.com/back',
      shipping: { name: 'Jenny', phone: null, address: { line1: 'Main 1', city: null } },
    });
    expect(await stripe.confirmationTokens.retrieve(token.id)).toEqual(token);
    const debit = await stripe.testHelpers.confirmationTokens.create({
      payment_method_data: {
        type: 'us_bank_account',
        billing_details: { name: 'Jenny' },
        us_bank_account: {
          account_number: '000123456789',
          routing_number: '110000000',
          account_holder_type: 'company',
        },
      },
    });
    expect(debit.payment_method_preview).toMatchObject({
      type: 'us_bank_account',
      billing_details: { name: 'Jenny' },
      us_bank_account: { last4: '6789', account_holder_type: 'company' },
    });
    await expect(stripe.testHelpers.confirmationTokens.create({})).rejects.toMatchObject({ code: 'parameter_missing' });
  });

  test.each(['at creation', 'at confirmation'] as const)('a token pays once, given %s', async (moment) => {
    const { stripe } = account;
    const customer = await stripe.customers.create();
    const token = await stripe.testHelpers.confirmationTokens.create({
      payment_method: 'pm_card_visa',
      setup_future_usage: 'off_session',
      shipping: { name: 'Jenny', address: { line1: 'Main 1' } },
    });
    const params = { amount: 1000, currency: 'usd', customer: customer.id };
    const use = { confirmation_token: token.id };
    const intent =
      moment === 'at creation'
        ? await stripe.paymentIntents.create({ ...params, ...use, confirm: true })
        : await stripe.paymentIntents.confirm((await stripe.paymentIntents.create(params)).id, use);
    expect(intent).toMatchObject({
      status: 'succeeded',
      setup_future_usage: 'off_session',
      shipping: { name: 'Jenny', carrier: null },
    });
    expect(await stripe.confirmationTokens.retrieve(token.id)).toMatchObject({
      payment_intent: intent.id,
      expires_at: null,
    });
    expect(await stripe.paymentMethods.retrieve(intent.payment_method as string)).toMatchObject({
      customer: customer.id,
      card: { last4: '4242' },
    });
    await expect(stripe.paymentIntents.create({ ...params, ...use, confirm: true })).rejects.toThrow(
      'already been used',
    );
  });

  test('a token sets up, and brings its address to come back to', async () => {
    const { stripe } = account;
    const token = await stripe.testHelpers.confirmationTokens.create({
      payment_method: 'pm_card_threeDSecure2Required',
      return_url: 'https://example.com/back',
    });
    const setup = await stripe.setupIntents.create({ confirm: true, confirmation_token: token.id });
    expect(setup).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: 'https://example.com/back' } },
    });
    expect((await stripe.confirmationTokens.retrieve(token.id)).setup_intent).toBe(setup.id);
    const other = await stripe.testHelpers.confirmationTokens.create({ payment_method: 'pm_card_visa' });
    const open = await stripe.setupIntents.create({});
    expect((await stripe.setupIntents.confirm(open.id, { confirmation_token: other.id })).status).toBe('succeeded');
  });

  test('a token is refused', async () => {
    const { stripe } = account;
    const params = { amount: 1000, currency: 'usd', confirm: true };
    await expect(stripe.paymentIntents.create({ ...params, confirmation_token: 'ctoken_1' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'confirmation_token',
    });
    const token = await stripe.testHelpers.confirmationTokens.create({ payment_method: 'pm_card_visa' });
    const use = { confirmation_token: token.id };
    await expect(stripe.paymentIntents.create({ ...params, ...use, confirm: false })).rejects.toThrow('`confirm`');
    await account.advance('12h');
    await expect(stripe.paymentIntents.create({ ...params, ...use })).rejects.toThrow('has expired');
  });

  test('a bank transfer pays what waits for it, oldest first', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const params = {
      amount: 1000,
      currency: 'usd',
      customer: customer.id,
      payment_method_types: ['customer_balance'],
      payment_method_data: { type: 'customer_balance' as const },
      payment_method_options: {
        customer_balance: {
          funding_type: 'bank_transfer' as const,
          bank_transfer: { type: 'us_bank_transfer' as const },
        },
      },
      confirm: true,
    };
    const first = await stripe.paymentIntents.create(params);
    expect(first).toMatchObject({
      status: 'requires_action',
      next_action: {
        type: 'display_bank_transfer_instructions',
        display_bank_transfer_instructions: { amount_remaining: 1000, currency: 'usd', type: 'us_bank_transfer' },
      },
    });
    await account.advance('1s');
    const second = await stripe.paymentIntents.create(params);
    await account.news();
    const sent = await stripe.testHelpers.customers.fundCashBalance(customer.id, {
      amount: 1400,
      currency: 'usd',
      reference: 'INV 7',
    });
    expect(sent).toMatchObject({
      type: 'funded',
      net_amount: 1400,
      ending_balance: 1400,
      customer: customer.id,
      funded: { bank_transfer: { reference: 'INV 7', type: 'us_bank_transfer', us_bank_transfer: { network: 'ach' } } },
    });
    expect(await account.news()).toEqual([
      'customer_cash_balance_transaction.created',
      'customer_cash_balance_transaction.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'charge.updated',
      'customer_cash_balance_transaction.created',
      'payment_intent.partially_funded',
    ]);
    expect((await stripe.paymentIntents.retrieve(first.id)).status).toBe('succeeded');
    expect((await stripe.paymentIntents.retrieve(second.id)).next_action).toMatchObject({
      display_bank_transfer_instructions: { amount_remaining: 600 },
    });
    const moves = await stripe.customers.listCashBalanceTransactions(customer.id);
    expect(moves.data.map(({ net_amount, ending_balance }) => [net_amount, ending_balance])).toEqual([
      [-400, 0],
      [-1000, 400],
      [1400, 1400],
    ]);
    expect(moves.data[0].applied_to_payment).toEqual({ payment_intent: second.id });
    expect(await stripe.customers.retrieveCashBalanceTransaction(customer.id, sent.id)).toEqual(sent);
    await stripe.paymentIntents.cancel(second.id);
    expect((await stripe.customers.retrieveCashBalance(customer.id)).available).toEqual({ usd: 400 });
    const third = await stripe.paymentIntents.create({ ...params, amount: 300 });
    expect(third.status).toBe('succeeded');
    expect((await stripe.customers.retrieve(customer.id, { expand: ['cash_balance'] })) as object).toMatchObject({
      cash_balance: { available: { usd: 100 }, settings: { reconciliation_mode: 'automatic' } },
    });
  });

  test('with matching by hand nothing is paid by itself', async () => {
    const { stripe } = account;
    const customer = await stripe.customers.create({ cash_balance: { settings: { reconciliation_mode: 'manual' } } });
    const intent = await stripe.paymentIntents.create({
      amount: 1000,
      currency: 'eur',
      customer: customer.id,
      payment_method_types: ['customer_balance'],
      payment_method_data: { type: 'customer_balance' },
      payment_method_options: {
        customer_balance: {
          funding_type: 'bank_transfer',
          bank_transfer: { type: 'eu_bank_transfer', eu_bank_transfer: { country: 'DE' } },
        },
      },
      confirm: true,
    });
    await account.news();
    await account.sandbox.control.event('cash_balance.funded', {
      customer_id: customer.id,
      amount: 1200,
      currency: 'eur',
    });
    expect(await account.news()).toEqual(['customer_cash_balance_transaction.created', 'cash_balance.funds_available']);
    await expect(stripe.paymentIntents.applyCustomerBalance(intent.id, { amount: 1001 })).rejects.toMatchObject({
      code: 'balance_insufficient',
    });
    expect((await stripe.paymentIntents.applyCustomerBalance(intent.id, { amount: 400 })).status).toBe(
      'requires_action',
    );
    expect((await stripe.paymentIntents.applyCustomerBalance(intent.id)).status).toBe('succeeded');
    await expect(stripe.paymentIntents.applyCustomerBalance(intent.id)).rejects.toThrow('status of succeeded');
    expect(await stripe.customers.retrieveCashBalance(customer.id)).toEqual({
      object: 'cash_balance',
      available: { eur: 200 },
      customer: customer.id,
      livemode: false,
      settings: { reconciliation_mode: 'manual', using_merchant_default: false },
    });
    const set = await stripe.customers.updateCashBalance(customer.id, {
      settings: { reconciliation_mode: 'merchant_default' },
    });
    expect(set.settings).toEqual({ reconciliation_mode: 'automatic', using_merchant_default: true });
  });

  test('bank transfers need a customer and a currency that has them', async () => {
    const { stripe } = account;
    const params = {
      amount: 1000,
      currency: 'usd',
      payment_method_types: ['customer_balance'],
      payment_method_data: { type: 'customer_balance' as const },
      confirm: true,
    };
    await expect(stripe.paymentIntents.create(params)).rejects.toMatchObject({ param: 'customer' });
    const customer = await stripe.customers.create();
    const money = { amount: 1, currency: 'sek' };
    await expect(
      stripe.paymentIntents.create({ ...params, currency: 'sek', customer: customer.id }),
    ).rejects.toMatchObject({ param: 'currency' });
    await expect(stripe.testHelpers.customers.fundCashBalance(customer.id, money)).rejects.toMatchObject({
      param: 'currency',
    });
    expect((await stripe.customers.retrieveCashBalance(customer.id)).available).toBeNull();
  });
});
