import { servePayments, type Body } from '../served-payments.js';


const payments = servePayments();

const pay = (payment_method: string, more: Readonly<Record<string, string>> = {}, options = {}) =>
  payments.post(
    '/v1/payment_intents',
    { amount: '1000', currency: 'usd', confirm: 'true', payment_method, ...more },
    options,
  );
const errorOf = (body: Body): Body => (body['error'] as Body | undefined) ?? {};

it.each(['tok_visa', 'tok_amex', 'tok_mastercard'])('the token %s confirms a payment', async (token) => {
  expect((await pay(token)).body).toMatchObject({ status: 'succeeded' });
});

it('a token that declines, and one that does not exist', async () => {
  expect((await pay('tok_chargeDeclined')).status).toBe(402);
  expect(errorOf((await pay('tok_zzz')).body)['message']).toContain("Unrecognized test value: 'tok_zzz'");
});
