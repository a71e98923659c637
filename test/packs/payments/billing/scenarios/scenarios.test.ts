import { type TestAccount, openTestAccount } from '../../test-account.js';
import { record } from './record.js';
import { type Outcome, run } from './run.js';
import { chapters } from '../../../../../tools/develop/generate/billing-scenarios.js';

/** `RECORD_SCENARIOS=1` writes what happens into the table (to be read!); `npm run docs` writes docs/reference/billing from it. */
const RECORDING = process.env['RECORD_SCENARIOS'] === '1';
const TABLE = chapters();

let account: TestAccount;
beforeAll(async () => {
  account = await openTestAccount('2025-01-01T00:00:00Z');
});
afterAll(async () => {
  await account.close();
  account.recorder.assertClean();
});

if (RECORDING) {
  test.each(TABLE)('records $title', async (chapter) => {
    const outcomes: Outcome[] = [];
    for (const scenario of chapter.scenarios) outcomes.push(await run(account, scenario));
    record(chapter, outcomes);
  });
} else {
  describe.each(TABLE)('$title', ({ scenarios }) => {
    test.each(scenarios)('$name', async (scenario) => {
      const outcome = await run(account, scenario);
      for (const [step, { answer, error, then, fails }] of outcome.steps.entries()) {
        if (fails === undefined) expect({ step, error }).toEqual({ step, error: undefined });
        else expect({ step, error }).toMatchObject({ step, error: fails });
        if (then !== undefined) expect({ step, answer }).toMatchObject({ step, answer: then });
      }
      const told = outcome.steps.map(({ statuses, events }) => ({ statuses, events }));
      expect(told).toEqual(scenario.steps.map(({ statuses = {}, events = [] }) => ({ statuses, events })));
      expect(outcome.invoices).toEqual(scenario.invoices ?? []);
    });
  });

  test('there are at least sixty, each with a name of its own', () => {
    const names = TABLE.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
    expect(names.length).toBeGreaterThanOrEqual(60);
    expect(new Set(names).size).toBe(names.length);
  });
}
