import { join } from 'node:path';
import { createSandbox } from '../../../engine/index.js';
import type { JsonObject } from '../../../engine/values/index.js';
import { installation } from '../../command/installation.js';
import {
  documentedRules,
  isRejected,
  RuleCalls,
  type RuleOutcome,
  RULES,
  type SendCall,
  type SentenceSum,
  sumOfSentences,
} from './documented-rules.js';
import { sentencesOf } from './sentences.js';

/** Start of the world's clock, in Unix seconds: 15 January 2025, noon. */
const T0 = 1_736_942_400;

/** How many of the rules in the npm client's types packs/payments enforces. */
interface PaymentsRejections extends SentenceSum {
  readonly client: string;
  readonly calls: number;
  /** Calls that were accepted, or whose error names another parameter. */
  readonly wrong: readonly RuleOutcome[];
}

/** Sends calls over HTTP to a served world. */
export function documentedCaller(url: string, key: string, more: Readonly<Record<string, string>> = {}): SendCall {
  return async (method, path, body) => {
    const headers = { ...more, authorization: `Bearer ${key}` };
    const type = typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded';
    // Uploads a file as multipart.
    const parts = new FormData();
    if (path.endsWith('/files') && body instanceof URLSearchParams)
      for (const [name, value] of body) parts.append(name, value);
    const sent =
      [...parts.keys()].length > 0
        ? { headers, body: parts }
        : { headers: { ...headers, 'content-type': type }, body: body?.toString() };
    const response = await fetch(url + path, { method, ...sent });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };
}

/** Whether a rule's call was rejected with the rule's parameter. */
export function holds({ rule, status, param }: RuleOutcome): boolean {
  return status === 400 && param === (rule.param ?? null);
}

/** Sends the call of each rule to a separate world. */
export async function breakDocumentedRules(): Promise<PaymentsRejections> {
  const file = documentedRules(join(installation(), RULES));
  const pack = join(installation(), 'packs/payments');
  const sandbox = await createSandbox({ pack, vars: { vendor: 'stripe' }, t0: T0, port: 0 });
  const calls = new RuleCalls(file, T0, documentedCaller(sandbox.url, sandbox.key));
  await calls.begin();
  const outcomes: RuleOutcome[] = [];
  for (const rule of file.rules) if (isRejected(rule)) outcomes.push(await calls.outcome(rule));
  await sandbox.close();
  const wrong = outcomes.filter((outcome) => !holds(outcome));
  const failed = new Set(wrong.map(({ rule }) => rule));
  const sentences = sentencesOf(join(installation(), 'node_modules/stripe/types'));
  return {
    client: 'stripe 17.5.0',
    calls: outcomes.length,
    wrong,
    ...sumOfSentences(sentences, file, (rule) => isRejected(rule) && !failed.has(rule)),
  };
}
