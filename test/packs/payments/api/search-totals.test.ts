import { servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

it('a search counts its results when total_count is expanded', async () => {
  await stripe().customers.create({ name: 'Ada' });
  const found = await stripe().customers.search({ query: "name:'Ada'", limit: 1, expand: ['total_count'] });
  expect(found).toMatchObject({ object: 'search_result', total_count: 1 });
  const plain = await payments.get("/v1/customers/search?query=name:'Ada'");
  expect(plain.body).not.toHaveProperty('total_count');
});
