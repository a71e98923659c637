import { Fuzz } from './random-calls.js';

/** More of them: `FUZZ_STORIES=200 FUZZ_STEPS=300 FUZZ_FROM=1000`. */
const { FUZZ_STORIES = '3', FUZZ_STEPS = '150', FUZZ_FROM = '1' } = process.env;

test('random calls of billing never break anything, and every answer is well-shaped', async () => {
  const fuzz = await new Fuzz().start();
  for (let i = 0; i < Number(FUZZ_STORIES); i++) await fuzz.story(Number(FUZZ_FROM) + i, Number(FUZZ_STEPS));
  await fuzz.close();
  const distinct = new Map(fuzz.findings.toReversed().map((finding) => [finding.problem, finding]));
  expect([...distinct.values()]).toEqual([]);
  expect(fuzz.statuses.get(200)).toBeGreaterThan(100 * Number(FUZZ_STORIES) * 0.5);
}, 3_600_000);
