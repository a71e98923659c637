import { rejectBeginning } from './begin.js';
import type { ForkOptions } from '../control/index.js';
import { Directory, type ForkStart, LocalWorlds, processClock, type RestingWorld } from '../hosting/index.js';
import { newCompanyKey } from './keys.js';
import type { Company, CompanyStart, ServedCompany } from './parts.js';

/** A company that can be forked. */
type ForkedFrom = Pick<ServedCompany, 'lead' | 'begun'> & { readonly seed: string };

const FIRST = { id: 'w1', name: 'main', expires: null };

/** The worlds of a company server: all have the same packs, with an address and a key for each. None but the first is stored. */
export class CompanyWorlds {
  readonly directory: Directory;
  readonly #held = new Map<string, ServedCompany & ForkedFrom>();
  readonly #local: LocalWorlds;
  readonly #names: string;

  /**
   * @param first the start of the first company
   * @param serve serves a further company at free ports
   */
  constructor(
    names: readonly string[],
    first: CompanyStart,
    maxWorlds: number,
    serve: (start: CompanyStart, key: string) => Promise<ServedCompany>,
  ) {
    this.#names = names.join(',');
    const packs = [this.#names];
    this.#local = new LocalWorlds({
      store: undefined,
      idleMs: Infinity,
      idleClock: processClock,
      packs,
      serve: async ({ record, beginning: { seed, t0 = first.t0, fork } }) => {
        const start = fork ? branchOf(this.#held.get(fork.header.world), fork) : { seed, t0 };
        return this.#served(record.id, start, await serve(start, record.key).catch(rejectBeginning));
      },
    });
    const programs = { names: packs, isCompany: true, newKey: newCompanyKey };
    this.directory = new Directory(this.#local, { programs, seed: first.seed, maxWorlds });
  }

  /** Adds the first company, which is closed elsewhere. */
  async begin(company: ServedCompany, start: CompanyStart): Promise<void> {
    const record = { ...FIRST, key: company.key, pack: this.#names };
    await this.#local.open({ record, world: this.#served(FIRST.id, start, company) });
  }

  /** Makes a fork, for users of the library. */
  async fork(from: ForkOptions): Promise<Company> {
    const { id } = await this.directory.create({ from });
    const company = this.#held.get(id);
    if (!company) throw new Error(`world ${id} was deleted meanwhile`);
    const close = async (): Promise<void> => void (await this.directory.delete(id));
    const fork: Company['fork'] = (at, same_ids = false, send_webhooks = false) =>
      this.fork({ world: id, at, same_ids, send_webhooks });
    return { ...company, worlds: this.directory, fork, close };
  }

  /** Ends all companies but the first one. */
  close(): Promise<void> {
    return this.#local.close();
  }

  #served(id: string, { seed, fork }: CompanyStart, company: ServedCompany): RestingWorld {
    this.#held.set(id, { ...company, seed });
    const { url, key, lead, vendors } = company;
    return {
      url,
      key,
      engine: lead,
      from: fork ? { world: fork.header.world, entry: fork.header.entry } : null,
      vendors: Object.fromEntries(
        Object.entries(vendors).map(([name, each]) => [name, { url: each.url, key: each.key }]),
      ),
      // A further company isn't stored, so it never leaves memory.
      isQuiet: () => false,
      unusedMs: 0,
      touch: () => undefined,
      rest: () => {
        throw new Error('a company stays in memory');
      },
      close: async (drainMs = 0) => {
        this.#held.delete(id);
        await company.close(drainMs);
      },
    };
  }
}

/** Returns the start of a fork, which has the random seed and the setup of its original. */
export function branchOf(source: ForkedFrom | undefined, { header, fork, files }: ForkStart): CompanyStart {
  if (!source) throw new Error(`world ${header.world} was left meanwhile: try again`);
  const { names, entry: begun } = source.begun();
  return { seed: source.seed, t0: source.lead.world.t0, fork: { header, fork: fork(), files, names, begun } };
}
