import { servePayments, type Body } from '../served-payments.js';


// Without the vendor's word, counts are moved to their bounds (api/bounds.test.ts).
const payments = servePayments({ vars: { vendor: 'stripe' } });
const stripe = () => payments.stripe;
const errorOf = (body: Body): Body => (body['error'] as Body | undefined) ?? {};

describe('numbers that are too large are rejected', () => {
  async function price(): Promise<string> {
    const made = await stripe().prices.create({
      currency: 'usd',
      unit_amount: 1500,
      recurring: { interval: 'month' },
      product_data: { name: 'Gold' },
    });
    return made.id;
  }
  const customer = async () => (await stripe().customers.create({ payment_method: 'pm_card_visa' })).id;

  it.each<[string, (customer: string, price: string) => [string, Record<string, string>]]>([
    [
      'day_of_month',
      (c, p) => [
        '/v1/subscriptions',
        { customer: c, 'items[0][price]': p, 'billing_cycle_anchor_config[day_of_month]': '1000000000' },
      ],
    ],
    [
      'interval_count',
      (c, p) => [
        '/v1/subscriptions',
        {
          customer: c,
          'items[0][price]': p,
          'pending_invoice_item_interval[interval]': 'year',
          'pending_invoice_item_interval[interval_count]': '1000000000',
        },
      ],
    ],
    [
      'quantity',
      (c, p) => ['/v1/subscriptions', { customer: c, 'items[0][price]': p, 'items[0][quantity]': '9007199254740991' }],
    ],
    [
      'iterations',
      (c, p) => [
        '/v1/subscription_schedules',
        { customer: c, start_date: 'now', 'phases[0][items][0][price]': p, 'phases[0][iterations]': '1000000000' },
      ],
    ],
    [
      'unit_amount',
      (c) => ['/v1/invoiceitems', { customer: c, unit_amount: '1000000000', quantity: '1000000000', currency: 'usd' }],
    ],
    ['amount', (c) => [`/v1/customers/${c}/balance_transactions`, { amount: '9007199254740991', currency: 'usd' }]],
  ])('%s', async (_name, call) => {
    const [path, params] = call(await customer(), await price());
    const before = payments.commits;
    const answer = await payments.post(path, params);
    expect([answer.status, errorOf(answer.body)['type']]).toEqual([400, 'invalid_request_error']);
    expect(payments.commits).toBe(before);
  });
});
