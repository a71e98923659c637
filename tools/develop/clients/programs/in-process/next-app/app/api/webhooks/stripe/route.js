import { stripe } from '../../../../lib/stripe.js';

const taken = (globalThis.taken ??= []);

export async function POST(request) {
  const signature = request.headers.get('stripe-signature');
  const event = await stripe.webhooks.constructEventAsync(await request.text(), signature, globalThis.secret);
  taken.push(event.type);
  return Response.json({ received: true });
}

/** Registers this route as an endpoint, and returns the received events. */
export async function PUT(request) {
  const { secret } = await stripe.webhookEndpoints.create({ url: request.url, enabled_events: ['*'] });
  globalThis.secret = secret;
  return Response.json({ registered: true });
}

export const GET = () => Response.json(taken);
