import type { ControlCommand } from '../command.js';
import { at, type Column, fields, instantText, rowsOf, shownValue, textTable } from '../tables.js';

const ENDPOINT: readonly Column[] = [
  ['id', 'id'],
  ['url', 'url'],
  ['status', 'status'],
  ['events', 'events'],
  ['secret', 'secret'],
];

const DELIVERY: readonly Column[] = [
  ['id', 'id'],
  ['event', 'event.type'],
  ['status', 'status'],
  ['tries', ({ attempts }) => rowsOf(attempts).length],
  ['answer', ({ attempts }) => lastResponse(rowsOf(attempts).at(-1))],
  ['next try', ({ next_attempt_at: due }) => instantText(due)],
  ['fault', 'fault'],
  ['to', ({ url, endpoint }) => url ?? endpoint],
];

const FAULT: readonly Column[] = [
  ['id', 'id'],
  ['kind', 'kind'],
  ['event', 'event'],
  ['endpoint', 'endpoint'],
  ['left', ({ remaining }) => remaining ?? 'until cleared'],
  ['delay', 'delay'],
  ['times', 'times'],
  ['after', 'after'],
  ['probability', 'probability'],
];

/** The commands for endpoints and deliveries. */
export const WEBHOOKS: readonly ControlCommand[] = [
  {
    name: 'endpoint',
    group: 'Webhooks',
    operations: ['registerEndpoint'],
    summary: 'Add a webhook endpoint',
    args: [['<url>', 'address that receives the webhooks']],
    view: (response) => fields(response),
    examples: ['sandbox endpoint http://localhost:4242/hook --events invoice.paid,customer.*'],
  },
  {
    name: 'endpoints',
    group: 'Webhooks',
    operations: ['endpoints'],
    summary: 'List endpoints',
    view: ({ data }) => textTable(rowsOf(data), ENDPOINT, 'no endpoint receives events'),
  },
  {
    name: 'remove-endpoint',
    group: 'Webhooks',
    operations: ['removeEndpoint'],
    summary: 'Remove an endpoint',
    args: [['<id>', 'id of the endpoint']],
    view: fields,
  },
  {
    name: 'deliveries',
    group: 'Webhooks',
    operations: ['deliveries'],
    summary: 'List webhooks sent, newest first',
    view: ({ data }) => textTable(rowsOf(data), DELIVERY, 'nothing was sent'),
    examples: ['sandbox deliveries --event invoice.paid --limit 10'],
  },
  {
    name: 'resend',
    group: 'Webhooks',
    operations: ['replay'],
    summary: 'Send a webhook again',
    args: [['<id>', 'id of the delivery']],
    view: (response) => textTable([response], DELIVERY, ''),
  },
  {
    name: 'flush',
    group: 'Webhooks',
    operations: ['flush'],
    summary: 'Wait until all due webhooks are sent',
    view: fields,
  },
  {
    name: 'delivery-fault',
    group: 'Webhooks',
    operations: ['armDeliveryFault'],
    summary: 'Duplicate, reorder, delay, pause or drop webhooks',
    args: [['<kind>', 'what happens to the webhooks']],
    view: (response) => textTable([response], FAULT, ''),
    examples: [
      'sandbox delivery-fault duplicate --event invoice.paid --count 1',
      'sandbox delivery-fault reorder --event payment_intent.*',
      'sandbox delivery-fault delay --delay 2h --probability 0.3',
      'sandbox delivery-fault hold --event invoice.*',
    ],
  },
  {
    name: 'delivery-faults',
    group: 'Webhooks',
    operations: ['deliveryFaults'],
    summary: 'List delivery faults',
    view: ({ data }) => textTable(rowsOf(data), FAULT, 'no faults of deliveries are active'),
  },
  {
    name: 'clear-delivery-faults',
    group: 'Webhooks',
    operations: ['clearDeliveryFault', 'clearDeliveryFaults'],
    summary: 'Remove all delivery faults, or one',
    args: [['[id]', 'id of one fault (default: all)']],
    view: fields,
  },
];

function lastResponse(attempt: unknown): string {
  return shownValue(at(attempt, 'status') ?? at(attempt, 'error'));
}
