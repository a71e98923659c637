import type { Action, TenantsKit } from '../kit.js';
import { act, actOn, some } from '../pick.js';
import type { Dice } from '../dice.js';
import { num, textField, type ObservedWorld } from '../view.js';
import { post, remove } from './calls.js';

/** Maximum number of connected accounts in a story. */
const MOST = 3;
/** Id of an account that isn't connected; transfers to it are possible before any account is connected. */
const OUTSIDE = 'acct_1032D82eZvKYlo2C';

/** Lists the ids of connected accounts. */
function connected(view: ObservedWorld): string[] {
  return view
    .all('connected_account')
    .filter((each) => each['connected'] === true)
    .map((each) => textField(each, 'id'));
}

/** Chooses the destination of a transfer: mostly a connected account, if there is one. */
export function destination(dice: Dice, view: ObservedWorld): string {
  const others = connected(view).filter((id) => id !== view.tenant);
  return others.length > 0 && dice.chance(95) ? dice.one(others) : OUTSIDE;
}

/** Actions that a platform performs on its connected accounts. */
export const MAKERS: readonly Action[] = [
  act(6, (dice, view) =>
    view.tenant !== null || connected(view).length >= MOST
      ? null
      : post('accounts', {
          type: dice.one(['custom', 'express']),
          capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
        }),
  ),
  act(2, (dice, view) => {
    const id = view.tenant === null ? dice.maybe(connected(view)) : undefined;
    if (id === undefined) return null;
    return dice.chance(15)
      ? remove(`accounts/${id}`)
      : post(`accounts/${id}`, { business_profile: { name: dice.one(['Ann', 'Bea']) } });
  }),
  actOn(6, 'application_fee', [], (id, dice, view) => {
    const fee = view.get('application_fee', id);
    const left = num(fee, 'amount') - num(fee, 'amount_refunded');
    return post(`application_fees/${id}/refunds`, dice.chance(50) ? {} : { amount: Math.ceil(left / 2) });
  }),
  act(3, (dice, view) => {
    const customer = view.tenant === null ? undefined : some(dice, view, 'customer');
    // Chooses a customer of the platform, which the account can't access.
    const outside = view.of(null).all('customer').at(-1);
    return customer === undefined || !outside
      ? null
      : post(`customers/${textField(outside, 'id')}`, { name: 'Nobody' });
  }),
];

/** Configuration of connected accounts as tenants. */
export const ACCOUNTS: TenantsKit = {
  header: 'stripe-account',
  ids: connected,
  causes: (id) => [['account.onboarded', { account_id: id }]],
  endpoint: (url) => post('webhook_endpoints', { url, enabled_events: ['*'], connect: true }),
  crossing: ['application_fee.charge', 'charge.application_fee'],
};
