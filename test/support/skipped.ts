import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reports that tests are skipped because this machine lacks a program. The run prints each line once, after its summary (skipped-reporter.mjs).
 * @param line what isn't tested, and what to install
 */
export function skipped(line: string): void {
  const folder = process.env['SKIPPED_LINES'];
  if (folder === undefined) writeSync(2, `SKIPPED: ${line}\n`);
  else writeFileSync(join(folder, encodeURIComponent(line).slice(0, 200)), line);
}
