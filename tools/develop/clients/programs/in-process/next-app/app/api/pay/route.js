import { stripe } from '../../../lib/stripe.js';

export async function POST() {
  const payment = { amount: 500, currency: 'usd', payment_method: 'pm_card_visa', return_url: 'https://shop.test' };
  const { id, status } = await stripe.paymentIntents.create({ ...payment, confirm: true });
  return Response.json({ id, status });
}

export async function GET() {
  const { data } = await stripe.paymentIntents.list();
  return Response.json(data.map(({ id }) => id));
}
