import type { PackSource, Problem } from '../pack/index.js';
import type { Program } from '../program/index.js';
import type { Bug } from '../control/index.js';
import type { Company, CompanyOptions } from './parts.js';
import type { CompanyReplica, CompanyReplicaOptions } from './replicas.js';
import type { CompanyReplayOptions, ReplayedCompany } from './replay.js';

export type { Company, CompanyOptions, LifeReport, Member, MemberOptions } from './parts.js';
export type { CompanyReplica, CompanyReplicaOptions } from './replicas.js';
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

/**
 * Serves companies of a database together with any number of other replicas: all packs at one address, where the key of a call selects its pack.
 * @throws StoreError; LedgerMismatch when the database has a company of other packs; what `createCompany` throws
 */
export async function createCompanyReplica(options: CompanyReplicaOptions): Promise<CompanyReplica> {
  return (await import('./replicas.js')).startCompanyReplica(options);
}

/** Checks a company file and its packs, and serves nothing. */
export async function checkCompany(
  file: string,
): Promise<{ readonly problems: readonly Problem[]; readonly source: PackSource }> {
  return (await import('./company.js')).companyProblems(file);
}

/** What is wrong with the actors that a pack brings. */
export async function checkActors(program: Program): Promise<readonly Problem[]> {
  return (await import('./plan.js')).actorProblems(program);
}

/**
 * Repeats the file of a company (`GET /__admin__/export`) in a new one.
 * @throws LedgerMismatch when its packs are other ones; what `createCompany` throws
 */
export async function replayCompany(bug: Bug, options: CompanyReplayOptions = {}): Promise<ReplayedCompany> {
  return (await import('./replay.js')).playCompany(bug, options);
}

/** When a company file says that its clock starts; undefined: nowhere. @throws PackInvalid */
export async function startOfCompany(file: string): Promise<string | number | undefined> {
  return (await import('./file.js')).readCompany(file).data.t0;
}

/** The packs that a company file names: what each is called there, its folder, and its port if it has one. @throws PackInvalid */
export async function packsOfCompany(
  file: string,
): Promise<readonly { readonly name: string; readonly pack: string; readonly port?: number }[]> {
  const { packs } = (await import('./file.js')).readCompany(file);
  return packs.map(({ name = '', pack, port }) => ({ name, pack, port }));
}
