import type { Law } from '../kit.js';
import { num, textField, type ObservedWorld } from '../view.js';

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

/** The platform's own account. */
const HOME = 'acct_1Pgaf0LkdIwHu7ix';

/** Invariants between a platform and its accounts. */
export const ACCOUNT_LAWS: readonly Law[] = [{ name: 'money between accounts is balanced', broken: between }];
