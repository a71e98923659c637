/**
 * Known differences between the vendor's responses and the client's declarations, all in one place: each entry names the declaration (`ApiList` also
 * means `ApiList<...>` of any type) and the reason.
 */
export interface Allowances {
  /** Undeclared keys that may be present, with any value, by declaration. */
  keys: Readonly<Record<string, readonly string[]>>;
  /** Undeclared values of a string enum, by its field. */
  values: Readonly<Record<string, readonly string[]>>;
  /** Declared keys that responses lack, by declaration. */
  clientOnly: Readonly<Record<string, readonly string[]>>;
  /** Keys that identify bodies which no client declares: those of the vendor's command-line tool. */
  undeclared: readonly string[];
  /** Names of API objects that this client version doesn't declare; their bodies aren't checked. */
  objects: readonly string[];
}

export const allowances: Allowances = {
  keys: {
    // Lists: deprecated and undeclared; the vendor still sends the member in nested lists.
    'Stripe.ApiList': ['total_count'],
    // Charges: legacy members that no version declares; the vendor sends them in every version, and older programs read them.
    'Stripe.Charge': ['destination', 'dispute', 'order'],
    'Stripe.Dispute': ['balance_transaction'],
    // Refunds: `type` names a hash for every type; the hash of this type is undeclared.
    'Stripe.Refund.DestinationDetails': ['us_bank_account'],
    'Stripe.Subscription': ['plan', 'quantity', 'managed_payments'],
    'Stripe.Card': ['wallet'],
    // Ephemeral keys: undeclared; the mobile clients read the member.
    'Stripe.EphemeralKey': ['associated_objects'],
    // Events: releases declare members by event type, but not for every type that they can receive.
    'Stripe.V2.EventBase': ['data', 'related_object'],
    'Stripe.V2.Core.EventBase': ['data', 'related_object'],
    // Customers: most releases don't declare the member; it was recorded in 2026 in every version.
    'Stripe.Customer': ['customer_account'],
    'Stripe.Product': ['attributes', 'tax_details'],
    'Stripe.Charge.Outcome': ['advice_code'],
    'Stripe.InvoiceItem': ['quantity_decimal', 'invoicing_rules'],
    'Stripe.InvoiceLineItem': ['quantity_decimal', 'subscription'],
    'Stripe.PaymentMethod': ['shared_payment_granted_token'],
    'Stripe.PaymentIntent.LastPaymentError': ['advice_code', 'network_decline_code'],
    'Stripe.SetupIntent.LastSetupError': ['advice_code', 'network_decline_code'],
    'Stripe.SetupAttempt.SetupError': ['advice_code', 'network_decline_code'],
    // Payment intents: recorded with 2026-08-26.dahlia; declared from 2026-10-28.endive on.
    'Stripe.PaymentIntent': ['payment_record', 'shared_payment_granted_token'],
    'Stripe.Charge.PaymentMethodDetails.Card': ['electronic_commerce_indicator'],
    'Stripe.SubscriptionItem': ['current_trial'],
    'Stripe.Subscription.TrialSettings.EndBehavior': ['billing_cycle_anchor'],
    'Stripe.Subscription.PendingUpdate': ['cancel_at_period_end'],
    // Credit grants: the vendor added these members after the pinned release, in every version.
    'Stripe.Billing.CreditGrant': ['customer_account', 'priority'],
    'Stripe.Billing.CreditGrant.ApplicabilityConfig.Scope': ['price_type', 'prices'],
    'Stripe.Billing.CreditBalanceSummary': ['customer_account'],
    'Stripe.PaymentIntent.AmountDetails': ['discount_amount', 'error', 'line_items', 'shipping', 'tax'],
    'Stripe.Tax.Settings.Defaults': ['provider'],
    'Stripe.PaymentMethodConfiguration': ['kakao_pay', 'kr_card', 'naver_pay', 'payco', 'pix', 'samsung_pay'],
    // Errors: the vendor sends these members; the client only exposes them through `raw`.
    'Stripe.StripeRawError': [
      'doc_url',
      'request_log_url',
      'advice_code',
      'network_advice_code',
      'network_decline_code',
      'payment_method_type',
    ],
  },
  values: {
    // Event types newer than the pinned client that the specification requires.
    'Stripe.EventBase.type': [
      'invoice_payment.paid',
      // Event types that the pinned client doesn't declare, because it doesn't declare their objects either.
      'billing.credit_balance_transaction.created',
      'billing.credit_grant.created',
      'billing.credit_grant.updated',
    ],
    // Modes of newer versions; older versions return them for a session that a newer one created.
    'Stripe.Checkout.Session.ui_mode': ['custom', 'form'],
    // Bank transfer types: declared for two kinds only; the request accepts all five, and the vendor's guides show the others.
    'Stripe.FundingInstructions.BankTransfer.type': ['us_bank_transfer', 'gb_bank_transfer', 'mx_bank_transfer'],
    // Capability status: declared by releases 17 and 22, but by none between them.
    'Stripe.Capability.status': ['disabled'],
    // Meter formula: the vendor added the value after the pinned release, in every version.
    'Stripe.Billing.Meter.DefaultAggregation.formula': ['last'],
    // Error code: undeclared; recorded with an Indian test card.
    'Stripe.PaymentIntent.LastPaymentError.code': ['india_recurring_payment_mandate_canceled'],
  },
  clientOnly: {
    // Errors: the client fills in these members from the HTTP response.
    'Stripe.StripeRawError': ['headers', 'statusCode', 'requestId', 'userMessage'],
    // Credit grant scopes: absent if `prices` are named, which a later version added.
    'Stripe.Billing.CreditGrant.ApplicabilityConfig.Scope': ['price_type'],
    // Invoice lines: absent in every line recorded since the clover version.
    'Stripe.InvoiceLineItem': ['subscription'],
  },
  undeclared: ['websocket_id'],
  objects: ['invoice_payment', 'payment_intent_amount_details_line_item', 'v2.core.account', 'v2.core.account_link'],
};
