import { writeFileSync } from 'node:fs';
import type { LifeReport } from '../../engine/index.js';
import { exportedFile } from '../command/bug-file.js';
import { isCompanyFile } from '../command/installation.js';
import { mustExist } from '../command/input-file.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { openStore } from './serve-start.js';

/** The parsed options of `sandbox live`. */
export interface LiveCommand {
  readonly from?: string;
  /** Time until which the actors run: an instant, or `now`. */
  readonly to: string;
  readonly store?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Runs the actors of a company up to a time, and stores the result. @throws Failure if the file or a time is invalid, or there is no store */
export async function liveCompany(file: string, options: LiveCommand, output: Output): Promise<number> {
  const { from, to, store: path, out, json, quiet } = options;
  if (!isCompanyFile(file))
    throw new Failure(Exit.cannotRun, 'company_invalid', `${file} is no company file`, 'Actors are in a company file.');
  mustExist(file, 'company_invalid');
  if (path === undefined && out === undefined)
    throw new Failure(
      Exit.cannotRun,
      'store_needed',
      'nothing keeps what happens',
      'Give --store company.db, which `sandbox serve` continues, or --out company.sandbox, which `sandbox replay` repeats.',
    );
  const { createCompany } = await import('../../engine/index.js');
  const store = path === undefined ? undefined : await openStore(path, { quiet: true }, output);
  let failures = 0;
  try {
    const company = await createCompany({ file, t0: from, store, onDefect: () => failures++ });
    try {
      const until = to === 'now' ? new Date().toISOString() : to;
      const report = await company.live(until);
      if (out !== undefined) writeFileSync(out, await exportedFile(company));
      if (!quiet) announce(report, failures, json === true, output);
    } finally {
      await company.close();
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Failure(Exit.cannotRun, 'company_invalid', error.message);
  } finally {
    await store?.close();
  }
  return Exit.done;
}

function announce({ acts, fired, actors }: LifeReport, failures: number, json: boolean, output: Output): void {
  if (json) return output.print(JSON.stringify({ acts, timers: fired, rules_failed: failures, actors }));
  output.print(`${counted(acts, 'act')}, ${counted(fired, 'timer')}`);
  for (const [name, { times, rejected }] of Object.entries(actors)) {
    const codes = Object.entries(rejected).map(([code, count]) => `${count} ${code}`);
    output.print(
      `  ${name.padEnd(16)} ${String(times).padStart(6)}${codes.length > 0 ? `  rejected: ${codes.join(', ')}` : ''}`,
    );
  }
  if (failures > 0)
    output.print(`${counted(failures, 'defect')}: 'rule failed' and 'timer failed' in the ledger say why`);
}
