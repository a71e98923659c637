import type Stripe from 'stripe';

/**
 * Every wire shape of the conformance check, in one type, so that one generator run covers all of them.
 * The check finds a schema by the `object` constant of its definition; the property names here are only labels.
 */
export interface Roots {
  payments:
    | Stripe.Balance
    | Stripe.BalanceTransaction
    | Stripe.Charge
    | Stripe.ConfirmationToken
    | Stripe.Customer
    | Stripe.CustomerCashBalanceTransaction
    | Stripe.CustomerSession
    | Stripe.Dispute
    | Stripe.EphemeralKey
    | Stripe.File
    | Stripe.FileLink
    | Stripe.Mandate
    | Stripe.PaymentIntent
    | Stripe.PaymentMethod
    | Stripe.PaymentMethodConfiguration
    | Stripe.PaymentMethodDomain
    | Stripe.Payout
    | Stripe.Refund
    | Stripe.Review
    | Stripe.SetupAttempt
    | Stripe.SetupIntent
    | Stripe.Source
    | Stripe.SourceTransaction
    | Stripe.Token
    | Stripe.Topup
    | Stripe.Transfer
    | Stripe.TransferReversal;
  billing:
    | Stripe.Billing.CreditBalanceSummary
    | Stripe.Billing.CreditBalanceTransaction
    | Stripe.Billing.CreditGrant
    | Stripe.Billing.Meter
    | Stripe.Billing.MeterEvent
    | Stripe.Billing.MeterEventSummary
    | Stripe.BillingPortal.Configuration
    | Stripe.BillingPortal.Session
    | Stripe.Checkout.Session
    | Stripe.Coupon
    | Stripe.CreditNote
    | Stripe.CreditNoteLineItem
    | Stripe.CustomerBalanceTransaction
    | Stripe.Discount
    | Stripe.Entitlements.ActiveEntitlement
    | Stripe.Entitlements.ActiveEntitlementSummary
    | Stripe.Entitlements.Feature
    | Stripe.Invoice
    | Stripe.InvoiceItem
    | Stripe.InvoiceLineItem
    | Stripe.LineItem
    | Stripe.PaymentLink
    | Stripe.Plan
    | Stripe.Price
    | Stripe.Product
    | Stripe.ProductFeature
    | Stripe.PromotionCode
    | Stripe.Quote
    | Stripe.ShippingRate
    | Stripe.Subscription
    | Stripe.SubscriptionItem
    | Stripe.SubscriptionSchedule
    | Stripe.FundingInstructions
    | Stripe.Tax.Calculation
    | Stripe.Tax.CalculationLineItem
    | Stripe.Tax.Registration
    | Stripe.Tax.Settings
    | Stripe.Tax.Transaction
    | Stripe.Tax.TransactionLineItem
    | Stripe.TaxCode
    | Stripe.TaxId
    | Stripe.TaxRate
    | Stripe.UsageRecord
    | Stripe.UsageRecordSummary;
  platform:
    | Stripe.Account
    | Stripe.AccountLink
    | Stripe.AccountSession
    | Stripe.ApplicationFee
    | Stripe.BankAccount
    | Stripe.Capability
    | Stripe.Card
    | Stripe.CashBalance
    | Stripe.CountrySpec
    | Stripe.ExchangeRate
    | Stripe.FeeRefund
    | Stripe.LoginLink
    | Stripe.Person
    | Stripe.Radar.EarlyFraudWarning
    | Stripe.TestHelpers.TestClock
    | Stripe.WebhookEndpoint;
  deleted:
    | Stripe.DeletedAccount
    | Stripe.DeletedApplePayDomain
    | Stripe.DeletedBankAccount
    | Stripe.DeletedCard
    | Stripe.DeletedCoupon
    | Stripe.DeletedCustomer
    | Stripe.DeletedDiscount
    | Stripe.DeletedInvoice
    | Stripe.DeletedInvoiceItem
    | Stripe.DeletedPerson
    | Stripe.DeletedPlan
    | Stripe.DeletedPrice
    | Stripe.DeletedProduct
    | Stripe.DeletedProductFeature
    | Stripe.DeletedSubscriptionItem
    | Stripe.DeletedTaxId
    | Stripe.DeletedWebhookEndpoint
    | Stripe.TestHelpers.DeletedTestClock;
  v2:
    | Stripe.V2.Event
    | Stripe.V2.EventBase
    | Stripe.V2.EventDestination
    | Stripe.V2.Billing.MeterEvent
    | Stripe.V2.Billing.MeterEventAdjustment
    | Stripe.V2.Billing.MeterEventSession;
  error: Stripe.StripeRawError;
  /** Not `Stripe.Event`: the union of all event types triples the generator's time (see `eventObjects`). */
  event: Stripe.EventBase;
  list: Stripe.ApiList<Stripe.Charge>;
  search: Stripe.ApiSearchResult<Stripe.Charge>;
}
