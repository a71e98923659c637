import { join } from 'node:path';
import { MUTATIONS, measure, MutatedPack } from '../../tools/develop/mutants/measure.js';
import { shares, unreportedTable } from '../../tools/develop/mutants/table.js';
import { ROOT } from '../support/root.js';
import { sampleOf } from '../support/sample.js';

/** A sample of `npm run test:mutants`, which puts many more mistakes into more packs. */
test.each(sampleOf(['texts', 'keyring', 'parcels', 'kiosk'], 2))(
  'mistakes put into %s are told, and where they are',
  (name) => {
    const verdicts = measure(new MutatedPack(join(ROOT, 'test', 'packs', name)), 2, 7);
    const { made, reported, atLine } = shares(verdicts);
    expect(made).toBeGreaterThan(40);
    expect({ survivors: unreportedTable(verdicts), enough: reported >= 0.96 && atLine >= 0.9 }).toMatchObject({
      enough: true,
    });
  },
  60_000,
);

test('there are many kinds of mistakes', () => {
  expect(Object.keys(MUTATIONS).length).toBeGreaterThanOrEqual(25);
});
