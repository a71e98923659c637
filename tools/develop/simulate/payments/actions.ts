import type { Json } from '../../../../engine/values/index.js';
import type { Dice } from '../dice.js';
import type { Action, SimulatedCall } from '../kit.js';
import { act, actOn, some } from '../pick.js';
import { items, num, textField, type ObservedWorld } from '../view.js';
import { destination, MAKERS as ACCOUNT_MAKERS } from './accounts.js';
import { type FormBody, post, remove } from './calls.js';

const CARDS = [
  ...['pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_mastercard', 'pm_card_bypassPending'],
  ...['pm_card_chargeDeclined', 'pm_card_chargeDeclinedInsufficientFunds', 'pm_card_chargeCustomerFail'],
  ...['pm_card_threeDSecure2Required', 'pm_card_authenticationRequired', 'pm_card_createDispute'],
  ...['pm_card_refundFail', 'pm_card_pendingRefund', 'pm_card_radarBlock', 'pm_card_createIssuerFraudRecord'],
];
const AMOUNTS = [50, 99, 1000, 1999, 2500, 12_345, 500_000];
const CURRENCIES = ['usd', 'usd', 'usd', 'eur', 'jpy'];

/** Generates a parameter with a partial amount, or none for the whole amount. */
function amountOf(dice: Dice): FormBody {
  return dice.chance(50) ? {} : { amount: dice.one([1, 30, 99, 500, 1000, 1500]) };
}

function intent(dice: Dice, view: ObservedWorld): SimulatedCall {
  const customer = dice.chance(60) ? some(dice, view, 'customer') : undefined;
  const own = view.all('payment_method').filter((each) => customer !== undefined && each['customer'] === customer);
  const method = own.length > 0 && dice.chance(60) ? textField(dice.one(own), 'id') : dice.one(CARDS);
  const isDebit = dice.chance(12);
  return post('payment_intents', {
    amount: dice.one(AMOUNTS),
    currency: isDebit ? 'usd' : dice.one(CURRENCIES),
    ...(customer === undefined ? {} : { customer }),
    ...(isDebit
      ? {
          payment_method: dice.one(['pm_usBankAccount_success', 'pm_usBankAccount_insufficientFunds']),
          payment_method_types: ['us_bank_account'],
          mandate_data: { customer_acceptance: { type: 'offline' } },
        }
      : { payment_method: method, payment_method_types: ['card'] }),
    ...(dice.chance(75) ? { confirm: true } : {}),
    ...(!isDebit && dice.chance(25) ? { capture_method: 'manual' } : {}),
    ...(dice.chance(10) ? { setup_future_usage: 'off_session' } : {}),
    ...forWhom(dice, view),
  });
}

/** Generates the parameters of a destination charge, or of the platform's fee of a direct charge. */
function forWhom(dice: Dice, view: ObservedWorld): FormBody {
  const fee = { application_fee_amount: dice.one([1, 17, 40]) };
  if (view.tenant !== null) return dice.chance(50) ? fee : {};
  if (!dice.chance(20)) return {};
  const to = destination(dice, view);
  if (dice.chance(40)) return { transfer_data: { destination: to }, ...fee };
  return { transfer_data: { destination: to, ...(dice.chance(50) ? { amount: 40 } : {}) } };
}

function subscription(dice: Dice, view: ObservedWorld): SimulatedCall | null {
  const customer = some(dice, view, 'customer');
  const prices = view.all('price').filter((price) => price['recurring'] !== null && price['currency'] === 'usd');
  const price = dice.maybe(prices);
  if (customer === undefined || !price) return null;
  const coupon = dice.chance(20) ? some(dice, view, 'coupon') : undefined;
  const rate = dice.chance(20) ? some(dice, view, 'tax_rate') : undefined;
  return post('subscriptions', {
    customer,
    items: [{ price: textField(price, 'id'), ...(dice.chance(40) ? { quantity: dice.one([1, 2, 5]) } : {}) }],
    ...(dice.chance(20) ? { trial_period_days: dice.one([1, 7, 30]) } : {}),
    ...(dice.chance(15) ? { collection_method: 'send_invoice', days_until_due: dice.one([1, 10]) } : {}),
    ...(dice.chance(20) ? { payment_behavior: dice.one(['default_incomplete', 'error_if_incomplete']) } : {}),
    ...(coupon === undefined ? {} : { discounts: [{ coupon }] }),
    ...(rate === undefined ? {} : { default_tax_rates: [rate] }),
  });
}

function change(id: string, dice: Dice, view: ObservedWorld): SimulatedCall | null {
  const item =
    items(view.get('subscription', id), 'items').at(0) ?? view.where('subscription_item', 'subscription', id).at(0);
  const price = dice.maybe(
    view.all('price').filter((each) => each['recurring'] !== null && each['currency'] === 'usd'),
  );
  switch (dice.below(6)) {
    case 0:
      return post(`subscriptions/${id}`, { cancel_at_period_end: dice.chance(60) });
    case 1:
      return post(`subscriptions/${id}`, {
        pause_collection: dice.one<Json>([{ behavior: 'void' }, { behavior: 'keep_as_draft' }, '']),
      });
    case 2:
      return post(`subscriptions/${id}`, { trial_end: 'now' });
    default:
      if (!item || !price) return null;
      return post(`subscriptions/${id}`, {
        items: [{ id: textField(item, 'id'), price: textField(price, 'id'), quantity: dice.one([1, 2, 3, 10]) }],
        proration_behavior: dice.one(['create_prorations', 'always_invoice', 'none']),
        ...(dice.chance(20) ? { payment_behavior: 'pending_if_incomplete' } : {}),
      });
  }
}

function creditNote(id: string, dice: Dice, view: ObservedWorld): SimulatedCall {
  const invoice = view.get('invoice', id);
  const amount = Math.max(1, Math.round((num(invoice, 'total') * dice.one([10, 50, 100, 130])) / 100));
  const way = dice.one(['refund_amount', 'credit_amount', 'out_of_band_amount']);
  return post('credit_notes', {
    invoice: id,
    amount,
    ...(textField(invoice, 'status') === 'paid' ? { [way]: amount } : {}),
  });
}

function checkout(dice: Dice, view: ObservedWorld): SimulatedCall | null {
  const customer = dice.chance(50) ? some(dice, view, 'customer') : undefined;
  const isSubscription = dice.chance(40);
  const price = dice.maybe(
    view.all('price').filter((each) => (each['recurring'] !== null) === isSubscription && each['currency'] === 'usd'),
  );
  if (!price) return null;
  return post('checkout/sessions', {
    mode: isSubscription ? 'subscription' : 'payment',
    line_items: [{ price: textField(price, 'id'), quantity: dice.one([1, 2]) }],
    success_url: 'https://example.com/done',
    ...(customer === undefined ? {} : { customer }),
  });
}

function legacyCharge(dice: Dice): SimulatedCall {
  return post('charges', {
    amount: dice.one(AMOUNTS),
    currency: dice.one(CURRENCIES),
    source: dice.one(['tok_visa', 'tok_visa', 'tok_chargeDeclined', 'tok_createDispute', 'tok_bypassPending']),
    ...(dice.chance(25) ? { capture: false } : {}),
  });
}

function schedule(dice: Dice, view: ObservedWorld): SimulatedCall | null {
  const customer = some(dice, view, 'customer');
  const price = dice.maybe(
    view.all('price').filter((each) => each['recurring'] !== null && each['currency'] === 'usd'),
  );
  if (customer === undefined || !price) return null;
  return post('subscription_schedules', {
    customer,
    start_date: dice.chance(60) ? 'now' : view.now + 5 * 86_400,
    end_behavior: dice.one(['release', 'cancel']),
    phases: [
      { items: [{ price: textField(price, 'id') }], iterations: 1 },
      { items: [{ price: textField(price, 'id'), quantity: 2 }], iterations: dice.one([1, 2]) },
    ],
  });
}

function customer(dice: Dice): SimulatedCall {
  const card = dice.one([
    'pm_card_visa',
    'pm_card_visa',
    'pm_card_chargeCustomerFail',
    'pm_card_authenticationRequired',
  ]);
  return post('customers', {
    email: `c${dice.below(1000)}@example.com`,
    ...(dice.chance(75) ? { payment_method: card, invoice_settings: { default_payment_method: card } } : {}),
    ...(dice.chance(20) ? { balance: dice.one([-500, 300]) } : {}),
  });
}

const LIVING = ['active', 'trialing', 'past_due'];
const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

const MAKERS: readonly Action[] = [
  act(30, intent),
  act(6, legacyCharge),
  act(8, (dice) => customer(dice)),
  actOn(5, 'payment_intent', OPEN, (id, dice) =>
    post(`payment_intents/${id}/confirm`, { payment_method: dice.one(CARDS) }),
  ),
  actOn(8, 'payment_intent', ['requires_capture'], (id, dice) => {
    const part: FormBody = dice.chance(50) ? {} : { amount_to_capture: dice.one([1, 40, 500]) };
    return post(`payment_intents/${id}/capture`, part);
  }),
  actOn(4, 'payment_intent', [...OPEN, 'requires_capture', 'processing'], (id) => post(`payment_intents/${id}/cancel`)),
  actOn(3, 'payment_intent', OPEN, (id, dice) => post(`payment_intents/${id}`, { amount: dice.one(AMOUNTS) })),
  actOn(3, 'charge', ['succeeded'], (id, dice) => post(`charges/${id}/capture`, amountOf(dice))),
  actOn(14, 'charge', ['succeeded'], (charge, dice, view) => {
    const of = view.get('charge', charge);
    const reverse = of?.['transfer'] != null && dice.chance(60);
    const back = of?.['application_fee'] != null && dice.chance(50);
    return post('refunds', {
      charge,
      ...amountOf(dice),
      ...(reverse ? { reverse_transfer: true } : {}),
      ...(back ? { refund_application_fee: true } : {}),
    });
  }),
  actOn(2, 'refund', ['requires_action'], (id) => post(`refunds/${id}/cancel`)),
  act(6, (dice) =>
    post('payouts', {
      amount: dice.one([1, 100, 5000]),
      currency: 'usd',
      ...(dice.chance(30) ? { method: 'instant' } : {}),
    }),
  ),
  actOn(3, 'payout', ['pending'], (id) => post(`payouts/${id}/cancel`)),
  actOn(2, 'payout', ['paid', 'in_transit'], (id) => post(`payouts/${id}/reverse`)),
  act(4, (dice, view) =>
    post('transfers', {
      amount: dice.one([1, 100, 700]),
      currency: 'usd',
      destination: destination(dice, view),
    }),
  ),
  actOn(3, 'charge', ['succeeded'], (id, dice, view) =>
    post('transfers', {
      amount: dice.one([1, 30, 700]),
      currency: textField(view.get('charge', id), 'currency'),
      destination: destination(dice, view),
      source_transaction: id,
    }),
  ),
  actOn(4, 'transfer', [], (id, dice) => post(`transfers/${id}/reversals`, amountOf(dice))),
  actOn(5, 'dispute', ['needs_response', 'warning_needs_response'], (id, dice) =>
    post(`disputes/${id}`, {
      evidence: { uncategorized_text: dice.one(['winning_evidence', 'losing_evidence', 'hm']) },
      submit: dice.chance(80),
    }),
  ),
  actOn(2, 'dispute', ['needs_response', 'warning_needs_response'], (id) => post(`disputes/${id}/close`)),
  actOn(10, 'customer', [], (id, dice) =>
    post('invoiceitems', { customer: id, amount: dice.one([-300, 40, 1000, 7001]), currency: 'usd' }),
  ),
  actOn(8, 'customer', [], (id, dice, view) => {
    const coupon = dice.chance(25) ? some(dice, view, 'coupon') : undefined;
    const rates = dice.chance(25) ? view.all('tax_rate').map((rate) => textField(rate, 'id')) : [];
    return post('invoices', {
      customer: id,
      pending_invoice_items_behavior: 'include',
      auto_advance: dice.chance(50),
      ...(dice.chance(20) ? { collection_method: 'send_invoice', days_until_due: 5 } : {}),
      ...(coupon === undefined ? {} : { discounts: [{ coupon }] }),
      ...(rates.length === 0 ? {} : { default_tax_rates: rates }),
    });
  }),
  actOn(6, 'invoice', ['draft'], (id) => post(`invoices/${id}/finalize`)),
  actOn(7, 'invoice', ['draft', 'open', 'uncollectible'], (id, dice) =>
    post(
      `invoices/${id}/pay`,
      dice.chance(15) ? { paid_out_of_band: true } : dice.chance(40) ? { payment_method: 'pm_card_visa' } : undefined,
    ),
  ),
  actOn(3, 'invoice', ['open', 'uncollectible'], (id) => post(`invoices/${id}/void`)),
  actOn(2, 'invoice', ['open'], (id) => post(`invoices/${id}/mark_uncollectible`)),
  actOn(2, 'invoice', ['draft'], (id) => remove(`invoices/${id}`)),
  actOn(6, 'invoice', ['open', 'paid'], creditNote),
  actOn(2, 'credit_note', ['issued'], (id) => post(`credit_notes/${id}/void`)),
  act(14, subscription),
  actOn(14, 'subscription', LIVING, change),
  actOn(4, 'subscription', [...LIVING, 'incomplete', 'unpaid', 'paused'], (id, dice) => ({
    method: 'DELETE',
    path: `/v1/subscriptions/${id}?prorate=${String(dice.chance(50))}&invoice_now=${String(dice.chance(50))}`,
  })),
  actOn(2, 'subscription', ['paused'], (id) => post(`subscriptions/${id}/resume`)),
  act(4, schedule),
  actOn(1, 'subscription_schedule', ['active', 'not_started'], (id, dice) =>
    post(`subscription_schedules/${id}/${dice.one(['cancel', 'release'])}`),
  ),
  actOn(4, 'customer', [], (id, dice) =>
    post(`customers/${id}/balance_transactions`, { amount: dice.one([-1000, -99, 250]), currency: 'usd' }),
  ),
  actOn(4, 'customer', [], (id, dice) => post(`payment_methods/${dice.one(CARDS)}/attach`, { customer: id })),
  actOn(3, 'customer', [], (id, dice, view) => {
    const method = dice.maybe(view.where('payment_method', 'customer', id));
    return method
      ? post(`customers/${id}`, { invoice_settings: { default_payment_method: textField(method, 'id') } })
      : null;
  }),
  actOn(2, 'payment_method', [], (id) => post(`payment_methods/${id}/detach`)),
  actOn(1, 'customer', [], (id) => remove(`customers/${id}`)),
  act(6, checkout),
  actOn(3, 'customer', [], (id, dice) =>
    post('setup_intents', {
      customer: id,
      payment_method: dice.one(CARDS),
      confirm: true,
      payment_method_types: ['card'],
    }),
  ),
];

/** Actions of a business on its payments. */
export const ACTIONS: readonly Action[] = [...MAKERS, ...ACCOUNT_MAKERS];
