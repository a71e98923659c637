import Stripe from 'stripe';
import { payments } from '../utils/vendor.js';

export default defineEventHandler(async () => {
  const sandbox = await payments;
  const httpClient = Stripe.createFetchHttpClient((input, init) => sandbox.fetch(input, init));
  const stripe = new Stripe(sandbox.key, { httpClient, host: 'localhost', protocol: 'http' });
  const payment = { amount: 500, currency: 'usd', payment_method: 'pm_card_visa', return_url: 'https://shop.test' };
  const { id, status } = await stripe.paymentIntents.create({ ...payment, confirm: true });
  return { id, status };
});
