import Stripe from 'stripe';
import { payments } from './vendor.js';

export const stripe = new Stripe('sk_test_preview', { httpClient: Stripe.createFetchHttpClient(payments.fetch) });
