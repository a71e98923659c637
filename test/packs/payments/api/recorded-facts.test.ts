import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type CallTexts, RuleCalls } from '../../../../tools/develop/refusals/documented-rules.js';
import { documentedCaller } from '../../../../tools/develop/refusals/payments.js';
import { forTests, TestSandbox } from '../../../support/start-sandbox.js';
import { T0 } from '../served-payments.js';

/** What the vendor's test mode was recorded to answer in one of its newest versions, word for word. */

interface Fact {
  readonly call: string;
  readonly with?: string;
  /** 400 unless given. */
  readonly status?: number;
  readonly code?: string;
  readonly param?: string;
  readonly message?: string;
}

/** A member of a response, or without `value` one that it lacks. */
interface Shown {
  readonly call: string;
  readonly with?: string;
  readonly path: string;
  readonly value?: unknown;
}

const file = parse(readFileSync('test/packs/payments/api/recorded-facts.yaml', 'utf8')) as CallTexts & {
  readonly facts: readonly Fact[];
  readonly shows: readonly Shown[];
};
const vars = { vendor: 'stripe', Vendor: 'Stripe' };
const sandbox = forTests(new TestSandbox('packs/payments', { t0: T0, vars }));
let calls: RuleCalls;

beforeAll(async () => {
  calls = new RuleCalls(file, T0, documentedCaller(sandbox.url, sandbox.key, { 'stripe-version': '2026-08-26.dahlia' }));
  await calls.begin();
});

test.each(file.facts.map((fact) => [`${fact.call} ${fact.with ?? ''}`, fact] as const))('%s', async (_title, fact) => {
  const { status, code, param, message } = await calls.outcome(fact);
  const { message: expected } = fact;
  expect({ status, code, param, message }).toEqual({
    status: fact.status ?? 400,
    code: fact.code ?? null,
    param: fact.param ?? null,
    message: expected === undefined ? null : calls.filled(expected),
  });
});

test.each(file.shows.map((fact) => [`${fact.call} ${fact.with ?? ''}: ${fact.path}`, fact] as const))('%s', async (_title, fact) => {
  const { body } = await calls.response(fact);
  const { value } = fact;
  if (!('value' in fact)) expect(body).not.toHaveProperty(fact.path);
  else expect(body).toHaveProperty(fact.path, typeof value === 'string' ? calls.filled(value) : value);
});
