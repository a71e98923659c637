import type { JsonObject } from '../../../../engine/values/index.js';
import type { Dice } from '../dice.js';
import type { Usual } from '../kit.js';
import { some } from '../pick.js';
import { num, type ObservedWorld, part, textField } from '../view.js';

const DAY = 86_400;

/** Chooses the id of an object that can still change; an unknown id if there is none. */
function id(dice: Dice, view: ObservedWorld, resource: string, ...statuses: readonly string[]): string {
  return some(dice, view, resource, ...statuses) ?? 'x_none';
}

/** Keeps each member with a probability of one half. */
function perhaps(dice: Dice, members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(() => dice.chance(50)));
}

const LIVING = ['active', 'trialing', 'past_due', 'incomplete'];

/** Lists prices that can replace the price of a subscription: same currency and interval. */
function fitting(view: ObservedWorld, subscription: string): string[] {
  const used = view.where('subscription_item', 'subscription', subscription).map((item) => textField(item, 'price_id'));
  const first = view.get('price', used[0]);
  return view
    .all('price')
    .filter(
      (price) =>
        price['active'] === true &&
        !used.includes(textField(price, 'id')) &&
        price['currency'] === first?.['currency'] &&
        ['interval', 'interval_count'].every(
          (each) => part(price, 'recurring')?.[each] === part(first, 'recurring')?.[each],
        ),
    )
    .map((price) => textField(price, 'id'));
}

/** Chooses the id of a one-time price. */
function once(dice: Dice, view: ObservedWorld): string {
  const found = view.all('price').filter((price) => price['recurring'] === null && price['active'] === true);
  return textField(dice.maybe(found), 'id') || 'price_none';
}

/** Chooses the id of a customer who can be charged. */
function payer(dice: Dice, view: ObservedWorld): string {
  const found = view
    .all('customer')
    .filter((each) => part(each, 'invoice_settings')?.['default_payment_method'] != null);
  return textField(dice.maybe(found), 'id') || 'cus_none';
}

function phases(dice: Dice, view: ObservedWorld): JsonObject[] {
  return Array.from({ length: dice.one([1, 2, 3]) }, () => ({
    items: [{ price: recurring(dice, view), ...perhaps(dice, { quantity: dice.one([1, 3]) }) }],
    ...perhaps(dice, {
      iterations: dice.one([1, 2]),
      proration_behavior: dice.one(['none', 'always_invoice']),
      billing_cycle_anchor: dice.one(['phase_start', 'automatic']),
    }),
  }));
}

/** Chooses the id of a recurring price. */
function recurring(dice: Dice, view: ObservedWorld): string {
  const found = view.all('price').filter((price) => price['recurring'] !== null && price['active'] === true);
  return textField(dice.maybe(found), 'id') || 'price_none';
}

/** Generates parameters that change a line of an invoice; null if it has none. */
function ofLine(change: JsonObject): Usual {
  return (dice, view, invoice) => {
    const line = dice.maybe(view.where('line_item', 'invoice', invoice));
    return line ? { lines: [{ id: textField(line, 'id'), ...change }] } : null;
  };
}

/** Generates the parameters of a credit note for a part of an invoice; if the invoice is paid, the amount is credited to the customer's balance. */
function note(dice: Dice, view: ObservedWorld): JsonObject {
  const invoices = view.all('invoice').filter((each) => left(each) > 0);
  const invoice = dice.maybe(invoices);
  const amount = invoice ? 1 + dice.below(left(invoice)) : 1;
  const lines = [{ type: 'custom_line_item', description: 'x', quantity: 1, unit_amount: amount }];
  return {
    invoice: textField(invoice, 'id') || 'in_none',
    ...(dice.chance(50) ? { amount } : { lines }),
    ...(textField(invoice, 'status') === 'paid' ? { [dice.one(['credit_amount', 'out_of_band_amount'])]: amount } : {}),
  };
}

/** Returns the amount of an invoice that can still be credited. */
function left(invoice: JsonObject): number {
  if (textField(invoice, 'status') === 'open') return num(invoice, 'amount_remaining');
  if (textField(invoice, 'status') !== 'paid') return 0;
  return num(invoice, 'amount_paid') - num(invoice, 'post_payment_credit_notes_amount');
}

const preview = (dice: Dice, view: ObservedWorld): JsonObject =>
  dice.chance(50)
    ? { subscription: id(dice, view, 'subscription', ...LIVING) }
    : { customer: id(dice, view, 'customer'), subscription_details: { items: [{ price: recurring(dice, view) }] } };

const plan = (dice: Dice, view: ObservedWorld): JsonObject => ({ product: id(dice, view, 'product'), currency: 'usd' });

/** Parameters with which billing operations usually succeed. */
export const USUAL: Readonly<Record<string, Usual>> = {
  'subscriptions.create': (dice, view) => ({
    customer: payer(dice, view),
    items: [{ price: recurring(dice, view), ...perhaps(dice, { quantity: dice.one([1, 2, 5]) }) }],
  }),
  'subscription_schedules.create': (dice, view): JsonObject =>
    dice.chance(30)
      ? { from_subscription: id(dice, view, 'subscription', ...LIVING) }
      : {
          customer: payer(dice, view),
          start_date: dice.one(['now', view.now + 5 * DAY]),
          phases: phases(dice, view),
        },
  'subscription_schedules.update': (dice, view) => ({ phases: phases(dice, view) }),
  'invoices.create_preview': preview,
  'invoices.upcoming': preview,
  'invoices.upcoming_lines': preview,
  'invoiceitems.create': (dice, view) => ({
    customer: id(dice, view, 'customer'),
    ...(dice.chance(60) ? { amount: dice.one([1, 30, 1000, 2500]), currency: 'usd' } : { price: once(dice, view) }),
    ...(dice.chance(40) ? { discounts: [{ coupon: id(dice, view, 'coupon') }] } : {}),
  }),
  'invoices.create': (dice, view) => ({
    customer: id(dice, view, 'customer'),
    pending_invoice_items_behavior: dice.one(['include', 'exclude']),
    auto_advance: dice.chance(20),
  }),
  'invoices.add_lines': (dice) => ({ lines: [{ amount: dice.one([0, 1, 1000]), description: 'More' }] }),
  'invoices.update_lines': ofLine({ description: 'Other' }),
  'invoices.remove_lines': ofLine({ behavior: 'delete' }),
  'coupons.create': (dice) => ({
    ...dice.one<JsonObject>([{ percent_off: 10 }, { amount_off: 500, currency: 'usd' }]),
    duration: 'once',
  }),
  'prices.create': (dice, view) => ({
    ...plan(dice, view),
    unit_amount: 1500,
    ...perhaps(dice, { recurring: { interval: dice.one(['month', 'month', 'year', 'day']) } }),
  }),
  'plans.create': (dice, view) => ({ ...plan(dice, view), amount: 1500, interval: 'month' }),
  'customer_balance_transactions.create': (dice) => ({ amount: dice.one([1, 30, 1000, 2500]), currency: 'usd' }),
  'credit_notes.create': note,
  'credit_notes.preview': note,
  'credit_notes.preview_lines': note,
  'quotes.create': (dice, view) => ({
    customer: id(dice, view, 'customer'),
    line_items: [{ price: recurring(dice, view) }],
  }),
  'shipping_rates.create': () => ({
    display_name: 'Post',
    type: 'fixed_amount',
    fixed_amount: { amount: 300, currency: 'usd' },
  }),
  'subscription_items.create': (dice, view) => {
    const possible = view
      .all('subscription')
      .filter((each) => LIVING.includes(textField(each, 'status')))
      .flatMap((each) =>
        fitting(view, textField(each, 'id')).map((price) => ({ subscription: textField(each, 'id'), price })),
      );
    return dice.maybe(possible) ?? null;
  },
  'customers.create': (dice): JsonObject =>
    dice.chance(70)
      ? { payment_method: 'pm_card_visa', invoice_settings: { default_payment_method: 'pm_card_visa' } }
      : {},
};
