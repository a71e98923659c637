import type { PackSource, Problem } from '../pack/index.js';
import type { Bug } from '../control/index.js';
import type { Company, CompanyOptions } from './company.js';
import type { CompanyReplayOptions, ReplayedCompany } from './replay.js';

export type { Company, CompanyOptions, Member, MemberOptions } from './company.js';
export type { LifeReport } from './actors.js';
export type { CompanyReplayOptions, ReplayedCompany } from './replay.js';

/**
 * Serves several packs in one world: one clock, one ledger, an address and a key each.
 * @param options packs; or a company file
 * @throws PackInvalid when a pack or the file has errors; RangeError when two have one name or key
 */
export async function createCompany(options: CompanyOptions | string): Promise<Company> {
  // A sandbox of one pack does not read this.
  const { startCompany } = await import('./company.js');
  return startCompany(typeof options === 'string' ? { file: options } : options);
}

/** Checks a company file and its packs, and serves nothing. */
export async function checkCompany(
  file: string,
): Promise<{ readonly problems: readonly Problem[]; readonly source: PackSource }> {
  return (await import('./company.js')).companyProblems(file);
}

/**
 * Repeats the file of a company (`GET /__admin__/export`) in a new one.
 * @throws LedgerMismatch when its packs are other ones; what `createCompany` throws
 */
export async function replayCompany(bug: Bug, options: CompanyReplayOptions = {}): Promise<ReplayedCompany> {
  return (await import('./replay.js')).playCompany(bug, options);
}

/** The packs that a company file names: what each is called there, and its folder. @throws PackInvalid */
export async function packsOfCompany(
  file: string,
): Promise<readonly { readonly name: string; readonly pack: string }[]> {
  const { packs } = (await import('./file.js')).readCompany(file);
  return packs.map(({ name = '', pack }) => ({ name, pack }));
}
