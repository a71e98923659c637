import { servePayments } from '../served-payments.js';


const payments = servePayments();

describe('words for true and false, as clients in other languages write them', () => {
  it.each(['True', 'TRUE'])('confirm=%s confirms', async (confirm) => {
    const answer = await payments.post('/v1/payment_intents', {
      amount: '100',
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm,
      off_session: 'False',
    });
    expect(answer.body).toMatchObject({ status: 'succeeded' });
  });

  it('another word is still no boolean', async () => {
    expect((await payments.post('/v1/products', { name: 'x', active: 'Yes' })).body).toMatchObject({
      error: { message: 'Invalid boolean: Yes', param: 'active' },
    });
  });
});

test('off_session=false says nothing where a call does not confirm', async () => {
  const answer = await payments.post('/v1/payment_intents', { amount: '100', currency: 'usd', off_session: 'false' });
  expect(answer.status).toBe(200);
});
