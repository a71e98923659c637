import { hashOf } from '../pack/index.js';
import { LedgerMismatch } from '../hosting/index.js';
import type { Program } from '../program/index.js';
import { type OpenWorld, type Store, StoreError } from '../store/index.js';
import { isObject, type JsonObject } from '../values/index.js';
import type { LedgerHeader } from '../world/index.js';
import type { Names } from './values.js';

/** Format of ledgers that several packs share. */
const COMPANY_FORMAT = 2;

/** A company's data in a store besides its ledger, for the next start. */
export interface CompanyState {
  /** The keys of the packs, by name. */
  readonly keys: Readonly<Record<string, string>>;
  /** Saved responses of the setup; null if it isn't complete. */
  readonly names: Names | null;
  /** Number of the setup's last ledger entry. */
  readonly begun: number | null;
}

/** The packs of a company by name, in the order in which it lists them. */
type Programs = ReadonlyMap<string, Program>;

const WORLD = 'main';

/**
 * Opens or creates the company in a store. A setup that a crash interrupted is repeated.
 * @throws StoreError; LedgerMismatch if the company has other packs
 */
export async function openCompany(
  store: Store,
  key: string,
  programs: Programs,
): Promise<{ readonly opened: OpenWorld; readonly state: CompanyState | null }> {
  const known = await store.find(WORLD);
  const record = known ?? (await store.create({ name: WORLD, key, pack: nameOfPacks(programs), expires: null }));
  const opened = await store.open(record.id);
  try {
    const header = opened.kept?.header;
    if (header) checkHeader(header, programs);
    else if (record.pack !== nameOfPacks(programs)) throw new LedgerMismatch(`the world is one of ${record.pack}`);
    const state = header === undefined ? null : keptStateOf(header);
    if (state === null || state.names !== null) return { opened, state };
  } catch (error) {
    await opened.release();
    throw error;
  }
  await opened.release();
  if (!(await store.delete(record.id))) throw new StoreError('missing', 'the company has gone');
  return openCompany(store, key, programs);
}

/** The header of a company's ledger. @param company further data for readers: the state of a store, or the packs of a file */
export function companyHeader(
  programs: Programs,
  { seed, t0, fork }: Pick<LedgerHeader, 'seed' | 't0' | 'fork'>,
  company: JsonObject,
): LedgerHeader {
  const vars = Object.fromEntries(
    [...programs].flatMap(([name, { model }]) => [...model.env.vars].map(([key, value]) => [`${name}/${key}`, value])),
  );
  const hash = hashOf([...programs.values()].map(({ model }) => model.source.hash));
  const pack = { name: nameOfPacks(programs), version: '', hash, vars };
  return { format: COMPANY_FORMAT, pack, seed, t0, company, ...(fork ? { fork } : {}) };
}

/** Checks that a stored company has the same packs. @throws LedgerMismatch if it has other packs */
export function checkHeader(kept: LedgerHeader, programs: Programs): void {
  const own = companyHeader(programs, kept, {});
  if (kept.format !== own.format || kept.pack.name !== own.pack.name)
    throw new LedgerMismatch(`the world is one of ${kept.pack.name}, not of ${own.pack.name}`);
  if (kept.pack.hash !== own.pack.hash)
    throw new LedgerMismatch('the files of its packs have changed since the company was created');
  if (JSON.stringify(kept.pack.vars) !== JSON.stringify(own.pack.vars))
    throw new LedgerMismatch('the variables of its packs have changed since the company was created');
}

/** Returns the name under which a store has the company of these packs. */
export function nameOfPacks(programs: Programs): string {
  return `company of ${[...programs].map(([name, { model }]) => `${name} (${model.settings.name})`).join(', ')}`;
}

/** The data to store of a company besides its ledger. */
export function keptStateOf({ company = {} }: LedgerHeader): CompanyState {
  const { keys = null, names = null, begun = null } = company;
  return {
    keys: isObject(keys) ? (keys as Readonly<Record<string, string>>) : {},
    names: isObject(names) ? (names satisfies JsonObject) : null,
    begun: typeof begun === 'number' ? begun : null,
  };
}
