import type Stripe from 'stripe';
import { CAUSES, DAY, idOf, refused, servePayments, T0 } from '../served-payments.js';

const payments = servePayments();

async function charged(payment_method: string): Promise<Stripe.Charge> {
  const intent = await payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method,
    expand: ['latest_charge'],
  });
  return payments.stripe.charges.retrieve(idOf(intent.latest_charge));
}

async function disputed(payment_method = 'pm_card_createDispute'): Promise<Stripe.Dispute> {
  const charge = await charged(payment_method);
  const [dispute] = (await payments.stripe.disputes.list({ charge: charge.id })).data;
  return dispute;
}

const cards: [string, Stripe.Dispute['reason'], Stripe.Dispute.Status, number][] = [
  ['pm_card_createDispute', 'fraudulent', 'needs_response', 1],
  ['pm_card_createDisputeProductNotReceived', 'product_not_received', 'needs_response', 1],
  ['pm_card_createDisputeInquiry', 'fraudulent', 'warning_needs_response', 0],
];

it.each(cards)('%s: %s', async (method, reason, status, withdrawals) => {
  const dispute = await disputed(method);
  expect(dispute).toMatchObject({
    object: 'dispute',
    amount: 2000,
    currency: 'usd',
    reason,
    status,
    is_charge_refundable: status.startsWith('warning'),
  });
  expect(dispute.balance_transactions).toHaveLength(withdrawals);
  expect(dispute.evidence_details.due_by).toBeGreaterThan(T0 + 6 * DAY);
  expect((await payments.stripe.charges.retrieve(idOf(dispute.charge))).disputed).toBe(true);
});

it('withdraws the money and a fee', async () => {
  const { balance_transactions } = await disputed();
  expect(balance_transactions).toMatchObject([
    { amount: -2000, fee: 1500, net: -3500, type: 'adjustment', reporting_category: 'dispute' },
  ]);
});

it('a cause disputes any paid charge', async () => {
  const charge = await charged('pm_card_visa');
  await payments.control.event(CAUSES.disputeOpened, { charge_id: charge.id, reason: 'duplicate' });
  const [dispute] = (await payments.stripe.disputes.list({ charge: charge.id })).data;
  expect(dispute).toMatchObject({
    reason: 'duplicate',
    status: 'needs_response',
    payment_intent: charge.payment_intent,
  });
});

const verdicts: [string, string, Stripe.Dispute.Status, number][] = [
  ['winning_evidence', CAUSES.disputeWon, 'won', -3500 + 2000],
  ['losing_evidence', CAUSES.disputeLost, 'lost', -3500],
];

it.each(verdicts)('%s decides it', async (uncategorized_text, _cause, status, net) => {
  const { id } = await disputed();
  await payments.stripe.disputes.update(id, { evidence: { uncategorized_text } });
  await payments.control.advance('1s');
  const dispute = await payments.stripe.disputes.retrieve(id);
  expect(dispute.status).toBe(status);
  expect(dispute.evidence).toMatchObject({ uncategorized_text });
  expect(dispute.evidence_details).toMatchObject({ has_evidence: true, submission_count: 1 });
  const movements = dispute.balance_transactions.reduce((sum, each) => sum + each.net, 0);
  expect([net, net + 1500]).toContain(movements); // some regions give the fee back
});

it.each(verdicts)('the issuer decides from outside as well (%s)', async (_text, cause, status) => {
  const { id } = await disputed();
  await payments.stripe.disputes.update(id, { evidence: { uncategorized_text: 'The customer was there.' } });
  expect((await payments.stripe.disputes.retrieve(id)).status).toBe('under_review');
  await payments.control.event(cause, { dispute_id: id });
  expect((await payments.stripe.disputes.retrieve(id)).status).toBe(status);
  await expect(payments.control.event(cause, { dispute_id: id })).rejects.toMatchObject({ status: 409 });
});

it('evidence that is only staged does not go to the issuer', async () => {
  const { id } = await disputed();
  const dispute = await payments.stripe.disputes.update(id, {
    submit: false,
    evidence: { customer_name: 'Jenny Rosen' },
  });
  expect(dispute).toMatchObject({ status: 'needs_response', evidence: { customer_name: 'Jenny Rosen' } });
  expect(dispute.evidence_details).toMatchObject({ has_evidence: true, submission_count: 0 });
});

it('closing gives the dispute up, for good', async () => {
  const { id } = await disputed();
  expect((await payments.stripe.disputes.close(id)).status).toBe('lost');
  expect((await refused(payments.stripe.disputes.close(id))).statusCode).toBe(400);
});

it('an inquiry escalates into a dispute, and then the money goes', async () => {
  const { id } = await disputed('pm_card_createDisputeInquiry');
  await payments.stripe.disputes.update(id, { evidence: { uncategorized_text: 'escalate_inquiry_evidence' } });
  await payments.control.advance('1s');
  const dispute = await payments.stripe.disputes.retrieve(id);
  expect(dispute.status).toBe('needs_response');
  expect(dispute.balance_transactions).toMatchObject([{ amount: -2000 }]);
});

it('an inquiry that nobody escalates closes after 120 days', async () => {
  const { id } = await disputed('pm_card_createDisputeInquiry');
  await payments.control.advance('121d');
  expect((await payments.stripe.disputes.retrieve(id)).status).toBe('warning_closed');
});

it('lists by payment intent and keeps metadata', async () => {
  const dispute = await disputed();
  await charged('pm_card_createDispute');
  const { data } = await payments.stripe.disputes.list({ payment_intent: idOf(dispute.payment_intent) });
  expect(data.map(({ id }) => id)).toEqual([dispute.id]);
  const updated = await payments.stripe.disputes.update(dispute.id, { metadata: { ticket: '7' }, submit: false });
  expect(updated.metadata).toEqual({ ticket: '7' });
});
