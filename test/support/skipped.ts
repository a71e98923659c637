import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Says that this machine lacks what some tests need. The run tells each line once, behind its figures (skipped-reporter.mjs).
 * @param line what is not tried, and what to install
 */
export function skipped(line: string): void {
  const folder = process.env['SKIPPED_LINES'];
  if (folder === undefined) writeSync(2, `SKIPPED: ${line}\n`);
  else writeFileSync(join(folder, encodeURIComponent(line).slice(0, 200)), line);
}
