import { refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

describe('off_session without confirm', () => {
  it('false says nothing', async () => {
    const intent = await stripe().paymentIntents.create({ amount: 100, currency: 'usd', off_session: false });
    expect(intent.status).toBe('requires_payment_method');
  });

  it('true is refused', async () => {
    expect(
      await refused(stripe().paymentIntents.create({ amount: 100, currency: 'usd', off_session: true })),
    ).toMatchObject({ statusCode: 400, param: 'off_session' });
  });
});

describe('a setup intent that is over is rejected with its status', () => {
  it('canceled already', async () => {
    const { id } = await stripe().setupIntents.create();
    await stripe().setupIntents.cancel(id);
    expect((await refused(stripe().setupIntents.cancel(id))).message).toBe(
      'You cannot cancel this SetupIntent because it it already canceled.',
    );
  });

  it('succeeded', async () => {
    const { id } = await stripe().setupIntents.create({ payment_method: 'pm_card_visa', confirm: true });
    expect((await refused(stripe().setupIntents.cancel(id))).message).toContain(
      'may be canceled: `requires_payment_method`, `requires_confirmation`, or `requires_action`.',
    );
  });
});
