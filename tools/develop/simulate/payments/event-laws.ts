import type { JsonObject } from '../../../../engine/values/index.js';
import type { Law } from '../kit.js';
import { num, part, textField, type ObservedWorld } from '../view.js';

/** Type of the event that must be the first one of an object, by the object's type. */
const FIRST: Readonly<Record<string, string>> = {
  invoice: 'invoice.created',
  subscription: 'customer.subscription.created',
  invoiceitem: 'invoiceitem.created',
  payment_intent: 'payment_intent.created',
  refund: 'refund.created',
  credit_note: 'credit_note.created',
};
/** Invoice event types that may be emitted before `invoice.finalized`. */
const OF_DRAFTS = [
  'invoice.created',
  'invoice.deleted',
  'invoice.upcoming',
  'invoice.updated',
  'invoice.finalized',
  'invoice.finalization_failed',
];

/** An event that must come first. */
interface Cause {
  readonly type: string;
  readonly resource: string;
  readonly id: string;
}

/**
 * Yields violations: events of an object must come after its creation, and events of a payment after the payment. Checks only objects whose events
 * are all still stored.
 */
function* causes(view: ObservedWorld): Iterable<string> {
  const before = new Set<string>();
  const events = view.all('event');
  const oldest = num(events.at(0) ?? {}, 'created');
  const isOlder = (object: JsonObject | undefined): boolean => object !== undefined && num(object, 'created') < oldest;
  for (const event of events) {
    const object = part(part(event, 'data'), 'object');
    if (!object || isOlder(object)) continue;
    const about = `${textField(event, 'type')} ${textField(object, 'id')}`;
    for (const { type, resource, id } of causesOf(textField(event, 'type'), object)) {
      const cause = `${type} ${id}`;
      if (cause !== about && !before.has(cause) && !isOlder(view.get(resource, id)))
        yield `${about} comes before ${cause}`;
    }
    before.add(about);
  }
}

function* causesOf(type: string, object: JsonObject): Iterable<Cause> {
  const id = textField(object, 'id');
  const resource = textField(object, 'object');
  const first = FIRST[resource];
  const intent = textField(object, 'payment_intent');
  const charge = textField(object, 'charge');
  if (id !== '' && first !== undefined && type !== 'invoice.upcoming' && !isMadeSilently(object))
    yield { type: first, resource, id };
  if (['charge.succeeded', 'charge.failed'].includes(type) && intent !== '')
    yield { type: 'payment_intent.created', resource: 'payment_intent', id: intent };
  if (type === 'invoice.paid' && charge !== '') {
    yield { type: 'charge.succeeded', resource: 'charge', id: charge };
    yield { type: 'payment_intent.succeeded', resource: 'payment_intent', id: intent };
  }
  if (type.startsWith('invoice.') && !OF_DRAFTS.includes(type)) yield { type: 'invoice.finalized', resource, id };
}

/** Whether an object is a refund without a `refund.created` event: refunds without a charge, and refunds of a transfer's payment. */
function isMadeSilently(object: JsonObject): boolean {
  if (object['object'] !== 'refund') return false;
  return object['balance_transaction'] === null || textField(object, 'source_transfer_reversal') !== '';
}

/** Invariants about the order of events. */
export const EVENT_LAWS: readonly Law[] = [{ name: 'no event precedes its cause', broken: causes }];
