import Stripe from 'stripe';
import { refused } from '../served-payments.js';
import { useTestAccount } from '../test-account.js';

/** Files and links to them, top-ups, and taxes by the rates that a test gives. */

const T0 = '2025-01-01T00:00:00Z';
const account = useTestAccount(T0);
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** The client sends files to a host of their own, which is the sandbox here. */
function uploading(): Stripe {
  const { url, key } = account.sandbox;
  const toSandbox: typeof fetch = (to, init) => fetch(new URL(new URL(String(to)).pathname, url), init);
  return new Stripe(key, { httpClient: Stripe.createFetchHttpClient(toSandbox), maxNetworkRetries: 0 });
}

const upload = (purpose: Stripe.FileCreateParams.Purpose, data = PNG, more: Partial<Stripe.FileCreateParams> = {}) =>
  uploading().files.create({ purpose, file: { data, name: 'proof.png', type: 'image/png' }, ...more });

test('a file is uploaded, listed and read again, by a link without a key too', async () => {
  const file = await upload('dispute_evidence', PNG, { file_link_data: { create: true } });
  expect(file).toMatchObject({ object: 'file', filename: 'proof.png', purpose: 'dispute_evidence', size: PNG.length, type: 'png' });
  const [link] = file.links?.data ?? [];
  for (const [url, headers] of [
    [link?.url, {}],
    [file.url, { Authorization: `Bearer ${account.sandbox.key}` }],
  ] as const)
    expect(Buffer.from(await (await fetch(String(url), { headers })).arrayBuffer())).toEqual(PNG);
  expect((await account.stripe.files.list({ purpose: 'dispute_evidence' })).data).toHaveLength(1);
  await account.stripe.fileLinks.update(link?.id ?? '', { expires_at: 'now' });
  expect((await fetch(String(link?.url))).status).toBe(404);
  expect(await account.stripe.fileLinks.retrieve(link?.id ?? '')).toMatchObject({ expired: true, url: null });
});

test('a file of the wrong kind is rejected, and one for nothing', async () => {
  expect(await refused(upload('identity_document', Buffer.from('MZ')))).toMatchObject({ param: 'file' });
  expect(await refused(upload('holiday' as 'dispute_evidence'))).toMatchObject({ param: 'purpose' });
});

test('a top-up arrives, fails, is canceled or goes back', async () => {
  const { stripe } = account;
  const before = (await stripe.balance.retrieve()).available[0].amount;
  const topups: Stripe.Topup[] = [];
  for (const amount of [1000, 2000, 4000, 8000]) topups.push(await stripe.topups.create({ amount, currency: 'usd' }));
  const [paid, failed, canceled, reversed] = topups;
  expect(paid).toMatchObject({ object: 'topup', status: 'pending', balance_transaction: null });
  await account.fire('topup.failed', { topup_id: failed.id });
  await stripe.topups.cancel(canceled.id);
  expect(await refused(stripe.topups.cancel(canceled.id))).toMatchObject({ message: expect.stringContaining('pending') as string });
  await account.advance('5d');
  await account.fire('topup.reversed', { topup_id: reversed.id });
  const statuses = await Promise.all(topups.map(({ id }) => stripe.topups.retrieve(id).then(({ status }) => status)));
  expect(statuses).toEqual(['succeeded', 'failed', 'canceled', 'reversed']);
  expect((await stripe.balance.retrieve()).available[0].amount).toBe(before + 1000);
  const { data: events } = await stripe.events.list({ limit: 100 });
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['topup.created', 'topup.succeeded', 'topup.failed', 'topup.canceled', 'topup.reversed']),
  );
});

test('settings of taxes are active once the head office is known, and tax codes are found', async () => {
  const { tax, taxCodes } = account.stripe;
  expect(await tax.settings.retrieve()).toMatchObject({
    object: 'tax.settings',
    head_office: null,
    status: 'pending',
    status_details: { pending: { missing_fields: ['head_office'] } },
  });
  const address = { country: 'DE', city: 'Berlin', line1: 'Weg 1', postal_code: '10115' };
  const defaults = { tax_behavior: 'inclusive', tax_code: 'txcd_10000000' } as const;
  expect(await tax.settings.update({ defaults, head_office: { address } })).toMatchObject({
    defaults,
    head_office: { address: { ...address, line2: null } },
    status: 'active',
    status_details: { active: {} },
  });
  expect((await account.news()).at(-1)).toBe('tax.settings.updated');
  const { data: codes } = await taxCodes.list({ limit: 3 });
  expect(codes).toHaveLength(3);
  expect(await taxCodes.retrieve(codes[2].id)).toEqual(codes[2]);
  expect(await refused(taxCodes.retrieve('txcd_1'))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
});

describe('taxes by the rates of the test', () => {
  const GERMANY = { address: { country: 'DE', city: 'Berlin', line1: 'Weg 1', postal_code: '10115' }, address_source: 'billing' } as const;
  const register = () =>
    account.stripe.tax.registrations.create({ country: 'DE', country_options: { de: { type: 'standard' } }, active_from: 'now' });
  const rate = () =>
    account.stripe.taxRates.create({ display_name: 'MwSt.', percentage: 19, inclusive: false, country: 'DE', tax_type: 'vat' });
  const calculate = (line: Partial<Stripe.Tax.CalculationCreateParams.LineItem> = {}) =>
    account.stripe.tax.calculations.create({
      currency: 'eur',
      customer_details: GERMANY,
      line_items: [{ amount: 1000, reference: 'tea', ...line }],
      expand: ['line_items'],
    });

  test('nothing is collected without a registration', async () => {
    await rate();
    expect(await calculate()).toMatchObject({ amount_total: 1000, tax_breakdown: [{ taxability_reason: 'not_collecting' }] });
  });

  test('a calculation, its transaction, and half of it back', async () => {
    await rate();
    await register();
    expect(await calculate({ amount: 1190, tax_behavior: 'inclusive' })).toMatchObject({ amount_total: 1190, tax_amount_inclusive: 190 });
    const calculation = await calculate();
    expect(calculation).toMatchObject({
      amount_total: 1190,
      tax_amount_exclusive: 190,
      tax_breakdown: [{ amount: 190, tax_rate_details: { country: 'DE', percentage_decimal: '19', tax_type: 'vat' } }],
      line_items: { data: [{ amount_tax: 190, reference: 'tea', tax_breakdown: [{ taxable_amount: 1000 }] }] },
    });
    const sold = await account.stripe.tax.transactions.createFromCalculation({ calculation: String(calculation.id), reference: 'order 1' });
    expect(await refused(account.stripe.tax.transactions.createFromCalculation({ calculation: String(calculation.id), reference: 'order 1' }))).toMatchObject({ param: 'reference' });
    const { id } = await account.stripe.tax.transactions.createReversal({ mode: 'partial', flat_amount: -595, original_transaction: sold.id, reference: 'back 1' });
    expect((await account.stripe.tax.transactions.listLineItems(id)).data).toMatchObject([{ amount: -500, amount_tax: -95, type: 'reversal' }]);
  });

  test('automatic tax of an invoice finds them', async () => {
    await rate();
    await register();
    const customer = await account.stripe.customers.create({ address: GERMANY.address });
    const invoice = await account.stripe.invoices.create({ customer: customer.id, currency: 'eur', automatic_tax: { enabled: true } });
    await account.stripe.invoiceItems.create({ customer: customer.id, invoice: invoice.id, amount: 1000, currency: 'eur' });
    expect(await account.stripe.invoices.finalizeInvoice(invoice.id)).toMatchObject({ subtotal: 1000, tax: 190, total: 1190, automatic_tax: { status: 'complete' } });
  });

  test('automatic tax of a subscription finds them, at its start and at each renewal', async () => {
    const { stripe } = account;
    await rate();
    await register();
    const price = await stripe.prices.create({ currency: 'eur', unit_amount: 1000, recurring: { interval: 'month' }, product_data: { name: 'Tea' } });
    const customer = await stripe.customers.create({
      address: GERMANY.address,
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
    const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }], automatic_tax: { enabled: true } });
    await account.advance('33d');
    const { data: invoices } = await stripe.invoices.list({ subscription: id });
    expect(invoices.map(({ tax, total, amount_paid }) => [tax, total, amount_paid])).toEqual([
      [190, 1190, 1190],
      [190, 1190, 1190],
    ]);
    // Where nothing is collected, no tax is found.
    await stripe.customers.update(customer.id, { address: { country: 'FR' } });
    await account.advance('31d');
    expect((await stripe.invoices.list({ subscription: id })).data[0]).toMatchObject({ total: 1000 });
  });

  test('a customer without a country', async () => {
    const { id } = await account.stripe.customers.create();
    expect(await refused(account.stripe.tax.calculations.create({ currency: 'eur', customer: id, line_items: [{ amount: 1 }] }))).toMatchObject({ code: 'customer_tax_location_invalid' });
  });

  test('tax ids of a calculation have a known kind and a value', async () => {
    const withTaxIds = (taxIds: object[]): Promise<unknown> =>
      refused(account.stripe.tax.calculations.create({ currency: 'eur', line_items: [{ amount: 1 }], customer_details: { address: { country: 'DE' }, address_source: 'billing', tax_ids: taxIds as [] } }));
    expect(await withTaxIds([{ type: 'eu_vat' }])).toMatchObject({ code: 'parameter_missing', param: 'customer_details[tax_ids][0][value]' });
    expect(await withTaxIds([{ type: 'none', value: 'DE123456789' }])).toMatchObject({ param: 'customer_details[tax_ids][0][type]' });
  });
});

test.each([
  ['us_bank_transfer', 'usd', 'aba'],
  ['eu_bank_transfer', 'eur', 'iban'],
  ['jp_bank_transfer', 'jpy', 'zengin'],
] as const)('funding instructions say where money goes: %s', async (type, currency, kind) => {
  const { id } = await account.stripe.customers.create();
  const ask = (given: string) =>
    account.stripe.customers.createFundingInstructions(id, {
      bank_transfer: { type, ...(type === 'eu_bank_transfer' ? { eu_bank_transfer: { country: 'DE' } } : {}) },
      currency: given,
      funding_type: 'bank_transfer',
    });
  const first = await ask(currency);
  expect(first).toMatchObject({
    object: 'funding_instructions',
    bank_transfer: { type, financial_addresses: [{ type: kind, [kind]: { account_holder_name: 'Sandbox' } }] },
  });
  expect(await ask(currency)).toEqual(first);
  expect(await refused(ask('chf'))).toMatchObject({ param: 'currency' });
});
