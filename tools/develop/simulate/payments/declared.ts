import type { DeclaredWords } from '../kit.js';
import { FIT, USUAL } from './usual.js';

/** Hints for generating parameters of the payments pack. */
export const DECLARED: DeclaredWords = {
  except: [],
  values: {
    currency: ['usd', 'usd', 'usd', 'usd', 'eur', 'jpy'],
    interval: ['month', 'month', 'month', 'week', 'year', 'day'],
    amount: [0, 1, 30, 1000, 1999, -700, 250_000],
    unit_amount: [0, 1, 30, 1000, 1999, 5000],
    unit_amount_decimal: ['0.5', '12.5', '1000', '0.0001', '99999.99'],
    quantity: [0, 1, 1, 2, 3, 12, 250],
    percent_off: [1, 10, 25, 33.33, 50, 99.99, 100],
    percentage: [0, 5, 8.25, 19, 20, 100],
    up_to: [5, 10, 20, 'inf'],
    interval_count: [1, 1, 1, 2, 3],
    duration_in_months: [1, 3, 12],
    trial_period_days: [0, 1, 2, 7, 14, 30],
    iterations: [1, 2, 3],
    days_until_due: [0, 1, 10, 30],
    country: ['US', 'DE', 'FR'],
    limit: [0, 1, 3, 100, 500],
    query: [
      'created>0',
      "metadata['k']:'v'",
      "name~'old'",
      "status:'active' AND created<99999999999",
      "-currency:'usd'",
    ],
  },
  named: [
    [/discount$/, 'discount'],
    [/tax_rates?$/, 'tax_rate'],
    [/subscription$/, 'subscription'],
    [/product$/, 'product'],
  ],
  ids: {
    payment_method: [
      ...['pm_card_visa', 'pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_authenticationRequired'],
      ...['pm_card_chargeDeclined', 'pm_card_threeDSecure2Required', 'pm_usBankAccount_success'],
    ],
  },
  wanted: ['items', 'phases', 'price'],
  fit: FIT,
  usual: USUAL,
  over: ['canceled', 'incomplete_expired', 'void', 'paid', 'completed', 'released', 'accepted'],
};
