import type Stripe from 'stripe';
import { describeInBrowser } from '../../../support/browser.js';
import { useFront } from '../../../support/front.js';

/**
 * The confirm functions of single payment methods, one by one, each called from a shop's page as the vendor's documents write the call:
 * the payment gets a method of the function's kind and goes on as that kind does.
 */

interface Row {
  /** What the function confirms: a payment in this currency, or a setup. */
  readonly currency?: string;
  readonly type: string;
  readonly status: Stripe.PaymentIntent.Status;
  /** Of the payment method, beside its billing details. */
  readonly details?: object;
  /** Beside the payment method. */
  readonly more?: object;
}

const waits = (type: string, currency = 'eur', details?: object, more?: object): Row => ({
  currency,
  type,
  status: 'requires_action',
  details,
  more,
});
const debit = (type: string, currency: string, details: object): Row => ({
  currency,
  type,
  status: 'processing',
  details,
});
const setUp = (type: string, details?: object, status: Row['status'] = 'succeeded'): Row => ({ type, status, details });

const SEPA = { sepa_debit: { iban: 'DE89370400440532013000' } };
const BECS = { au_becs_debit: { bsb_number: '000000', account_number: '000123456' } };
const BACS = { bacs_debit: { sort_code: '108800', account_number: '00012345' } };
const ACH = {
  us_bank_account: { account_number: '000123456789', routing_number: '110000000', account_holder_type: 'individual' },
};
const BANK_TRANSFER = {
  customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'us_bank_transfer' } },
};

const ROWS: Readonly<Record<string, Row>> = {
  confirmBancontactPayment: waits('bancontact'),
  confirmIdealPayment: waits('ideal', 'eur', { ideal: { bank: 'ing' } }),
  confirmEpsPayment: waits('eps', 'eur', { eps: { bank: 'bank_austria' } }),
  confirmGiropayPayment: waits('giropay'),
  confirmP24Payment: waits('p24', 'pln', { p24: { bank: 'ing' } }),
  confirmSofortPayment: waits('sofort', 'eur', { sofort: { country: 'DE' } }),
  confirmFpxPayment: waits('fpx', 'myr', { fpx: { bank: 'cimb' } }),
  confirmGrabPayPayment: waits('grabpay', 'sgd'),
  confirmAlipayPayment: waits('alipay', 'usd'),
  confirmAfterpayClearpayPayment: waits('afterpay_clearpay', 'usd'),
  confirmAffirmPayment: waits('affirm', 'usd'),
  confirmKlarnaPayment: waits('klarna'),
  confirmOxxoPayment: waits('oxxo', 'mxn'),
  confirmBoletoPayment: waits('boleto', 'brl', { boleto: { tax_id: '00000000000' } }),
  confirmKonbiniPayment: waits('konbini', 'jpy'),
  confirmMultibancoPayment: waits('multibanco'),
  confirmPayPalPayment: waits('paypal'),
  confirmCashappPayment: waits('cashapp', 'usd'),
  confirmWechatPayPayment: waits('wechat_pay', 'usd', undefined, {
    payment_method_options: { wechat_pay: { client: 'web' } },
  }),
  confirmPayNowPayment: waits('paynow', 'sgd'),
  confirmPromptPayPayment: waits('promptpay', 'thb'),
  confirmRevolutPayPayment: waits('revolut_pay'),
  confirmMobilepayPayment: waits('mobilepay', 'dkk'),
  confirmTwintPayment: waits('twint', 'chf'),
  confirmPixPayment: waits('pix', 'brl'),
  confirmBlikPayment: waits('blik', 'pln', undefined, { payment_method_options: { blik: { code: '123456' } } }),
  confirmZipPayment: waits('zip', 'aud'),
  confirmCustomerBalancePayment: waits('customer_balance', 'usd', undefined, { payment_method_options: BANK_TRANSFER }),
  confirmSepaDebitPayment: debit('sepa_debit', 'eur', SEPA),
  confirmAuBecsDebitPayment: debit('au_becs_debit', 'aud', BECS),
  confirmBacsDebitPayment: debit('bacs_debit', 'gbp', BACS),
  confirmUsBankAccountPayment: waits('us_bank_account', 'usd', ACH),
  // With the vendor's test account, which needs no verification.
  confirmAcssDebitPayment: debit('acss_debit', 'cad', {}),
  confirmBancontactSetup: setUp('bancontact', {}, 'requires_action'),
  confirmIdealSetup: setUp('ideal', {}, 'requires_action'),
  confirmSepaDebitSetup: setUp('sepa_debit', SEPA),
  confirmAuBecsDebitSetup: setUp('au_becs_debit', BECS),
  confirmBacsDebitSetup: setUp('bacs_debit', BACS),
  confirmUsBankAccountSetup: setUp('us_bank_account', ACH, 'requires_action'),
  confirmSofortSetup: setUp('sofort', { sofort: { country: 'DE' } }, 'requires_action'),
  confirmPayPalSetup: setUp('paypal', {}, 'requires_action'),
  confirmCashappSetup: setUp('cashapp', {}, 'requires_action'),
  confirmAcssDebitSetup: setUp('acss_debit'),
};

describeInBrowser('the confirm functions of single methods', () => {
  const front = useFront('sk_test_single');

  test('each makes a method of its kind, and the payment or setup goes on as that kind does', async () => {
    const customer = (await front.stripe.customers.create()).id;
    const calls = [];
    for (const [name, { currency, type, details, more }] of Object.entries(ROWS)) {
      const of = { customer, payment_method_types: [type] };
      const { id, client_secret: secret } =
        currency === undefined
          ? await front.stripe.setupIntents.create(of)
          : await front.stripe.paymentIntents.create({ ...of, amount: 20_000, currency });
      const billing_details = { name: 'Jenny Rosen', email: 'jenny@example.com' };
      calls.push({ name, id, secret, data: { payment_method: { ...details, billing_details }, ...more } });
    }
    front.shop.show(
      `<!doctype html><title>Shop</title><script src="${front.sandbox.url}/v3"></script><output></output>
      <script>(async () => {
        const stripe = Stripe('pk_test_single');
        const results = {};
        for (const { name, secret, data } of ${JSON.stringify(calls)}) {
          const given = { ...data, return_url: location.origin + '/thanks' };
          const { error, paymentIntent, setupIntent } = await stripe[name](secret, given, { handleActions: false });
          results[name] = error ? error.message : (paymentIntent || setupIntent).status;
        }
        const all = Object.keys(stripe).filter((name) => /^confirm(?!Card).+(Payment|Setup)$/.test(name)).sort();
        document.querySelector('output').textContent = JSON.stringify({ results, all });
      })();</script>`,
    );
    await front.page.goto(front.shop.origin);
    await front.outcome('{');
    const { results, all } = JSON.parse((await front.page.locator('output').textContent()) ?? '') as {
      readonly results: object;
      readonly all: readonly string[];
    };
    expect(results).toEqual(Object.fromEntries(Object.entries(ROWS).map(([name, { status }]) => [name, status])));
    // No function of this kind is left out here.
    expect(all).toEqual(Object.keys(ROWS).sort());
    for (const { name, id } of calls) {
      const { payment_method: method } = id.startsWith('seti_')
        ? await front.stripe.setupIntents.retrieve(id, { expand: ['payment_method'] })
        : await front.stripe.paymentIntents.retrieve(id, { expand: ['payment_method'] });
      expect([name, method]).toMatchObject([name, { type: ROWS[name].type, billing_details: { name: 'Jenny Rosen' } }]);
    }
  });
});
