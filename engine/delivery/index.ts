/** Delivery of events: signed webhooks and recorded messages, with retries on the world's clock. */
export { DeliveryLog, type DeliveryStatus, type DeliveryView } from './delivery.js';
export type { AttemptResult, Headers, Message, Transport } from './message.js';
export { Outbox, type OutboxOptions } from './outbox.js';
export { type Sign, signer } from './sign.js';
