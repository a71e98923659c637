import { servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

it.each(['True', 'TRUE', 'true', 'False', 'FALSE'])('%s is taken for a boolean', async (word) => {
  const answer = await payments.post('/v1/products', { name: 'x', active: word });
  expect(answer.body).toMatchObject({ active: word.toLowerCase() === 'true' });
  expect((await payments.get(`/v1/products?active=${word}`)).body).toMatchObject({ data: [{ name: 'x' }] });
});

test.each(['0', '1', '2', '3'])('ids of older accounts are ids: those that begin with %s', async (digit) => {
  const id = `price_${digit}AbCdEFgHiJkLmNoPqRsTuVw`;
  const product = { id: 'prod_AbCdEfGhIjKlMn', name: 'Gold' };
  const price = {
    id,
    product: product.id,
    currency: 'usd',
    unit_amount: 900,
    unit_amount_decimal: '900',
    type: 'one_time',
    billing_scheme: 'per_unit',
  };
  await payments.control.seed({ resources: { products: [product], prices: [price] } });
  expect(await stripe().prices.retrieve(id)).toMatchObject({ id, unit_amount: 900 });
});

test('a customer’s card is created by the older word for source', async () => {
  const answer = await payments.post('/v1/customers', { card: 'tok_visa' });
  expect(answer.status).toBe(200);
  expect(answer.body['default_source']).toMatch(/^card_/);
});
