import { documentedRules, isRejected, RuleCalls, sumOfSentences } from '../../../../tools/develop/refusals/documented-rules.js';
import { documentedCaller, holds } from '../../../../tools/develop/refusals/payments.js';
import { sentencesOf } from '../../../../tools/develop/refusals/sentences.js';
import { ROOT } from '../../../support/root.js';
import { forTests, TestSandbox } from '../../../support/start-sandbox.js';
import { T0 } from '../served-payments.js';

/** What the types of the official client say that a call may not do: a call that does it is rejected, with the parameter. */

const file = documentedRules();
const sandbox = forTests(new TestSandbox('packs/payments', { t0: T0, vars: { vendor: 'stripe' } }));
let calls: RuleCalls;

beforeAll(async () => {
  calls = new RuleCalls(file, T0, documentedCaller(sandbox.url, sandbox.key));
  await calls.begin();
});

const broken = file.rules.filter(isRejected);

test.each(broken.map((rule) => [rule.at, rule.rule, rule] as const))('%s: %s', async (_at, _rule, rule) => {
  const outcome = await calls.outcome(rule);
  expect([outcome.status, outcome.param]).toEqual([400, rule.param ?? null]);
  expect(holds(outcome)).toBe(true);
});

test('every sentence of the types that forbids something has its rule, and of those that concern the pack 95 % hold', () => {
  const sentences = sentencesOf(`${ROOT}/node_modules/stripe/types`);
  const { forbid, outside, rejected, accepted, missing } = sumOfSentences(sentences, file, isRejected);
  expect(missing).toEqual([]);
  expect(forbid).toBeGreaterThan(280);
  expect(rejected + accepted + outside).toBe(forbid);
  expect(rejected / (rejected + accepted)).toBeGreaterThanOrEqual(0.95);
});
