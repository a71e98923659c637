import { readFileSync } from 'node:fs';
import { DOCUMENTS, measuredHash } from '../../tools/develop/refusals/documents.js';

/** The page of what is refused is as new as what it measures, and holds the promise. */

const rows = readFileSync('docs/internals/refusals.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

test.each(DOCUMENTS.map(({ pack, title }) => [pack, title]))('%s', (pack, title) => {
  const [, , document, measured, , broken, , , accepted, failed] = rows.find((row) => row[1] === pack) ?? [];
  // A mismatch: run `npm run test:refusals -- FOLDER --write`.
  expect([document, measured]).toEqual([title, measuredHash(pack)]);
  expect(Number.parseInt(accepted, 10) / Number(broken)).toBeLessThanOrEqual(0.03);
  expect(failed).toBe('0');
});
