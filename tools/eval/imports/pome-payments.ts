import type { Json, JsonObject } from '../../../engine/values/index.js';
import { rowsIn, type PomeSetup, type Sentence } from './pome-text.js';

const exists = (resource: string, field: string, value: Json): JsonObject => ({
  final: `count(${resource}, ${JSON.stringify({ [field]: value })}) >= 1`,
});

/** Sentence patterns of criteria about payments. */
export const PAYMENT_SENTENCES: readonly Sentence[] = [
  [/^A refund exists on charge "(\w+)"$/, (charge) => ({ final: `count(refund, {"charge": ${charge}}) >= 1` })],
  [
    /^The number of refunds on charge "(\w+)" is (\d+)$/,
    (charge, count) => ({ final: `count(refund, {"charge": ${charge}}) == ${count}` }),
  ],
  [/^No refund was attempted on charge "\w+"$/, () => ({ calls: { never: ['refunds.create'] } })],
  [/^A PaymentIntent exists with amount (\d+)$/, (amount) => exists('payment_intent', 'amount', Number(amount))],
  [/^A PaymentIntent exists with status "(\w+)"$/, (status) => exists('payment_intent', 'status', status)],
  [/^A charge exists with status "(\w+)"$/, (status) => exists('charge', 'status', status)],
  [
    /^The PaymentIntent status is (\w+)$/,
    (status) => ({ final: `count(payment_intent) == 1 && count(payment_intent, {"status": "${status}"}) == 1` }),
  ],
  [/^([\w.]+) is emitted$/, (type) => exists('event', 'type', type)],
];

/** Creates payments by calls, since the vendor generates their ids. */
export function paymentSetup(seed: JsonObject): PomeSetup {
  const charges = new Map(rowsIn(seed, 'charges').map((each) => [each['payment_intent_id'], each]));
  const names: Record<string, string> = {};
  const notes: string[] = [];
  const setup: JsonObject[] = [];
  for (const [index, { id, amount, currency, latest_charge_id }] of rowsIn(seed, 'payment_intents').entries()) {
    const as = `payment_${index + 1}`;
    const given = {
      amount,
      currency,
      payment_method: 'pm_card_visa',
      confirm: true,
      return_url: 'https://shop.example',
    };
    setup.push({ call: 'payment_intents.create', with: given, as });
    names[String(latest_charge_id)] = `${as}.latest_charge`;
    names[String(id)] = `${as}.id`;
    const { amount_refunded = 0 } = charges.get(id) ?? {};
    if (amount_refunded !== 0)
      setup.push({ call: 'refunds.create', with: { payment_intent: `\${${as}.id}`, amount: amount_refunded } });
    notes.push(`the payment ${String(id)} is by card`);
  }
  for (const { method, path, attempt = 1, mode, status, body } of rowsIn(seed, 'failure_injection')) {
    if (method !== 'POST' || path !== '/v1/refunds') {
      notes.push(`no fault for ${String(method)} ${String(path)}`);
      continue;
    }
    const after = Number(attempt) - 1;
    setup.push({
      fault: {
        ...{ resource: 'refunds', operation: 'create', status, count: 1, body: JSON.stringify(body) },
        kind: mode === 'after_handler' ? 'response' : 'error',
        ...(after > 0 ? { after } : {}),
      },
    });
  }
  return { setup, names, notes };
}
