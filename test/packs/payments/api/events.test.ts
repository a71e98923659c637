import type Stripe from 'stripe';
import { CAUSES, idOf, refused, servePayments, VERSION } from '../served-payments.js';

const payments = servePayments();

type Params = Partial<Stripe.PaymentIntentCreateParams>;

const pay = (params: Params = {}) =>
  payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    ...params,
  });
const unpaid = (params: Params = {}) =>
  payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd', ...params });
const debit = (payment_method: string) =>
  pay({
    payment_method,
    payment_method_types: ['us_bank_account'],
    mandate_data: { customer_acceptance: { type: 'offline' } },
  });
const charge = async (payment_method = 'pm_card_visa') => idOf((await pay({ payment_method })).latest_charge);
const setUp = (params: Stripe.SetupIntentCreateParams = {}) =>
  payments.stripe.setupIntents.create({
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    ...params,
  });
const fire = (cause: string, params: Record<string, unknown>) => payments.control.event(cause, params);
const declined = 'pm_card_chargeDeclined';
const challenge = 'pm_card_threeDSecure2Required';
const disputeOf = async (method: string) =>
  (await payments.stripe.disputes.list({ charge: await charge(method) })).data[0].id;

/** What is arranged, what then happens, and the events of that, in order. */
type Case = [string, () => Promise<() => Promise<unknown>>, string[]];

const now = (run: () => Promise<unknown>) => () => Promise.resolve(run);

const cases: Case[] = [
  ['creating an intent', now(() => unpaid()), ['payment_intent.created']],
  [
    'creating and confirming',
    now(() => pay()),
    ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', 'charge.updated'],
  ],
  [
    'with capture_method automatic',
    now(() => pay({ capture_method: 'automatic' })),
    ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'],
  ],
  [
    'confirming',
    async () => {
      const { id } = await unpaid();
      return () => payments.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    },
    ['charge.succeeded', 'payment_intent.succeeded', 'charge.updated'],
  ],
  [
    'paying and saving the method',
    async () => {
      const { id } = await payments.stripe.customers.create();
      return () => pay({ customer: id, setup_future_usage: 'off_session', capture_method: 'automatic' });
    },
    ['payment_intent.created', 'payment_method.attached', 'charge.succeeded', 'payment_intent.succeeded'],
  ],
  [
    'a decline',
    now(() => refused(pay({ payment_method: declined }))),
    ['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed'],
  ],
  [
    'payment.declined from outside',
    async () => {
      const { id } = await unpaid({ payment_method: 'pm_card_visa' });
      return () => fire('payment.declined', { payment_intent_id: id, decline_code: 'insufficient_funds' });
    },
    ['charge.failed', 'payment_intent.payment_failed'],
  ],
  [
    'a challenge',
    now(() => pay({ payment_method: challenge })),
    ['payment_intent.created', 'payment_intent.requires_action'],
  ],
  [
    'a challenge that is passed',
    async () => {
      const { id } = await pay({ payment_method: challenge });
      return () => fire(CAUSES.challengeCompleted, { payment_intent_id: id });
    },
    ['charge.succeeded', 'payment_intent.succeeded', 'charge.updated'],
  ],
  [
    'a challenge that is failed',
    async () => {
      const { id } = await pay({ payment_method: challenge });
      return () => fire(CAUSES.challengeFailed, { payment_intent_id: id });
    },
    ['payment_intent.payment_failed'],
  ],
  [
    'an authorisation',
    now(() => pay({ capture_method: 'manual' })),
    ['payment_intent.created', 'charge.succeeded', 'payment_intent.amount_capturable_updated'],
  ],
  [
    'a capture',
    async () => {
      const { id } = await pay({ capture_method: 'manual' });
      return () => payments.stripe.paymentIntents.capture(id);
    },
    ['charge.captured', 'payment_intent.succeeded', 'charge.updated'],
  ],
  [
    'cancelling an authorisation',
    async () => {
      const { id } = await pay({ capture_method: 'manual' });
      return () => payments.stripe.paymentIntents.cancel(id);
    },
    ['charge.refunded', 'payment_intent.canceled'],
  ],
  [
    'an authorisation that lapses',
    async () => {
      await pay({ capture_method: 'manual' });
      return () => payments.control.advance('8d');
    },
    ['charge.refunded', 'charge.expired', 'payment_intent.canceled'],
  ],
  [
    'cancelling an intent',
    async () => {
      const { id } = await unpaid();
      return () => payments.stripe.paymentIntents.cancel(id);
    },
    ['payment_intent.canceled'],
  ],
  [
    'updating an intent',
    async () => {
      const { id } = await unpaid();
      return () => payments.stripe.paymentIntents.update(id, { amount: 3000, metadata: { a: '1' } });
    },
    [],
  ],
  [
    'a bank debit',
    now(() => debit('pm_usBankAccount_success')),
    ['payment_intent.created', 'payment_intent.processing', 'charge.pending'],
  ],
  [
    'a bank debit that settles',
    async () => {
      const { id } = await debit('pm_usBankAccount_success');
      return () => fire(CAUSES.debitSettled, { payment_intent_id: id });
    },
    ['charge.succeeded', 'payment_intent.succeeded'],
  ],
  [
    'a bank debit that comes back',
    async () => {
      const { id } = await debit('pm_usBankAccount_success');
      return () => fire(CAUSES.debitReturned, { payment_intent_id: id });
    },
    ['charge.failed', 'payment_intent.payment_failed'],
  ],
  [
    'a refund',
    async () => {
      const id = await charge();
      return () => payments.stripe.refunds.create({ charge: id, amount: 500 });
    },
    ['refund.created', 'charge.refunded'],
  ],
  [
    'the reference of a refund',
    async () => {
      const id = await charge();
      await payments.stripe.refunds.create({ charge: id });
      return () => payments.control.advance('2h');
    },
    ['refund.updated', 'charge.refund.updated'],
  ],
  [
    'a refund that fails',
    async () => {
      const { id } = await payments.stripe.refunds.create({ charge: await charge() });
      return () => fire(CAUSES.refundFailed, { refund_id: id });
    },
    ['refund.failed', 'refund.updated', 'charge.refund.updated'],
  ],
  [
    'updating a charge',
    async () => {
      const id = await charge();
      return () => payments.stripe.charges.update(id, { description: 'new' });
    },
    ['charge.updated'],
  ],
  ['creating a setup intent', now(() => setUp()), ['setup_intent.created']],
  [
    'setting a card up for a customer',
    async () => {
      const { id } = await payments.stripe.customers.create();
      return () => setUp({ customer: id, payment_method: 'pm_card_visa', confirm: true });
    },
    ['setup_intent.created', 'payment_method.attached', 'setup_intent.succeeded'],
  ],
  [
    'a challenge at setup',
    now(() => setUp({ payment_method: challenge, confirm: true })),
    ['setup_intent.created', 'setup_intent.requires_action'],
  ],
  [
    'a decline at setup',
    now(() => refused(setUp({ payment_method: declined, confirm: true }))),
    ['setup_intent.created', 'setup_intent.setup_failed'],
  ],
  [
    'cancelling a setup intent',
    async () => {
      const { id } = await setUp();
      return () => payments.stripe.setupIntents.cancel(id);
    },
    ['setup_intent.canceled'],
  ],
  [
    'winning a dispute',
    async () => {
      const id = await disputeOf('pm_card_createDispute');
      return () => payments.stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
    },
    ['charge.dispute.updated', 'charge.dispute.closed', 'charge.dispute.funds_reinstated'],
  ],
  [
    'losing a dispute',
    async () => {
      const id = await disputeOf('pm_card_createDispute');
      return () => payments.stripe.disputes.close(id);
    },
    ['charge.dispute.closed'],
  ],
  ['creating a customer', now(() => payments.stripe.customers.create()), ['customer.created']],
  [
    'deleting a customer',
    async () => {
      const { id } = await payments.stripe.customers.create();
      return () => payments.stripe.customers.del(id);
    },
    ['customer.deleted'],
  ],
  [
    'creating a method',
    now(() => payments.stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })),
    [],
  ],
  [
    'attaching a method',
    async () => {
      const { id } = await payments.stripe.customers.create();
      return () => payments.stripe.paymentMethods.attach('pm_card_visa', { customer: id });
    },
    ['payment_method.attached'],
  ],
];

it.each(cases)('%s', async (_name, arrange, types) => {
  const run = await arrange();
  expect(await payments.typesOf(run)).toEqual(types);
});

it('a disputed card is disputed after it paid', async () => {
  const types = await payments.typesOf(async () => {
    await pay({ payment_method: 'pm_card_createDispute', capture_method: 'automatic' });
    await payments.control.advance('1m');
  });
  const expected = [
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ];
  expect(types.filter((type) => type !== 'charge.updated')).toEqual(expected);
});

it('a snapshot is the state right after the transition', async () => {
  await refused(pay({ payment_method: declined }));
  const events = await payments.events();
  const intents = events
    .filter(({ type }) => type.startsWith('payment_intent.'))
    .map(({ data }) => data.object as Stripe.PaymentIntent);
  expect(intents.at(-1)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined' },
  });
});

it('later changes do not reach into old snapshots', async () => {
  const { id } = await payments.stripe.customers.create({ name: 'before' });
  const [created] = await payments.events();
  await payments.stripe.customers.update(id, { name: 'after' });
  expect(await payments.stripe.events.retrieve(created.id)).toEqual(created);
  expect(created.data.object).toMatchObject({ name: 'before' });
});

it('events of a call carry its request, events of the clock and the world carry none', async () => {
  const { id } = await pay({ capture_method: 'manual' });
  const answer = await payments.post(`/v1/payment_intents/${id}/cancel`);
  const caused = (await payments.events()).filter(({ type }) => type === 'payment_intent.canceled');
  expect(caused[0].request).toEqual({ id: answer.headers.get('request-id'), idempotency_key: null });
  await debit('pm_usBankAccount_success');
  for (const event of await payments.eventsOf(() => payments.control.advance('5d'))) {
    expect(event.request).toEqual({ id: null, idempotency_key: null });
  }
});

it("api_version is the account's, whatever the request asked for", async () => {
  await payments.post('/v1/customers', {}, { 'Vendor-Version': '2023-10-16' });
  expect((await payments.events()).map(({ api_version }) => api_version)).toEqual([VERSION]);
});

it('the list is newest first and filters by type', async () => {
  await pay();
  await payments.stripe.customers.create();
  const types = async (params: Stripe.EventListParams) =>
    (await payments.stripe.events.list(params)).data.map(({ type }) => type);
  expect((await types({}))[0]).toBe('customer.created');
  expect(await types({ type: 'customer.created' })).toEqual(['customer.created']);
  expect(await types({ type: 'charge.*' })).toEqual(['charge.updated', 'charge.succeeded']);
  expect(await types({ types: ['customer.created', 'charge.succeeded'] })).toEqual([
    'customer.created',
    'charge.succeeded',
  ]);
});
