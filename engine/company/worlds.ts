import { rejectBeginning } from './begin.js';
import {
  type ForkOptions,
  type FoundWorld,
  type MadeWorld,
  unknownWorld,
  type WorldDirectory,
  type WorldView,
  type WorldOptions,
} from '../control/index.js';
import {
  Expiry,
  firstWorldStays,
  forkEntry,
  invalidOption,
  nameTaken,
  requireForkAlone,
  requireNoName,
  requireRoom,
  requireWorldName,
} from '../hosting/index.js';
import { forkOf, turns } from '../runtime/index.js';
import type { Company, ServedCompany } from './parts.js';
import type { CompanyStart } from './parts.js';

/** A company on the server. */
interface Held {
  readonly id: string;
  readonly name: string;
  readonly company: ServedCompany;
  readonly start: CompanyStart;
  /** Real time in milliseconds; null: never. */
  readonly expires: number | null;
}

const FIRST = 'w1';

/** The worlds of a company server: all have the same packs, with an address and a key for each. */
export class CompanyWorlds implements WorldDirectory {
  readonly #held = new Map<string, Held>();
  readonly #expiry = new Expiry((id) => this.delete(id));
  #made = 1;

  /** @param serve serves a further company at free ports */
  constructor(
    private readonly serve: (start: CompanyStart) => Promise<ServedCompany>,
    private readonly maxWorlds: number,
  ) {}

  /** Adds the first company, which is closed elsewhere. */
  begin(company: ServedCompany, start: CompanyStart): void {
    this.#held.set(FIRST, { id: FIRST, name: 'main', company, start, expires: null });
  }

  list(): Promise<readonly WorldView[]> {
    return Promise.resolve([...this.#held.values()].map(viewOf));
  }

  async create(options: WorldOptions = {}): Promise<MadeWorld> {
    return viewOf(await this.#make(options));
  }

  async createMany(count: number, options: WorldOptions = {}): Promise<readonly MadeWorld[]> {
    requireNoName(options);
    this.#requireRoom(count);
    const from = options.from && { ...options.from, at: (await this.#moment(options.from)).entry };
    const made: Held[] = [];
    const giveWay = turns();
    try {
      while (made.length < count) {
        made.push(await this.#make({ ...options, from }));
        await giveWay();
      }
      return made.map(viewOf);
    } catch (error) {
      await Promise.all(made.map(({ id }) => this.delete(id)));
      throw error;
    }
  }

  get(id: string): Promise<WorldView | undefined> {
    const held = this.#find(id);
    return Promise.resolve(held && viewOf(held));
  }

  find(id: string): Promise<FoundWorld | undefined> {
    const held = this.#find(id);
    return Promise.resolve(held && { id: held.id, engine: held.company.lead, from: held.start.fork?.header ?? null });
  }

  async delete(id: string): Promise<boolean> {
    const held = this.#find(id);
    if (!held) return false;
    if (held.id === FIRST) throw firstWorldStays('server');
    this.#held.delete(held.id);
    this.#expiry.clear(held.id);
    await held.company.close(0);
    return true;
  }

  /** Makes a fork, for users of the library. */
  async fork(from: ForkOptions): Promise<Company> {
    const { id, company } = await this.#make({ from });
    const close = async (): Promise<void> => void (await this.delete(id));
    const fork: Company['fork'] = (at, same_ids = false, send_webhooks = false) =>
      this.fork({ world: id, at, same_ids, send_webhooks });
    return { ...company, worlds: this, fork, close };
  }

  /** Ends all but the first one. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].filter((id) => id !== FIRST).map((id) => this.delete(id)));
  }

  async #make(options: WorldOptions): Promise<Held> {
    if (options.pack !== undefined) throw invalidOption('pack', 'each world of a company has all packs of it');
    requireWorldName(options.name);
    if (options.name !== undefined && this.#find(options.name)) throw nameTaken(options.name);
    this.#requireRoom(1);
    const number = ++this.#made;
    const id = `w${number}`;
    const start = options.from ? await this.#branch(options, options.from, number) : this.#beginning(options, id);
    const company = await this.serve(start).catch(rejectBeginning);
    const { expires: lifetime } = options;
    const expires = lifetime === undefined ? null : Math.ceil(Date.now() + lifetime);
    const held = { id, name: options.name ?? `world-${number}`, company, start, expires };
    this.#held.set(id, held);
    this.#expiry.set(id, expires);
    return held;
  }

  #beginning({ seed, t0 }: WorldOptions, id: string): CompanyStart {
    const first = this.#first.start;
    return { seed: seed ?? `${first.seed} ${id}`, t0: t0 ?? first.t0 };
  }

  async #branch(options: WorldOptions, from: ForkOptions, number: number): Promise<CompanyStart> {
    requireForkAlone(options);
    const { source, entry } = await this.#moment(from);
    const { lead } = source.company;
    const header = { world: source.id, entry, silent: !from.send_webhooks };
    const fork = forkOf(lead.past, lead.world, entry, from.same_ids ? undefined : number);
    const { names, entry: begun } = source.company.begun();
    return {
      seed: source.start.seed,
      t0: lead.world.t0,
      fork: { header, fork, files: lead.runtime.surroundings.files, names, begun },
    };
  }

  /** @throws ControlRejection for an unknown world or moment */
  async #moment(from: ForkOptions): Promise<{ readonly source: Held; readonly entry: number }> {
    const id = from.world ?? FIRST;
    const source = this.#find(id);
    if (!source) throw await unknownWorld(this, id, { path: 'from.world' });
    return { source, entry: forkEntry(source.company.lead, from) };
  }

  /** @throws ControlRejection if the limit of worlds would be exceeded */
  #requireRoom(more: number): void {
    requireRoom(this.#held.size, more, this.maxWorlds);
  }

  get #first(): Held {
    const first = this.#held.get(FIRST);
    if (!first) throw new Error('the company has no first world yet');
    return first;
  }

  #find(idOrName: string): Held | undefined {
    return this.#held.get(idOrName) ?? [...this.#held.values()].find(({ name }) => name === idOrName);
  }
}

function viewOf({ id, name, company, start, expires }: Held): MadeWorld {
  const { url, key, vendors, lead } = company;
  const from = start.fork && { world: start.fork.header.world, entry: start.fork.header.entry };
  return {
    id,
    name,
    url,
    key,
    pack: Object.keys(vendors).join(','),
    now: lead.world.now,
    head: lead.world.ledger.count,
    expires: expires === null ? null : new Date(expires).toISOString(),
    from: from ?? null,
    vendors: Object.fromEntries(
      Object.entries(vendors).map(([vendor, each]) => [vendor, { url: each.url, key: each.key }]),
    ),
  };
}
