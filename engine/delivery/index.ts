/** Delivery of events: signed webhooks and recorded messages, with retries on the world's clock. */
export type { DeliveryStatus, DeliveryView } from './delivery.js';
export type { AttemptResult, Headers, Message, Transport } from './message.js';
export { Outbox, type OutboxOptions } from './outbox.js';
export { checkDelivery } from '../compile/delivery/plan.js';
export { type Sign, type SignatureStyle, signer } from './sign.js';
