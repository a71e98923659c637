import { type RecordedError, serveRecorded } from '../recorded-calls.js';

/** What the vendor's test mode returned for payment and setup intents in September 2026. */

const vendor = serveRecorded();
let customer: string;
let card: string;
beforeEach(async () => {
  customer = await vendor.customer(null);
  card = await vendor.method('tok_visa', customer);
});

type Fields = Record<string, string>;
const pay = (fields: Fields = {}): Promise<{ id: string }> =>
  vendor.made('POST /v1/payment_intents', { amount: '5000', currency: 'usd', 'payment_method_types[0]': 'card', ...fields });
const setUp = (fields: Fields = {}): Promise<{ id: string }> => vendor.made('POST /v1/setup_intents', fields);
const STATE = 'payment_intent_unexpected_state';

describe('a payment intent refuses', () => {
  const NEW = (): Promise<{ id: string }> => pay();
  const PAID = (): Promise<{ id: string }> => pay({ customer, payment_method: card, confirm: 'true' });
  const HELD = (): Promise<{ id: string }> => pay({ customer, payment_method: card, confirm: 'true', capture_method: 'manual' });
  const CANCELED = async (): Promise<{ id: string }> => {
    const payment = await pay();
    return vendor.made(`POST /v1/payment_intents/${payment.id}/cancel`, { cancellation_reason: 'abandoned' });
  };
  test.each<[string, () => Promise<{ id: string }>, string, Fields, RecordedError]>([
    [
      'a confirmation without a method',
      NEW,
      '/confirm',
      {},
      [
        400,
        STATE,
        null,
        "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      ],
    ],
    [
      'a capture of what was not confirmed',
      NEW,
      '/capture',
      {},
      [
        400,
        STATE,
        null,
        'This PaymentIntent could not be captured because it has a status of requires_payment_method. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.',
      ],
    ],
    [
      'a capture of what was captured',
      PAID,
      '/capture',
      {},
      [
        400,
        STATE,
        null,
        'The remaining amount on this PaymentIntent could not be captured because the remainder of the authorized amount has been released.',
      ],
    ],
    [
      'a capture of more than is held',
      HELD,
      '/capture',
      { amount_to_capture: '9999' },
      [
        400,
        'amount_too_large',
        null,
        'The payment could not be captured because the requested capture amount is greater than the amount you can capture for this charge. Contact us via https://support.stripe.com/contact/ for help.',
      ],
    ],
    [
      'a capture below nothing',
      HELD,
      '/capture',
      { amount_to_capture: '-100' },
      [400, null, 'amount_to_capture', 'Invalid non-negative integer'],
    ],
    [
      'a capture of nothing',
      HELD,
      '/capture',
      { amount_to_capture: '0' },
      [400, 'parameter_invalid_integer', 'amount', 'This value must be greater than or equal to 1.'],
    ],
    [
      'to be canceled twice',
      CANCELED,
      '/cancel',
      {},
      [
        400,
        STATE,
        null,
        'You cannot cancel this PaymentIntent because it has a status of canceled. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_reauthorization, requires_confirmation, requires_action, expired, processing.',
      ],
    ],
    [
      'another amount when paid',
      PAID,
      '',
      { amount: '9999' },
      [
        400,
        STATE,
        'amount',
        "This PaymentIntent's amount could not be updated because it has a status of succeeded. You may only update the amount of a PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action.",
      ],
    ],
  ])('%s', async (_name, made, action, fields, error) => {
    const { id } = await made();
    expect(await vendor.error(`POST /v1/payment_intents/${id}${action}`, fields)).toEqual(error);
  });
});

test('a refused confirmation carries its intent', async () => {
  const { id } = await pay({ customer });
  const { body } = await vendor.call(`POST /v1/payment_intents/${id}/confirm`);
  const message = `You cannot confirm this PaymentIntent because it's missing a payment method. To confirm the PaymentIntent with ${customer}, specify a payment method attached to this customer along with the customer ID.`;
  expect(body['error']).toMatchObject({ message, payment_intent: { id, status: 'requires_payment_method' } });
});

test('a bank that asks for the customer declines while nobody is there', async () => {
  const payment_method = await vendor.method('tok_threeDSecure2Required');
  const away = { amount: '900', currency: 'usd', 'payment_method_types[0]': 'card', payment_method, confirm: 'true', off_session: 'true' };
  const { status, body } = await vendor.call('POST /v1/payment_intents', away);
  expect([status, body['error']]).toMatchObject([
    402,
    {
      code: 'authentication_required',
      decline_code: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
      payment_intent: { status: 'requires_payment_method' },
      payment_method: { id: payment_method },
    },
  ]);
  expect(body['error']).not.toHaveProperty('charge');
});

test('a declining card cannot be attached, and attaching one twice changes nothing', async () => {
  const declining = await vendor.method('tok_visa_chargeDeclined');
  const { status, body } = await vendor.call(`POST /v1/payment_methods/${declining}/attach`, { customer });
  const decline = { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' };
  expect([status, body['error']]).toMatchObject([402, decline]);
  expect(await vendor.made(`POST /v1/payment_methods/${card}/attach`, { customer })).toMatchObject({ id: card, customer });
});

test.each<[string, string, Fields, RecordedError]>([
  ['nobody to attach to', 'attach', {}, [400, 'parameter_missing', null, 'Must provide customer or customer_account.']],
  ['an unknown customer', 'attach', { customer: 'cus_no' }, [400, 'resource_missing', 'customer', "No such customer: 'cus_no'"]],
])('%s', async (_name, action, fields, error) => {
  expect(await vendor.error(`POST /v1/payment_methods/${card}/${action}`, fields)).toEqual(error);
});

describe('a setup intent', () => {
  const DONE = (): Promise<{ id: string }> =>
    setUp({ customer, payment_method: card, confirm: 'true', return_url: 'https://example.com' });
  const CANCELED = async (): Promise<{ id: string }> => {
    const setup = await setUp({ customer, payment_method: card });
    return vendor.made(`POST /v1/setup_intents/${setup.id}/cancel`, { cancellation_reason: 'duplicate' });
  };
  const cannot = (message: string): RecordedError => [400, 'setup_intent_unexpected_state', null, message];
  test.each<[string, () => Promise<{ id: string }>, string, Fields, RecordedError]>([
    [
      'that is done refuses to be confirmed',
      DONE,
      '/confirm',
      {},
      cannot('You cannot confirm this SetupIntent because it has already succeeded.'),
    ],
    [
      'that is done refuses to be canceled',
      DONE,
      '/cancel',
      {},
      cannot(
        'You cannot cancel this SetupIntent because it has a status of succeeded. Only a SetupIntent with one of the following statuses may be canceled: `requires_payment_method`, `requires_confirmation`, or `requires_action`.',
      ),
    ],
    [
      'that is canceled refuses to be confirmed',
      CANCELED,
      '/confirm',
      {},
      cannot('You cannot confirm this SetupIntent because it has been canceled.'),
    ],
    [
      'that is canceled refuses to be canceled',
      CANCELED,
      '/cancel',
      {},
      cannot('You cannot cancel this SetupIntent because it is already canceled.'),
    ],
    [
      'that waits for no deposits refuses amounts',
      setUp,
      '/verify_microdeposits',
      { 'amounts[0]': '32', 'amounts[1]': '45' },
      [
        400,
        'intent_invalid_state',
        null,
        'This SetupIntent cannot be actioned on because it has a status of requires_payment_method. Only a SetupIntent with one of the following statuses may be actioned on: ["requires_action"].',
      ],
    ],
  ])('%s', async (_name, made, action, fields, error) => {
    const { id } = await made();
    expect(await vendor.error(`POST /v1/setup_intents/${id}${action}`, fields)).toEqual(error);
  });

  test('keeps its words, and no method, once it is done', async () => {
    const { id } = await DONE();
    await vendor.made(`POST /v1/setup_intents/${id}`, { description: 'Later', 'metadata[k]': 'v' });
    expect(await vendor.error(`POST /v1/setup_intents/${id}`, { payment_method: card })).toEqual(
      cannot('You cannot update this SetupIntent because it has already succeeded.'),
    );
  });

  test('whose card is declined carries itself in the error', async () => {
    const payment_method = await vendor.method('tok_visa_chargeDeclined');
    const { status, body } = await vendor.call('POST /v1/setup_intents', {
      payment_method,
      confirm: 'true',
      return_url: 'https://example.com',
    });
    expect([status, body['error']]).toMatchObject([
      402,
      {
        code: 'card_declined',
        decline_code: 'generic_decline',
        payment_method: { id: payment_method },
        setup_intent: { status: 'requires_payment_method', payment_method: null, last_setup_error: { code: 'card_declined' } },
      },
    ]);
  });
});
