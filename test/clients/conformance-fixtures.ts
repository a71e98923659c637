type Json = Record<string, unknown>;

const day = 86_400;
const created = 1_735_000_000;
const common = { created, livemode: false, metadata: {} };

/** An object with these space-separated keys, all null. */
function nulls(keys: string): Json {
  return Object.fromEntries(keys.split(' ').map((key) => [key, null]));
}

/** A charge by card, its payment method details four levels deep. */
export function charge(): Json {
  return {
    ...nulls('application application_fee application_fee_amount calculated_statement_descriptor customer description'),
    ...nulls('failure_balance_transaction failure_code failure_message invoice on_behalf_of payment_method'),
    ...nulls('receipt_email receipt_number receipt_url review shipping source source_transfer statement_descriptor'),
    ...nulls('statement_descriptor_suffix transfer_data transfer_group'),
    ...common,
    id: 'ch_1',
    object: 'charge',
    amount: 2000,
    amount_captured: 2000,
    amount_refunded: 0,
    balance_transaction: 'txn_1',
    billing_details: nulls('address email name phone'),
    captured: true,
    currency: 'usd',
    disputed: false,
    fraud_details: {},
    outcome: {
      ...nulls('network_advice_code network_decline_code reason'),
      network_status: 'approved_by_network',
      risk_level: 'normal',
      risk_score: 12,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: 'pi_1',
    payment_method_details: {
      type: 'card',
      card: {
        ...nulls('amount_authorized authorization_code country installments mandate network three_d_secure wallet'),
        brand: 'visa',
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
        exp_month: 8,
        exp_year: 2030,
        funding: 'credit',
        last4: '4242',
      },
    },
    refunded: false,
    status: 'succeeded',
  };
}

/** A payment intent that waits for authentication, in the neutral vendor's words. */
export function paymentIntent(): Json {
  return {
    ...nulls('application application_fee_amount automatic_payment_methods canceled_at cancellation_reason customer'),
    ...nulls('description invoice last_payment_error latest_charge on_behalf_of payment_method_options processing'),
    ...nulls('payment_method_configuration_details receipt_email review setup_future_usage shipping source'),
    ...nulls('statement_descriptor statement_descriptor_suffix transfer_data transfer_group'),
    ...common,
    id: 'pi_1',
    object: 'payment_intent',
    amount: 2000,
    amount_capturable: 0,
    amount_received: 0,
    capture_method: 'automatic_async',
    client_secret: 'pi_1_secret_1',
    confirmation_method: 'automatic',
    currency: 'usd',
    next_action: { type: 'use_vendor_sdk', use_vendor_sdk: { directory_server_name: 'visa' } },
    payment_method: 'pm_1',
    payment_method_types: ['card'],
    status: 'requires_action',
  };
}

/** A monthly price. */
export function price(): Json {
  return {
    ...nulls('custom_unit_amount lookup_key nickname tiers_mode transform_quantity'),
    ...common,
    id: 'price_1',
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    currency: 'usd',
    product: 'prod_1',
    recurring: {
      ...nulls('aggregate_usage meter trial_period_days'),
      interval: 'month',
      interval_count: 1,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    type: 'recurring',
    unit_amount: 2000,
    unit_amount_decimal: '2000',
  };
}

/** A subscription to that price, with its items in a list envelope. */
export function subscription(): Json {
  const plan = {
    ...nulls('aggregate_usage meter nickname tiers_mode transform_usage trial_period_days'),
    ...common,
    ...{ id: 'price_1', object: 'plan', active: true, amount: 2000, amount_decimal: '2000', currency: 'usd' },
    ...{ billing_scheme: 'per_unit', interval: 'month', interval_count: 1, product: 'prod_1', usage_type: 'licensed' },
  };
  const item = {
    ...{ id: 'si_1', object: 'subscription_item', billing_thresholds: null, created, discounts: [], metadata: {} },
    ...{ plan, price: price(), quantity: 1, subscription: 'sub_1', tax_rates: [] },
  };
  return {
    ...nulls(
      'application application_fee_percent billing_cycle_anchor_config billing_thresholds cancel_at canceled_at',
    ),
    ...nulls('days_until_due default_payment_method default_source description discount ended_at latest_invoice'),
    ...nulls('next_pending_invoice_item_invoice on_behalf_of pause_collection payment_settings pending_setup_intent'),
    ...nulls('pending_invoice_item_interval pending_update schedule test_clock transfer_data trial_end trial_settings'),
    ...common,
    id: 'sub_1',
    object: 'subscription',
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: created,
    cancel_at_period_end: false,
    cancellation_details: nulls('comment feedback reason'),
    collection_method: 'charge_automatically',
    currency: 'usd',
    current_period_end: created + 30 * day,
    current_period_start: created,
    customer: 'cus_1',
    discounts: [],
    invoice_settings: { account_tax_ids: null, issuer: { type: 'self' } },
    items: { object: 'list', data: [item], has_more: false, total_count: 1, url: '/v1/subscription_items' },
    start_date: created,
    status: 'active',
    trial_start: null,
  };
}

/** An invoice without lines. */
export function invoice(): Json {
  return {
    ...nulls('account_country account_name account_tax_ids application application_fee_amount charge custom_fields'),
    ...nulls('automatically_finalizes_at customer_address customer_email customer_name customer_phone default_source'),
    ...nulls('customer_shipping customer_tax_exempt default_payment_method description discount due_date effective_at'),
    ...nulls('ending_balance footer from_invoice last_finalization_error latest_revision next_payment_attempt number'),
    ...nulls('on_behalf_of payment_intent quote receipt_number rendering shipping_cost shipping_details status tax'),
    ...nulls('statement_descriptor subscription subscription_details subtotal_excluding_tax test_clock transfer_data'),
    ...nulls('total_discount_amounts total_excluding_tax webhooks_delivered_at'),
    ...common,
    id: 'in_1',
    object: 'invoice',
    ...{ amount_due: 0, amount_paid: 0, amount_remaining: 0, amount_shipping: 0, attempt_count: 0, attempted: false },
    automatic_tax: { ...nulls('disabled_reason liability status'), enabled: false },
    billing_reason: 'upcoming',
    collection_method: 'charge_automatically',
    currency: 'usd',
    customer: 'cus_1',
    ...{ default_tax_rates: [], discounts: [], issuer: { type: 'self' }, total_tax_amounts: [] },
    lines: list([], '/v1/invoices/in_1/lines'),
    ...{ paid: false, paid_out_of_band: false, period_end: created, period_start: created },
    payment_settings: nulls('default_mandate payment_method_options payment_method_types'),
    ...{ post_payment_credit_notes_amount: 0, pre_payment_credit_notes_amount: 0, starting_balance: 0 },
    status_transitions: nulls('finalized_at marked_uncollectible_at paid_at voided_at'),
    ...{ subtotal: 0, total: 0 },
  };
}

/** A list envelope. */
export function list(data: unknown[], url: string): Json {
  return { object: 'list', data, has_more: false, url };
}

/** An event about an object. */
export function event(type: string, object: unknown, previous?: Json): Json {
  return {
    id: 'evt_1',
    object: 'event',
    api_version: '2024-12-18.acacia',
    created,
    data: previous ? { object, previous_attributes: previous } : { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: 'req_1', idempotency_key: null },
    type,
  };
}

/** The error body of a declined confirm, with the payment intent inside. */
export function declined(): Json {
  return {
    error: {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      doc_url: 'https://docs.example.com/error-codes/card-declined',
      message: 'Your card was declined.',
      charge: 'ch_1',
      payment_intent: { ...paymentIntent(), next_action: null, status: 'requires_payment_method' },
    },
  };
}
