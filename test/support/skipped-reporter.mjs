import process from 'node:process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Prints after the summary of a run, once for each reason, which tests were skipped because this machine lacks a program (skipped.ts). */
export default class SkippedReporter {
  #folder = mkdtempSync(join(tmpdir(), 'skipped-'));

  constructor() {
    // Processes that run tests start later and inherit this variable.
    process.env.SKIPPED_LINES = this.#folder;
  }

  onRunComplete() {
    for (const name of readdirSync(this.#folder).sort())
      process.stderr.write(`\nSKIPPED: ${readFileSync(join(this.#folder, name), 'utf8')}\n`);
    rmSync(this.#folder, { recursive: true });
  }
}
