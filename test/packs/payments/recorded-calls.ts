import { type Body, call, form, type Called } from '../../support/http.js';
import { type Payments, servePayments } from './served-payments.js';

/** The version in which the vendor's test mode was recorded in September 2026. */
const RECORDED = '2026-08-26.dahlia';

/** Status, code, parameter and message of an error; null where the vendor sends none. */
export type RecordedError = readonly [
  status: number,
  code: string | null,
  param: string | null,
  message: string,
];

type Fields = Readonly<Record<string, string>>;

/** Calls in the recorded version of a sandbox that spells like the vendor. Bodies have another client's shape, so none is checked. */
class RecordedCalls {
  constructor(readonly payments: Payments) {}

  call(line: string, fields?: Fields): Promise<Called> {
    const [method, path] = line.split(' ');
    const sent = fields && form(fields);
    const query = sent && method === 'GET' ? `?${sent.toString()}` : '';
    return call(this.payments, `${method} ${path}${query}`, method === 'POST' ? (sent ?? form()) : undefined, {
      'stripe-version': RECORDED,
    });
  }

  /** The object that a call returns. */
  async made<T extends Body = Body & { readonly id: string }>(line: string, fields?: Fields): Promise<T> {
    const { status, body } = await this.call(line, fields);
    expect([line, status, body]).toEqual([line, 200, expect.anything()]);
    return body as T;
  }

  async error(line: string, fields?: Fields): Promise<RecordedError> {
    const { status, body } = await this.call(line, fields);
    const error = (body['error'] ?? {}) as Readonly<Record<string, string | undefined>>;
    return [status, error['code'] ?? null, error['param'] ?? null, error['message'] ?? `accepted: ${JSON.stringify(body).slice(0, 200)}`];
  }

  async customer(card: string | null = 'pm_card_visa'): Promise<string> {
    const fields: Fields = card === null ? {} : { payment_method: card, 'invoice_settings[default_payment_method]': card };
    return (await this.made('POST /v1/customers', { email: 'ann@example.com', ...fields })).id;
  }

  async method(token = 'tok_visa', customer?: string): Promise<string> {
    const { id } = await this.made('POST /v1/payment_methods', { type: 'card', 'card[token]': token });
    if (customer !== undefined) await this.made(`POST /v1/payment_methods/${id}/attach`, { customer });
    return id;
  }

  async price(fields: Fields = {}): Promise<string> {
    const { id } = await this.made('POST /v1/prices', {
      currency: 'usd',
      unit_amount: '2000',
      'recurring[interval]': 'month',
      'product_data[name]': 'Gold',
      ...fields,
    });
    return id;
  }
}

/** One sandbox with the vendor's own spelling for the tests of a file. */
export function serveRecorded(): RecordedCalls {
  return new RecordedCalls(servePayments({ vars: { vendor: 'stripe' } }));
}
