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
