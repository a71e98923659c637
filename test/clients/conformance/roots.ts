import type Stripe from 'stripe';
export type PaymentIntent = Stripe.PaymentIntent;
export type E = Stripe.StripeRawError;
export type Ev = Stripe.Event;
