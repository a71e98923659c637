/** Makes usual calls with the vendor's client `lago-javascript-client`, for its document. */
export default async function* (load, url, key) {
  const { Client } = load('lago-javascript-client');
  const { customers, plans, billableMetrics, coupons, addOns, subscriptions, wallets } = Client(key, {
    baseUrl: `${url}/api/v1`,
  });
  const one = async (sent, name) => (await sent).data[name];
  const customer = { external_id: 'ida', name: 'Ida', currency: 'EUR' };
  yield ['createCustomer', () => one(customers.createCustomer({ customer }), 'customer'), customer];
  yield ['findCustomer', () => one(customers.findCustomer('ida'), 'customer'), customer];
  yield [
    'findAllCustomers',
    async () => ({ some: (await customers.findAllCustomers()).data.customers.length > 0 }),
    { some: true },
  ];
  const plan = {
    name: 'Kites',
    code: 'kites',
    interval: 'monthly',
    amount_cents: 900,
    amount_currency: 'EUR',
    pay_in_advance: false,
  };
  yield [
    'createPlan',
    () => one(plans.createPlan({ plan }), 'plan'),
    { name: 'Kites', code: 'kites', amount_cents: 900 },
  ];
  yield ['findPlan', () => one(plans.findPlan('kites'), 'plan'), { name: 'Kites', code: 'kites' }];
  yield ['updatePlan', () => one(plans.updatePlan('kites', { plan: { name: 'Boxes' } }), 'plan'), { name: 'Boxes' }];
  const metric = { name: 'Flights', code: 'flights', aggregation_type: 'count_agg' };
  yield [
    'createBillableMetric',
    () => one(billableMetrics.createBillableMetric({ billable_metric: metric }), 'billable_metric'),
    metric,
  ];
  yield ['findBillableMetric', () => one(billableMetrics.findBillableMetric('flights'), 'billable_metric'), metric];
  yield [
    'deleteBillableMetric',
    () => one(billableMetrics.destroyBillableMetric('flights'), 'billable_metric'),
    { code: 'flights' },
  ];
  const coupon = {
    name: 'Wind',
    code: 'wind',
    coupon_type: 'fixed_amount',
    amount_cents: 100,
    amount_currency: 'EUR',
    frequency: 'once',
    expiration: 'no_expiration',
  };
  yield ['createCoupon', () => one(coupons.createCoupon({ coupon }), 'coupon'), { name: 'Wind', code: 'wind' }];
  yield ['findCoupon', () => one(coupons.findCoupon('wind'), 'coupon'), { name: 'Wind' }];
  const add_on = { name: 'Tail', code: 'tail', amount_cents: 50, amount_currency: 'EUR' };
  yield ['createAddOn', () => one(addOns.createAddOn({ add_on }), 'add_on'), { name: 'Tail', code: 'tail' }];
  yield ['findAddOn', () => one(addOns.findAddOn('tail'), 'add_on'), { name: 'Tail', amount_cents: 50 }];
  const subscription = { external_customer_id: 'ida', plan_code: 'kites', external_id: 'sub 1' };
  yield [
    'createSubscription',
    () => one(subscriptions.createSubscription({ subscription }), 'subscription'),
    subscription,
  ];
  yield [
    'findSubscription',
    () => one(subscriptions.findSubscription('sub 1'), 'subscription'),
    { external_id: 'sub 1' },
  ];
  const wallet = {
    external_customer_id: 'ida',
    rate_amount: '1.5',
    name: 'Purse',
    currency: 'EUR',
    paid_credits: '10.0',
    granted_credits: '10.0',
  };
  yield [
    'createWallet',
    () => one(wallets.createWallet({ wallet }), 'wallet'),
    { name: 'Purse', external_customer_id: 'ida' },
  ];
}
