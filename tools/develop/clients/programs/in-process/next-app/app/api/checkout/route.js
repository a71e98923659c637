import { stripe } from '../../../lib/stripe.js';

export async function POST(request) {
  const { url } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: `${new URL(request.url).origin}/`,
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Hat' } } }],
  });
  return Response.json({ url });
}
