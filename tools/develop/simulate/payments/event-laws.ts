import type { JsonObject } from '../../../../engine/values/index.js';
import type { Law } from '../kit.js';
import { num, part, textField, type ObservedWorld } from '../view.js';

/** The first event of an object, by its `object`. */
const FIRST: Readonly<Record<string, string>> = {
  invoice: 'invoice.created',
  subscription: 'customer.subscription.created',
  invoiceitem: 'invoiceitem.created',
  payment_intent: 'payment_intent.created',
  refund: 'refund.created',
  credit_note: 'credit_note.created',
};
/** What happens to an invoice that is no more than a draft. */
const OF_DRAFTS = [
  'invoice.created',
  'invoice.deleted',
  'invoice.upcoming',
  'invoice.updated',
  'invoice.finalized',
  'invoice.finalization_failed',
];

/** What happens to an object comes after its making, and what is paid after its payment: of objects whose events are all still there. */
function* causes(view: ObservedWorld): Iterable<string> {
  const before = new Set<string>();
  const events = view.all('event');
  const oldest = num(events.at(0) ?? {}, 'created');
  for (const event of events) {
    const object = part(part(event, 'data'), 'object');
    if (object && num(object, 'created') < oldest) continue;
    const about = `${textField(event, 'type')} ${textField(object, 'id')}`;
    for (const cause of object ? causesOf(textField(event, 'type'), object) : [])
      if (cause !== about && !before.has(cause)) yield `${about} comes before ${cause}`;
    before.add(about);
  }
}

function* causesOf(type: string, object: JsonObject): Iterable<string> {
  const id = textField(object, 'id');
  const first = FIRST[textField(object, 'object')];
  const intent = textField(object, 'payment_intent');
  const charge = textField(object, 'charge');
  if (id !== '' && first !== undefined && type !== 'invoice.upcoming' && !isMadeSilently(object))
    yield `${first} ${id}`;
  if (['charge.succeeded', 'charge.failed'].includes(type) && intent !== '') yield `payment_intent.created ${intent}`;
  if (type === 'invoice.paid' && charge !== '') {
    yield `charge.succeeded ${charge}`;
    yield `payment_intent.succeeded ${intent}`;
  }
  if (type.startsWith('invoice.') && !OF_DRAFTS.includes(type)) yield `invoice.finalized ${id}`;
}

/** Refunds of money that was never taken, and of what a transfer brought, come with `charge.refunded` alone. */
function isMadeSilently(object: JsonObject): boolean {
  if (object['object'] !== 'refund') return false;
  return object['balance_transaction'] === null || textField(object, 'source_transfer_reversal') !== '';
}

/** What always holds of the order of events. */
export const EVENT_LAWS: readonly Law[] = [{ name: 'no event precedes its cause', broken: causes }];
