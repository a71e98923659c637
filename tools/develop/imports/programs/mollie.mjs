/** Makes usual calls with the vendor's client `@mollie/api-client`, for its document. */
export default async function* (load, url, key) {
  const { createMollieClient } = load('@mollie/api-client');
  const client = createMollieClient({ apiKey: key, apiEndpoint: url });
  const amount = { currency: 'EUR', value: '12.50' };
  const { payments, customers, paymentLinks, profiles } = client;
  const sent = { amount, description: 'A kite', redirectUrl: 'https://example.org/done' };
  const payment = await payments.create(sent).catch(() => ({ id: 'tr_none' }));
  yield ['payments.create', () => payments.create(sent), { amount, description: 'A kite', id: String }];
  yield ['payments.get', () => payments.get(payment.id), { id: payment.id, amount }];
  yield ['payments.page', async () => ({ some: (await payments.page()).length > 0 }), { some: true }];
  yield [
    'payments.update',
    () => payments.update(payment.id, { description: 'A box kite' }),
    { description: 'A box kite' },
  ];
  const refund = { paymentId: payment.id, amount, description: 'Torn' };
  const made = await client.paymentRefunds.create(refund).catch(() => ({ id: 're_none' }));
  yield ['paymentRefunds.create', () => client.paymentRefunds.create(refund), { description: 'Torn', amount }];
  yield ['paymentRefunds.get', () => client.paymentRefunds.get(made.id, { paymentId: payment.id }), { id: made.id }];
  yield ['payments.cancel', () => payments.cancel(payment.id), { id: payment.id, status: 'canceled' }];
  const customer = await customers.create({ name: 'Ida' }).catch(() => ({ id: 'cst_none' }));
  const customerId = customer.id;
  yield ['customers.create', () => customers.create({ name: 'Ada', email: 'ada@example.org' }), { name: 'Ada' }];
  yield ['customers.get', () => customers.get(customerId), { id: customerId, name: 'Ida' }];
  yield ['customers.page', async () => ({ some: (await customers.page()).length > 0 }), { some: true }];
  yield ['customers.update', () => customers.update(customerId, { name: 'Eda' }), { id: customerId, name: 'Eda' }];
  yield [
    'customerPayments.create',
    () => client.customerPayments.create({ customerId, ...sent }),
    { description: 'A kite' },
  ];
  const mandate = { customerId, method: 'directdebit', consumerName: 'Ida', consumerAccount: 'NL55INGB0000000000' };
  const mandated = await client.customerMandates.create(mandate).catch(() => ({ id: 'mdt_none' }));
  yield ['customerMandates.create', () => client.customerMandates.create(mandate), { method: 'directdebit' }];
  yield ['customerMandates.get', () => client.customerMandates.get(mandated.id, { customerId }), { id: mandated.id }];
  const subscription = { customerId, amount, interval: '1 month', description: 'Kites' };
  const subscribed = await client.customerSubscriptions.create(subscription).catch(() => ({ id: 'sub_none' }));
  yield [
    'customerSubscriptions.create',
    () => client.customerSubscriptions.create(subscription),
    { interval: '1 month', description: 'Kites' },
  ];
  yield [
    'customerSubscriptions.get',
    () => client.customerSubscriptions.get(subscribed.id, { customerId }),
    { id: subscribed.id },
  ];
  yield [
    'customerSubscriptions.cancel',
    () => client.customerSubscriptions.cancel(subscribed.id, { customerId }),
    { status: 'canceled' },
  ];
  const link = await paymentLinks.create({ amount, description: 'Kite' }).catch(() => ({ id: 'pl_none' }));
  yield ['paymentLinks.create', () => paymentLinks.create({ amount, description: 'Kite' }), { description: 'Kite' }];
  yield ['paymentLinks.get', () => paymentLinks.get(link.id), { id: link.id, amount }];
  const profile = { name: 'Kites', website: 'https://example.org', email: 'ida@example.org', phone: '+31208202070' };
  yield ['profiles.create', () => profiles.create(profile), { name: 'Kites' }];
  yield ['methods.list', async () => ({ is: (await client.methods.list()) instanceof Array }), { is: true }];
  yield ['customers.delete', () => customers.delete(customerId), {}];
}
