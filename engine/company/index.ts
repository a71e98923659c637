import type { PackSource, Problem } from '../pack/index.js';
import type { Company, CompanyOptions } from './company.js';

export type { Company, CompanyOptions, Member, MemberOptions } from './company.js';

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
