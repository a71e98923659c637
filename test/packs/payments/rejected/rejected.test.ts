import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type CallTexts, RuleCalls } from '../../../../tools/develop/refusals/documented-rules.js';
import { documentedCaller } from '../../../../tools/develop/refusals/payments.js';
import { forTests, TestSandbox } from '../../../support/start-sandbox.js';
import { T0 } from '../served-payments.js';

/** Calls that the vendor rejects, by subject, one table each; written as `documented-rules.yaml` is. */

interface RejectedCall {
  readonly call: string;
  readonly with?: string;
  /** 400 unless given; 200 of a call beside them that is fine. */
  readonly status?: number;
  readonly code?: string;
  readonly param?: string;
}

const FOLDER = 'test/packs/payments/rejected';

describe.each(readdirSync(FOLDER).filter((name) => name.endsWith('.yaml')))('%s', (name) => {
  const file = parse(readFileSync(join(FOLDER, name), 'utf8')) as CallTexts & { readonly calls: readonly RejectedCall[] };
  const sandbox = forTests(new TestSandbox('packs/payments', { t0: T0, vars: { vendor: 'stripe', Vendor: 'Stripe' } }));
  let calls: RuleCalls;

  beforeAll(async () => {
    calls = new RuleCalls(file, T0, documentedCaller(sandbox.url, sandbox.key));
    await calls.begin();
  });

  test.each(file.calls.map((call) => [`${call.call} ${call.with ?? ''}`, call] as const))('%s', async (_title, expected) => {
    const { status, code, param } = await calls.outcome(expected);
    expect([status, code, param]).toEqual([expected.status ?? 400, expected.code ?? null, expected.param ?? null]);
  });
});

describe('the specification asks for no address, agreement or name, and moves counts to their bounds', () => {
  const sandbox = forTests(new TestSandbox('packs/payments', { t0: T0 }));
  const account = 'type=us_bank_account&us_bank_account[account_number]=000123456789&us_bank_account[routing_number]=110000000';
  const begin = { customer: 'POST customers', bank: `POST payment_methods ${account}` };

  test.each([
    ['POST setup_intents', 'confirm=true&payment_method=pm_card_visa'],
    ['POST payment_intents', 'amount=500&currency=usd&confirm=true&payment_method=pm_card_visa'],
    ['POST payment_intents', 'amount=500&currency=usd&confirm=true&payment_method_types[0]=us_bank_account&payment_method=$bank'],
    ['POST payment_methods', 'type=sepa_debit&sepa_debit[iban]=DE89370400440532013000'],
    ['POST coupons', 'percent_off=5&max_redemptions=0'],
    ['GET customers', 'limit=500'],
  ])('%s %s', async (call, text) => {
    const calls = new RuleCalls({ parts: {}, begin }, T0, documentedCaller(sandbox.url, sandbox.key));
    await calls.begin();
    expect((await calls.outcome({ call, with: text })).status).toBe(200);
  });
});
