import { servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

it('money that is available at once is reported with an event', async () => {
  const types = await payments.typesOf(() =>
    stripe().paymentIntents.create({
      amount: 100,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_bypassPending',
    }),
  );
  expect(types).toContain('balance.available');
});
