import type { Law } from '../kit.js';
import { num, sum, textField, type ObservedWorld } from '../view.js';

/** Sums an account's transactions of some types, by currency. */
function total(
  view: ObservedWorld,
  types: readonly string[],
  from: (id: string) => boolean = () => true,
): Map<string, number> {
  const totals = new Map<string, number>();
  for (const each of view.all('balance_transaction')) {
    if (!types.includes(textField(each, 'type')) || !from(textField(each, 'source'))) continue;
    const currency = textField(each, 'currency');
    totals.set(currency, (totals.get(currency) ?? 0) + num(each, 'amount'));
  }
  return totals;
}

/** Yields violations: an event must contain the account that it belongs to. */
function* events(view: ObservedWorld): Iterable<string> {
  for (const event of view.all('event'))
    if ((event['account'] ?? null) !== view.tenant)
      yield `${textField(event, 'id')} of ${view.tenant ?? 'the platform'} says the account ${String(event['account'])}`;
}

/** Yields violations: transfers must conserve money. An amount that leaves one balance arrives at another, and reversals return it. */
function* between(view: ObservedWorld): Iterable<string> {
  if (view.tenant !== null) return;
  const all = [view, ...view.tenants.map((tenant) => view.of(tenant))];
  const known = new Set(view.tenants);
  const sums = new Map<string, number>();
  const add = (totals: Map<string, number>): void => {
    for (const [currency, amount] of totals) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  };
  for (const each of all) {
    // Transfers to accounts that aren't connected don't arrive in any balance here.
    const arrives = (transfer: string): boolean => {
      const to = textField(each.get('transfer', transfer), 'destination');
      return known.has(to) || to === HOME;
    };
    add(total(each, ['transfer'], arrives));
    add(total(each, ['transfer_refund'], (id) => arrives(textField(each.get('transfer_reversal', id), 'transfer'))));
    const cameByTransfer = (charge: string): boolean => textField(each.get('charge', charge), 'source_transfer') !== '';
    add(total(each, ['payment'], cameByTransfer));
    add(total(each, ['payment_refund'], (id) => cameByTransfer(textField(each.get('refund', id), 'charge'))));
  }
  for (const [currency, amount] of sums)
    if (amount !== 0) yield `transfers in ${currency} and what arrived of them differ by ${amount}`;
}

/** Yields violations: the platform must receive the fees of its accounts' payments, minus refunded ones. */
function* fees(view: ObservedWorld): Iterable<string> {
  if (view.tenant !== null) return;
  const known = new Set(view.all('connected_account').map((each) => textField(each, 'id')));
  for (const fee of view.all('application_fee')) {
    const id = textField(fee, 'id');
    const account = textField(fee, 'account');
    const back = sum(view.where('fee_refund', 'fee', id).map((each) => num(each, 'amount')));
    if (num(fee, 'amount_refunded') !== back) yield `${id}: amount_refunded is not ${back}`;
    if (back > num(fee, 'amount')) yield `${id} is refunded more than it is`;
    if (fee['refunded'] !== (back === num(fee, 'amount'))) yield `${id}: refunded is wrong`;
    const own = sum(view.where('balance_transaction', 'source', id).map((each) => num(each, 'amount')));
    if (own !== num(fee, 'amount') - back)
      yield `${id}: ${own} came to the platform of ${num(fee, 'amount')} less ${back}`;
    if (!known.has(account)) continue;
    const there = view.of(account);
    const charge = there.get('charge', fee['charge']);
    if (!charge) yield `${id}: ${account} has no charge ${String(fee['charge'])}`;
    if (charge && charge['application_fee'] !== id)
      yield `${id}: its charge names ${String(charge['application_fee'])}`;
    const taken = there.where('balance_transaction', 'source', textField(fee, 'charge'));
    const given = sum(
      taken.filter((each) => textField(each, 'type') === 'application_fee_refund').map((each) => num(each, 'amount')),
    );
    if (given !== back) yield `${id}: ${given} went back to ${account}, not ${back}`;
  }
}

/** Id of the platform's own account. */
const HOME = 'acct_1Pgaf0LkdIwHu7ix';

/** Invariants of money and events between a platform and its accounts. */
export const ACCOUNT_LAWS: readonly Law[] = [
  { name: 'events say where they happened', broken: events },
  { name: 'money between accounts is balanced', broken: between },
  { name: 'application fees add up', broken: fees },
];
