import { readFileSync } from 'node:fs';
import { importerHash } from '../../tools/develop/imports/measured.js';

/** The page of imports is as new as the importer that it measures, and its totals are those of its rows. */

const page = readFileSync('docs/internals/imports.md', 'utf8');
const tables = page
  .split('\n\n')
  .filter((part) => part.startsWith('| Document'))
  .map((part) =>
    part
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim())),
  );

test('it measures this importer', () => {
  // A mismatch: run `npm run test:imports -- FOLDER`, and write what it prints with the new hash.
  expect(/Measured: `(\w+)`/.exec(page)?.[1]).toBe(importerHash());
});

test.each(tables.map((rows, at) => [at + 1, rows] as const))('totals of table %s', (_, rows) => {
  const totals = rows[rows.length - 1];
  totals.slice(3, -1).forEach((total, column) => {
    const sum = rows.slice(0, -1).reduce((all, row) => all + (Number.parseInt(row[column + 3], 10) || 0), 0);
    expect(sum).toBe(Number.parseInt(total, 10));
  });
});
