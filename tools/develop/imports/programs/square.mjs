/** Makes usual calls with the vendor's client `square`, for its document. */
export default async function* (load, url, key) {
  const { SquareClient } = load('square');
  const { customers, payments, refunds, locations, orders, cards } = new SquareClient({ token: key, baseUrl: url });
  const one = async (sent, name) => (await sent)[name];
  const ida = { givenName: 'Ida', emailAddress: 'ida@example.org' };
  const person = await one(customers.create({ idempotencyKey: 'a', ...ida }), 'customer').catch(() => ({ id: 'none' }));
  const customerId = person.id;
  yield ['customers.create', () => one(customers.create({ idempotencyKey: 'b', ...ida }), 'customer'), ida];
  yield ['customers.get', () => one(customers.get({ customerId }), 'customer'), { id: customerId, ...ida }];
  yield ['customers.list', async () => ({ some: (await customers.list()).data.length > 0 }), { some: true }];
  yield [
    'customers.update',
    () => one(customers.update({ customerId, givenName: 'Eda' }), 'customer'),
    { id: customerId, givenName: 'Eda' },
  ];
  const amountMoney = { amount: 1200n, currency: 'EUR' };
  const sent = { sourceId: 'cnon:card-nonce-ok', idempotencyKey: 'c', amountMoney };
  const payment = await one(payments.create(sent), 'payment').catch(() => ({ id: 'none' }));
  yield ['payments.create', () => one(payments.create({ ...sent, idempotencyKey: 'd' }), 'payment'), { amountMoney }];
  yield [
    'payments.get',
    () => one(payments.get({ paymentId: payment.id }), 'payment'),
    { id: payment.id, amountMoney },
  ];
  yield ['payments.list', async () => ({ some: (await payments.list()).data.length > 0 }), { some: true }];
  yield ['payments.complete', () => one(payments.complete({ paymentId: payment.id }), 'payment'), { id: payment.id }];
  const back = { idempotencyKey: 'e', amountMoney, paymentId: payment.id };
  const refund = await one(refunds.refundPayment(back), 'refund').catch(() => ({ id: 'none' }));
  yield [
    'refunds.refundPayment',
    () => one(refunds.refundPayment({ ...back, idempotencyKey: 'f' }), 'refund'),
    { amountMoney },
  ];
  yield ['refunds.get', () => one(refunds.get({ refundId: refund.id }), 'refund'), { id: refund.id }];
  const location = { name: 'Hill', address: { addressLine1: 'Up 1' } };
  const made = await one(locations.create({ location }), 'location').catch(() => ({ id: 'none' }));
  yield ['locations.create', () => one(locations.create({ location }), 'location'), { name: 'Hill' }];
  yield ['locations.get', () => one(locations.get({ locationId: made.id }), 'location'), { id: made.id, name: 'Hill' }];
  yield ['locations.list', async () => ({ some: (await locations.list()).locations.length > 0 }), { some: true }];
  const order = { locationId: made.id, referenceId: 'kite 1' };
  const placed = await one(orders.create({ order, idempotencyKey: 'g' }), 'order').catch(() => ({ id: 'none' }));
  yield ['orders.create', () => one(orders.create({ order, idempotencyKey: 'h' }), 'order'), { referenceId: 'kite 1' }];
  yield ['orders.get', () => one(orders.get({ orderId: placed.id }), 'order'), { id: placed.id }];
  const card = { idempotencyKey: 'i', sourceId: 'cnon:card-nonce-ok', card: { customerId, cardholderName: 'Ida' } };
  const stored = await one(cards.create(card), 'card').catch(() => ({ id: 'none' }));
  yield ['cards.create', () => one(cards.create({ ...card, idempotencyKey: 'j' }), 'card'), { cardholderName: 'Ida' }];
  yield ['cards.disable', () => one(cards.disable({ cardId: stored.id }), 'card'), { id: stored.id, enabled: false }];
  yield ['customers.delete', () => customers.delete({ customerId }), {}];
}
