import { join } from 'node:path';
import { callSource } from '../../tools/develop/fuzz/company.js';
import { fuzz } from '../../tools/develop/fuzz/run.js';
import { ROOT } from '../support/root.js';
import { sampleOf } from '../support/sample.js';

const MS = 3_000;
const COMPANY = join(ROOT, 'test/companies/street.yaml');

/** A sample: `npm run fuzz -- --minutes N --seed S` goes on for longer. */
test.each(sampleOf(['payments', 'task-automation', COMPANY, 'team-chat'], 4))(
  'nothing hangs %s, breaks it or changes what was refused',
  async (pack) => {
    const { calls, finding } = await fuzz(
      { pack, seed: 1, heapMb: 768 },
      await callSource(pack, 1),
      MS,
      () => undefined,
    );
    expect(finding).toBeNull();
    expect(calls).toBeGreaterThan(20);
  },
  120_000,
);
