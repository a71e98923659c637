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
 * @param options packs, or the path of a company file
 * @throws PackInvalid if a pack or the file has errors; RangeError if two packs share a name or key
 */
export async function createCompany(options: CompanyOptions | string): Promise<Company> {
  // Loaded on first use, since a sandbox of one pack doesn't need it.
  const { startCompany } = await import('./company.js');
  return startCompany(typeof options === 'string' ? { file: options } : options);
}

/**
 * Serves companies of a database together with other replicas: all packs at one address, where the key of a call selects its
 * pack.
 * @throws StoreError; LedgerMismatch if the database has a company of other packs; errors of `createCompany`
 */
export async function createCompanyReplica(options: CompanyReplicaOptions): Promise<CompanyReplica> {
  return (await import('./replicas.js')).startCompanyReplica(options);
}

/** Returns the problems of a company file and its packs, without serving them. */
export async function checkCompany(
  file: string,
): Promise<{ readonly problems: readonly Problem[]; readonly source: PackSource }> {
  return (await import('./company.js')).companyProblems(file);
}

/** Problems of a pack's own actors. */
export async function checkActors(program: Program): Promise<readonly Problem[]> {
  return (await import('./plan.js')).actorProblems(program);
}

/**
 * Replays a file of a company (`GET /__admin__/export`) in a new company.
 * @throws LedgerMismatch if its packs are different; errors of `createCompany`
 */
export async function replayCompany(bug: Bug, options: CompanyReplayOptions = {}): Promise<ReplayedCompany> {
  return (await import('./replay.js')).playCompany(bug, options);
}

/** The start of the clock in a company file; undefined: not given. @throws PackInvalid */
export async function startOfCompany(file: string): Promise<string | number | undefined> {
  return (await import('./file.js')).readCompany(file).data.t0;
}

/** The packs in a company file: name, folder, and port if given. @throws PackInvalid */
export async function packsOfCompany(
  file: string,
): Promise<readonly { readonly name: string; readonly pack: string; readonly port?: number }[]> {
  const { packs } = (await import('./file.js')).readCompany(file);
  return packs.map(({ name = '', pack, port }) => ({ name, pack, port }));
}
