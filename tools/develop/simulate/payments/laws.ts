import { isList, type JsonObject } from '../../../../engine/values/index.js';
import type { Law } from '../kit.js';
import { items, num, part, sum, textField, type ObservedWorld } from '../view.js';

/** Yields a message if two amounts differ. */
function* equal(what: string, is: number, should: number): Iterable<string> {
  if (is !== should) yield `${what} is ${is}, not ${should}`;
}

const REFUNDED = ['succeeded', 'pending', 'requires_action'];

function* charges(view: ObservedWorld): Iterable<string> {
  const refunds = view.by('refund', 'charge');
  for (const charge of view.all('charge')) {
    const id = textField(charge, 'id');
    const own = (refunds.get(id) ?? []).filter((refund) => REFUNDED.includes(textField(refund, 'status')));
    yield* equal(
      `${id}: amount_refunded`,
      num(charge, 'amount_refunded'),
      sum(own.map((refund) => num(refund, 'amount'))),
    );
    if (num(charge, 'amount_refunded') > num(charge, 'amount')) yield `${id} is refunded more than it is`;
    if (charge['refunded'] !== (num(charge, 'amount_refunded') === num(charge, 'amount')))
      yield `${id}: refunded is wrong`;
    if (num(charge, 'amount_captured') > num(charge, 'amount')) yield `${id} is captured more than it is`;
    if (charge['captured'] === true && textField(charge, 'status') === 'failed') yield `${id} is captured and failed`;
    if (charge['captured'] !== true || textField(charge, 'status') !== 'succeeded') continue;
    const transaction = view.get('balance_transaction', charge['balance_transaction']);
    if (!transaction) yield `${id} is captured, and nothing came to the balance`;
    else yield* equal(`${id}: amount of its transaction`, num(transaction, 'amount'), num(charge, 'amount_captured'));
  }
  for (const refund of view.all('refund')) {
    const transaction = view.get('balance_transaction', refund['balance_transaction']);
    if (transaction)
      yield* equal(`${textField(refund, 'id')}: its transaction`, num(transaction, 'amount'), -num(refund, 'amount'));
    const back = view.get('balance_transaction', refund['failure_balance_transaction']);
    if (back) yield* equal(`${textField(refund, 'id')}: what came back`, num(back, 'amount'), num(refund, 'amount'));
  }
}

function* intents(view: ObservedWorld): Iterable<string> {
  const charges = view.by('charge', 'payment_intent');
  for (const intent of view.all('payment_intent')) {
    const id = textField(intent, 'id');
    const own = charges.get(id) ?? [];
    const latest = view.get('charge', intent['latest_charge']);
    const status = textField(intent, 'status');
    if (intent['latest_charge'] !== null && latest !== own.at(-1))
      yield `${id}: latest_charge is not its newest charge`;
    const kept = own.filter((charge) => textField(charge, 'status') === 'succeeded' && charge['refunded'] !== true);
    if (kept.length > 1) yield `${id} is charged ${kept.length} times`;
    if (status === 'succeeded' && latest)
      yield* equal(`${id}: amount_received`, num(intent, 'amount_received'), num(latest, 'amount_captured'));
    if (status === 'requires_capture') {
      yield* equal(
        `${id}: amount_capturable`,
        num(intent, 'amount_capturable'),
        num(latest, 'amount') - num(latest, 'amount_refunded'),
      );
      if (latest?.['captured'] !== false) yield `${id} requires capture of a captured charge`;
    } else yield* equal(`${id}: amount_capturable`, num(intent, 'amount_capturable'), 0);
    if (status !== 'succeeded') yield* equal(`${id}: amount_received`, num(intent, 'amount_received'), 0);
    if ((intent['next_action'] !== null) !== (status === 'requires_action'))
      yield `${id} is ${status} with next_action ${JSON.stringify(intent['next_action'])}`;
    if ((intent['canceled_at'] !== null) !== (status === 'canceled'))
      yield `${id} is ${status} and canceled_at ${String(intent['canceled_at'])}`;
    if (status === 'requires_payment_method' && intent['payment_method'] !== null)
      yield `${id} requires a method and has one`;
  }
}

function* balance(view: ObservedWorld): Iterable<string> {
  const [balance] = view.all('balance');
  const transactions = view.all('balance_transaction');
  for (const each of transactions) {
    const id = textField(each, 'id');
    yield* equal(`${id}: net`, num(each, 'net'), num(each, 'amount') - num(each, 'fee'));
    yield* equal(
      `${id}: fee_details`,
      sum(items(each, 'fee_details').map((fee) => num(fee, 'amount'))),
      num(each, 'fee'),
    );
    if (textField(each, 'status') === 'pending' && num(each, 'available_on') <= view.now)
      yield `${id} is ${textField(each, 'status')} and available on ${num(each, 'available_on')}`;
  }
  for (const status of ['available', 'pending']) {
    for (const entry of items(balance, status)) {
      const currency = textField(entry, 'currency');
      const own = transactions.filter(
        (each) => textField(each, 'status') === status && textField(each, 'currency') === currency,
      );
      yield* equal(`${status} ${currency}`, num(entry, 'amount'), sum(own.map((each) => num(each, 'net'))));
      for (const [kind, amount] of Object.entries(part(entry, 'source_types') ?? {}))
        yield* equal(
          `${status} ${currency} of ${kind}`,
          Number(amount),
          sum(own.filter((each) => textField(each, 'kind') === kind).map((each) => num(each, 'net'))),
        );
    }
  }
  const pending = transactions.filter((each) => textField(each, 'status') === 'pending').length;
  yield* equal(
    'what waits to become available',
    sum(Object.values(part(balance, 'maturing') ?? {}).map(Number)),
    pending,
  );
}

function* transfers(view: ObservedWorld): Iterable<string> {
  for (const transfer of view.all('transfer')) {
    const id = textField(transfer, 'id');
    const reversed = sum(view.where('transfer_reversal', 'transfer', id).map((each) => num(each, 'amount')));
    yield* equal(`${id}: amount_reversed`, num(transfer, 'amount_reversed'), reversed);
    if (reversed > num(transfer, 'amount')) yield `${id} is reversed more than it is`;
    if (transfer['reversed'] !== (reversed === num(transfer, 'amount'))) yield `${id}: reversed is wrong`;
  }
  const transactions = view.by('balance_transaction', 'source');
  for (const payout of view.all('payout')) {
    const id = textField(payout, 'id');
    const own = sum((transactions.get(id) ?? []).map((each) => num(each, 'amount')));
    const isBack = ['failed', 'canceled'].includes(textField(payout, 'status'));
    yield* equal(
      `${id} is ${textField(payout, 'status')}: what it took from the balance`,
      -own,
      isBack ? 0 : num(payout, 'amount'),
    );
  }
}

function* disputes(view: ObservedWorld): Iterable<string> {
  for (const charge of view.all('charge')) {
    const own = view.where('dispute', 'charge', textField(charge, 'id'));
    if (charge['disputed'] !== own.length > 0)
      yield `${textField(charge, 'id')}: disputed is ${String(charge['disputed'])} with ${own.length} disputes`;
  }
  const transactions = view.by('balance_transaction', 'source');
  for (const dispute of view.all('dispute')) {
    const own = transactions.get(textField(dispute, 'id')) ?? [];
    const taken = -sum(own.map((each) => num(each, 'amount')));
    const status = textField(dispute, 'status');
    const isOut = !status.startsWith('warning_') && status !== 'won';
    yield* equal(`${textField(dispute, 'id')} is ${status}: what it took`, taken, isOut ? num(dispute, 'amount') : 0);
  }
}

function* invoices(view: ObservedWorld): Iterable<string> {
  const lines = view.by('line_item', 'invoice');
  const notes = view.by('credit_note', 'invoice');
  for (const invoice of view.all('invoice'))
    yield* invoiceBroken(
      invoice,
      lines.get(textField(invoice, 'id')) ?? [],
      notes.get(textField(invoice, 'id')) ?? [],
      view,
    );
}

function* invoiceBroken(
  invoice: JsonObject,
  lines: readonly JsonObject[],
  notes: readonly JsonObject[],
  view: ObservedWorld,
): Iterable<string> {
  const id = textField(invoice, 'id');
  const status = textField(invoice, 'status');
  const amount = (field: string): number => num(invoice, field);
  const discounts = sum(items(invoice, 'total_discount_amounts').map((each) => num(each, 'amount')));
  const taxes = sum(
    items(invoice, 'total_tax_amounts')
      .filter((tax) => tax['inclusive'] !== true)
      .map((tax) => num(tax, 'amount')),
  );
  const own = new Set(lines.flatMap((line) => (isList(line['discounts']) ? line['discounts'] : [])));
  const ofSingleLines = sum(
    items(invoice, 'total_discount_amounts')
      .filter((each) => own.has(textField(each, 'discount')))
      .map((each) => num(each, 'amount')),
  );
  yield* equal(`${id}: subtotal`, amount('subtotal'), sum(lines.map((line) => num(line, 'amount'))) - ofSingleLines);
  yield* equal(
    `${id}: total`,
    amount('total'),
    amount('subtotal') - (discounts - ofSingleLines) + taxes + amount('amount_shipping'),
  );
  yield* equal(
    `${id}: total of its lines`,
    amount('total'),
    sum(lines.map((line) => num(line, 'amount'))) - discounts + taxes + amount('amount_shipping'),
  );
  const tax = sum(items(invoice, 'total_tax_amounts').map((each) => num(each, 'amount')));
  const ofLines = (field: string): number =>
    sum(lines.flatMap((line) => items(line, field).map((each) => num(each, 'amount'))));
  yield* equal(`${id}: tax`, amount('tax'), tax);
  yield* equal(`${id}: total_excluding_tax`, amount('total_excluding_tax'), amount('total') - tax);
  yield* equal(`${id}: discounts of its lines`, ofLines('discount_amounts'), discounts);
  yield* equal(`${id}: taxes of its lines`, ofLines('tax_amounts'), tax);
  const isFinal = status !== 'draft';
  // A draft may have a number already, but a final invoice must have one.
  if (
    (isFinal && invoice['number'] === null) ||
    isFinal !== (part(invoice, 'status_transitions')?.['finalized_at'] != null)
  )
    yield `${id} is ${status} with number ${String(invoice['number'])}`;
  const issued = notes.filter((note) => textField(note, 'status') === 'issued');
  const before = sum(
    issued.filter((note) => textField(note, 'type') === 'pre_payment').map((note) => num(note, 'total')),
  );
  const after = sum(
    issued.filter((note) => textField(note, 'type') === 'post_payment').map((note) => num(note, 'total')),
  );
  // A credit note of an uncollectible invoice may be voided without any effect.
  if (['open', 'paid'].includes(status))
    yield* equal(`${id}: credit notes before its payment`, amount('pre_payment_credit_notes_amount'), before);
  yield* equal(`${id}: credit notes after its payment`, amount('post_payment_credit_notes_amount'), after);
  if (status === 'paid') {
    yield* equal(`${id}: amount_remaining`, amount('amount_remaining'), 0);
    yield* equal(`${id}: amount_paid`, amount('amount_paid'), amount('amount_due'));
    if (invoice['paid'] !== true || part(invoice, 'status_transitions')?.['paid_at'] == null)
      yield `${id} is paid and does not say so`;
    const charge = view.get('charge', invoice['charge']);
    if (charge) yield* equal(`${id}: its charge`, num(charge, 'amount_captured'), amount('amount_paid'));
    if (amount('amount_paid') > 0 && !charge && invoice['paid_out_of_band'] !== true)
      yield `${id} is paid and has no charge`;
  } else {
    yield* equal(`${id} is ${status}: amount_paid`, amount('amount_paid'), 0);
    yield* equal(`${id} is ${status}: amount_remaining`, amount('amount_remaining'), amount('amount_due'));
    if (invoice['paid'] === true) yield `${id} is ${status} and says paid`;
  }
  const intent = view.get('payment_intent', invoice['payment_intent']);
  if (status === 'open' && intent) {
    yield* equal(`${id}: its intent`, num(intent, 'amount'), amount('amount_due'));
    if (['canceled', 'succeeded'].includes(textField(intent, 'status')))
      yield `${id} is open, its intent ${textField(intent, 'status')}`;
  }
  if (status === 'void' && intent && textField(intent, 'status') !== 'canceled')
    yield `${id} is void, its intent ${textField(intent, 'status')}`;
  if (['void', 'paid', 'uncollectible'].includes(status) && invoice['next_payment_attempt'] !== null)
    yield `${id} is ${status} and will be tried again`;
}

function* customers(view: ObservedWorld): Iterable<string> {
  const moves = view.by('customer_balance_transaction', 'customer');
  for (const customer of view.all('customer')) {
    const id = textField(customer, 'id');
    const own = moves.get(id) ?? [];
    // A customer has one balance per currency, and shows the balance in the customer's own currency.
    const after = new Map<string, number>();
    for (const each of own) {
      const currency = textField(each, 'currency');
      const ending = (after.get(currency) ?? 0) + num(each, 'amount');
      after.set(currency, ending);
      yield* equal(`${textField(each, 'id')}: ending_balance`, num(each, 'ending_balance'), ending);
    }
    yield* equal(`${id}: balance`, num(customer, 'balance'), after.get(textField(customer, 'currency')) ?? 0);
    const numbers = view.where('invoice', 'customer', id).flatMap((invoice) => textField(invoice, 'number') || []);
    if (new Set(numbers).size !== numbers.length) yield `${id} has two invoices of one number`;
    const method = textField(part(customer, 'invoice_settings'), 'default_payment_method');
    if (method !== '' && view.get('payment_method', method)?.['customer'] !== id)
      yield `${id}: the default method ${method} is not its own`;
  }
}

function* subscriptions(view: ObservedWorld): Iterable<string> {
  for (const each of view.all('subscription')) {
    const id = textField(each, 'id');
    const status = textField(each, 'status');
    const isOver = ['canceled', 'incomplete_expired'].includes(status);
    if (isOver !== (each['ended_at'] !== null)) yield `${id} is ${status} and ended_at ${String(each['ended_at'])}`;
    if (num(each, 'current_period_start') > num(each, 'current_period_end'))
      yield `${id}: the period ends before it begins`;
    if (['active', 'trialing', 'past_due', 'unpaid'].includes(status) && num(each, 'current_period_end') < view.now)
      yield `${id} is ${status} and its period is over`;
    if (status === 'trialing' && num(each, 'trial_end') < view.now) yield `${id} is trialing and its trial is over`;
    if (view.get('customer', each['customer']) === undefined && !isOver)
      yield `${id} is ${status} and its customer is gone`;
    const invoice = view.get('invoice', each['latest_invoice']);
    if (each['latest_invoice'] !== null && !invoice) yield `${id}: its latest invoice is gone`;
    if (view.where('subscription_item', 'subscription', id).length === 0 && !isOver) yield `${id} has no items`;
    const first = view.where('invoice', 'subscription', id).at(0);
    if (status === 'incomplete' && textField(first, 'status') === 'paid')
      yield `${id} is incomplete and its first invoice is paid`;
  }
}

/** Invariants of money. */
export const LAWS: readonly Law[] = [
  { name: 'charges and refunds add up', broken: charges },
  { name: 'intents and charges agree', broken: intents },
  { name: 'the balance is the sum of its transactions', broken: balance },
  { name: 'transfers and payouts add up', broken: transfers },
  { name: 'disputes take their money', broken: disputes },
  { name: 'invoices add up', broken: invoices },
  { name: 'customer balances add up', broken: customers },
  { name: 'subscriptions live', broken: subscriptions },
];
