/** Delivery of events: signed webhooks and recorded messages, with retries on the world's clock. */
export { DeliveryLog } from './delivery.js';
export type { AttemptResult, Transport } from './message.js';
export { Outbox, type OutboxOptions } from './outbox.js';
