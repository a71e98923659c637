import process from 'node:process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tells once, behind the figures of a run, what was skipped because this machine lacks something (skipped.ts). */
export default class SkippedReporter {
  #folder = mkdtempSync(join(tmpdir(), 'skipped-'));

  constructor() {
    // Processes that run tests are started later, and have it too.
    process.env.SKIPPED_LINES = this.#folder;
  }

  onRunComplete() {
    for (const name of readdirSync(this.#folder).sort())
      process.stderr.write(`\nSKIPPED: ${readFileSync(join(this.#folder, name), 'utf8')}\n`);
    rmSync(this.#folder, { recursive: true });
  }
}
