import { servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

test('sessions are found by an email address that some of them do not have', async () => {
  await stripe().checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://shop.test/done',
    line_items: [{ price_data: { currency: 'usd', unit_amount: 1500, product_data: { name: 'Shirt' } }, quantity: 1 }],
  });
  const found = await stripe().checkout.sessions.list({ customer_details: { email: 'a@example.com' } });
  expect(found.data).toEqual([]);
});
