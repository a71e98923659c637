import { loadPack } from '../../engine/compile/index.js';
import type { FactsFile } from '../../engine/model/index.js';
import { breakConstraints } from '../../tools/openapi/negative-run.js';
import type { NegativeSource } from '../../tools/openapi/negative-run.js';
import { IS_WHOLE } from '../support/sample.js';

/** Constraints of the vendors' documents, each broken alone in a call of the pack's examples, are refused. */

interface Kept {
  /** Fewest broken calls, so that the sample doesn't become empty unseen. */
  readonly least: number;
  /** Percent of them that may be accepted. */
  readonly most: number;
}

test.each<[string, Kept]>([
  ['bank-data', { least: 100, most: 3 }],
  ['mail', { least: 100, most: 3 }],
  ['models', { least: 150, most: 3 }],
  ['messaging', { least: 50, most: 3 }],
  ['team-chat', { least: 12, most: 3 }],
  ...(IS_WHOLE ? ([['code-hosting', { least: 50, most: 3 }]] satisfies [string, Kept][]) : []),
])('%s', async (name, { least, most }) => {
  const { source } = loadPack(`packs/${name}`);
  const { operations = {} } = (source.one('facts')?.data ?? {}) as Partial<FactsFile>;
  const facts = { operations: new Map(Object.entries(operations)) as NegativeSource['operations'], contract: null };
  const reports = await breakConstraints(source, [facts], 1);
  const named = (of: 'accepted' | 'failed'): string[] =>
    reports.flatMap((each) => each[of].map(({ kind, param }) => `${each.operation}: ${param} (${kind})`));
  const broken = reports.reduce((sum, each) => sum + each.broken, 0);
  expect(broken).toBeGreaterThanOrEqual(least);
  expect(named('failed')).toEqual([]);
  expect(named('accepted').slice(Math.floor((broken * most) / 100))).toEqual([]);
});
