import { loadPack } from '../compile/index.js';
import { type Beginning, CONTROL_PATH, type WorldDirectory } from '../control/index.js';
import { ControlClient } from '../control/client.cjs';
import { createApp, holdResponses, hostCheck, KeyGuard } from '../http/index.js';
import {
  type Address,
  CompanyOutside,
  type HostedWorld,
  hostWorld,
  mintKey,
  ownAddress,
  PackInvalid,
  type Served,
  startTimeMs,
} from '../hosting/index.js';
import { LIMITS } from '../limits.js';
import { collectionConfig } from '../model/index.js';
import { PackCache, packFolder, type PackSource, type Problem } from '../pack/index.js';
import type { Program } from '../program/index.js';
import { ClockTurns, type Engine, worldOf } from '../runtime/index.js';
import type { Transport } from '../delivery/index.js';
import type { Store } from '../store/index.js';
import type { Fork, LedgerHeader, MemberConfig, StoredWorld, WorldKeeper } from '../world/index.js';
import type { JsonObject } from '../values/index.js';
import { letLive, type LifeReport } from './actors.js';
import { begin } from './begin.js';
import { type ReadCompany, readCompany } from './file.js';
import { companyPlane } from './plane.js';
import { type CompanyPlan, planOf } from './plan.js';
import { CompanyRules } from './rules.js';
import { companyHeader, type CompanyState, openCompany } from './store.js';
import type { Names } from './values.js';
import { CompanyWorlds } from './worlds.js';

/** One pack of a company. */
export interface MemberOptions {
  /** The pack's folder, or the name of a pack that comes with the sandbox. */
  readonly pack: string;
  /** What it is called in the company; the pack's name unless given. */
  readonly name?: string;
  /** The key of its API; random unless given. */
  readonly key?: string;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The company's unless given; of further members of the same pack one of their own. */
  readonly seed?: string;
  /** Replaces variables of pack.yaml. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** What a company is made with. */
export interface CompanyOptions {
  /** At the same instant timers fire in this order; those of `file` unless given. */
  readonly packs?: readonly (string | MemberOptions)[];
  /** A company file: packs, people, a beginning and rules. What else is given here comes first. */
  readonly file?: string;
  /** The key of the company's control API; random unless given. */
  readonly key?: string;
  /** Of the company's control API; 0 (the default) takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback unless given. */
  readonly host?: string;
  /** Simulated time at the start: ISO 8601 or Unix seconds. The process's start (whole seconds) unless given. */
  readonly t0?: string | number;
  /** What ids and randomness are drawn from. */
  readonly seed?: string;
  readonly ledgerLimit?: number;
  readonly traceLimit?: number;
  /** Most companies that there are at once, the first one among them. */
  readonly maxWorlds?: number;
  readonly cache?: PackCache;
  /** Called with every ledger entry of all packs, and with what the outside did. */
  readonly keeper?: WorldKeeper;
  /**
   * Where the company is kept: it responds with what is safe there, and continues from there at the next start, with its own keys,
   * `seed` and `t0`. Worlds made beside it are not kept. Replaces `keeper` and `kept`.
   */
  readonly store?: Store;
  /** What a keeper recorded: the company continues from there, with the same packs, `seed` and `t0`. */
  readonly kept?: Omit<StoredWorld, 'header'>;
  /** Ways of delivery by name that replace those of the packs. */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Streams pause between two events as their packs say (default). */
  readonly pacedStreams?: boolean;
  /** Called with defects of a pack or the engine. Printed unless given. */
  readonly onDefect?: (error: unknown, what: string) => void;
}

/** A pack of a company, served at an address of its own. */
export type Member = Pick<Served, 'url' | 'key' | 'pack' | 'control' | 'engine' | 'outbox' | 'clock'>;

/** Several packs in one world: one clock, one ledger, one order of commands. */
export interface Company {
  /** Where the control API of the company is. */
  readonly url: string;
  readonly key: string;
  readonly control: ControlClient;
  /** By name, in order. */
  readonly vendors: Readonly<Record<string, Member>>;
  /** What its ledger belongs to. */
  readonly header: LedgerHeader;
  /** Further companies of the same packs, forks among them; they end with the first one. */
  readonly worlds: WorldDirectory;
  /**
   * A company that begins as this one is, or was after an entry, and sends nothing.
   * @param same the next calls get the ids that they would get here
   */
  fork(at?: number, same?: boolean): Promise<Company>;
  /**
   * Lets the actors of its file act until a time, while its timers fire.
   * @param to ISO 8601 or Unix seconds
   */
  live(to: string | number): Promise<LifeReport>;
  /** Stops listening, and ends open connections and timers. */
  close(drainMs?: number): Promise<void>;
}

/** A pack of a company, read. */
interface CompanyPart {
  readonly given: MemberOptions;
  readonly name: string;
  readonly program: Program;
  /** Another one has the same pack and comes before it. */
  readonly isFurther: boolean;
}

/** What a company begins with. */
export interface CompanyStart {
  readonly seed: string;
  /** Simulated time, in milliseconds. */
  readonly t0: number;
  /** It continues from a store. */
  readonly state?: CompanyState | null;
  /** It branches off from another one. */
  readonly fork?: {
    readonly header: NonNullable<LedgerHeader['fork']>;
    readonly fork: Fork;
    /** As its company began. */
    readonly names: Names;
    readonly begun: number | undefined;
  };
}

/** A company at work. */
export interface ServedCompany extends Omit<Company, 'fork' | 'worlds'> {
  /** Of the first pack. */
  readonly lead: Engine;
  /** What its beginning has kept, and the number of the last ledger entry of it. */
  readonly begun: () => { readonly names: Names; readonly entry: number | undefined };
}

/**
 * Serves several packs in one world, each at an address of its own, and the control API of all at another one. Ids of a pack
 * are those that it has alone with the same seed.
 * @throws PackInvalid when a pack has errors; RangeError when two members have one name or key
 */
export async function startCompany(given: CompanyOptions): Promise<Company> {
  const read = given.file === undefined ? undefined : readCompany(given.file);
  const options = read ? { ...optionsOf(read, given), ...defined(given) } : given;
  const parts = partsOf(options);
  const programs = new Map(parts.map(({ name, program }) => [name, program]));
  const plan = read ? planOf(read, programs) : NO_PLAN;
  const opened = options.store && (await openCompany(options.store, options.key ?? newCompanyKey(), programs));
  const state = opened?.state ?? null;
  const further = { ...options, key: undefined, port: 0, keeper: undefined, kept: undefined, store: undefined };
  const unplaced = parts.map((part) => ({ ...part, given: { ...part.given, key: undefined, port: 0 } }));
  const worlds = new CompanyWorlds(
    (start) => serveCompany(further, unplaced, start, plan),
    options.maxWorlds ?? Infinity,
  );
  const { seed, t0 } = opened?.opened.kept?.header ?? { seed: options.seed ?? 'sandbox', t0: startTimeMs(options.t0) };
  const start = { seed, t0, state };
  const kept = opened && { key: opened.opened.record.key, keeper: opened.opened.keeper, kept: opened.opened.kept };
  const keyed = parts.map((part) => ({
    ...part,
    given: { ...part.given, key: part.given.key ?? state?.keys[part.name] },
  }));
  const release = async (): Promise<void> => opened?.opened.release();
  const first = await serveCompany({ ...options, ...kept }, keyed, start, plan, worlds).catch(
    async (error: unknown) => {
      await release();
      throw error;
    },
  );
  worlds.begin(first, start);
  const close = async (drainMs?: number): Promise<void> => {
    await worlds.close();
    await first.close(drainMs);
    await release();
  };
  const fork = (at?: number, same_ids = false): Promise<Company> => worlds.fork({ at, same_ids });
  return { ...first, worlds, fork, close };
}

/** What is wrong with a company file or its packs. */
export function companyProblems(path: string): { readonly problems: readonly Problem[]; readonly source: PackSource } {
  try {
    const read = readCompany(path);
    const parts = partsOf({ packs: read.packs });
    planOf(read, new Map(parts.map(({ name, program }) => [name, program])));
    return { problems: [], source: read.source };
  } catch (error) {
    if (error instanceof PackInvalid) return error;
    throw error;
  }
}

/** What a company file says of how it is served. */
function optionsOf({ data, packs }: ReadCompany, { port }: CompanyOptions): CompanyOptions {
  const { company, t0, seed = company } = data;
  const placed = packs.map((each, at) => ({ ...each, port: each.port ?? (port ? port + 1 + at : 0) }));
  return { packs: placed, seed: String(seed), ...(t0 === undefined ? {} : { t0 }) };
}

function defined(options: CompanyOptions): CompanyOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const NO_PLAN: CompanyPlan = { name: '', title: '', people: {}, steps: [], rules: [], actors: [] };

function partsOf({ packs = [], cache = PackCache.ofInstallation({ readOnly: true }) }: CompanyOptions): CompanyPart[] {
  const parts: CompanyPart[] = [];
  for (const each of packs) {
    const given = typeof each === 'string' ? { pack: each } : each;
    const loaded = loadPack(packFolder(given.pack), { vars: given.vars, cache });
    if (!loaded.pack) throw new PackInvalid(loaded.problems, loaded.source);
    const { settings } = loaded.pack.model;
    const name = given.name ?? settings.name;
    if (!NAME.test(name)) throw new RangeError(`'${name}' is no name of a pack in a company: use a-z, 0-9, - and _`);
    if (parts.some((part) => part.name === name))
      throw new RangeError(`two packs of the company are called '${name}': give one of them another 'name'`);
    if (given.key !== undefined && parts.some((part) => part.given.key === given.key))
      throw new RangeError(`'${name}' has the key of another pack`);
    const isFurther = parts.some(({ program }) => program.model.settings.name === settings.name);
    parts.push({ given, name, program: loaded.pack, isFurther });
  }
  if (parts.length === 0) throw new RangeError('a company has at least one pack');
  return parts;
}

const NAME = /^[a-z0-9][a-z0-9_-]*$/;

/** The world of a pack. Two worlds of one pack with one seed would have the same ids. */
function configOf({ given, name, program, isFurther }: CompanyPart, seed: string): MemberConfig {
  const { resources, settings } = program.model;
  return {
    pack: name,
    collections: resources.map(collectionConfig),
    timeFormat: settings.time,
    seed: given.seed ?? (isFurther ? `${seed}/${name}` : seed),
  };
}

/** What a file of the company says of its packs. Some packs note the key of a call, so that it belongs to what happened. */
function packsOf(parts: readonly CompanyPart[], keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    parts.map(({ name, program, given: { seed } }, at) => [
      name,
      { pack: program.model.settings.name, key: keys[at], ...(seed === undefined ? {} : { seed }) },
    ]),
  );
}

function newCompanyKey(): string {
  return mintKey('company_', 24);
}

function newKey({ model }: Program): string {
  const { keyPrefix, keyLength } = model.settings.auth;
  return mintKey(keyPrefix, keyLength);
}

async function serveCompany(
  options: CompanyOptions,
  parts: readonly CompanyPart[],
  { seed, t0, state, fork: branch }: CompanyStart,
  plan: CompanyPlan,
  worlds?: WorldDirectory,
): Promise<ServedCompany> {
  const { host = '127.0.0.1', keeper, kept } = options;
  const onDefect = options.onDefect ?? ((error: unknown, what: string) => console.error(`sandbox: ${what}:`, error));
  const common = {
    t0,
    ledgerLimit: options.ledgerLimit ?? LIMITS.ledger.value,
    traceLimit: options.traceLimit ?? LIMITS.traces.value,
  };
  const configs = parts.map((part) => configOf(part, seed));
  const [first, ...beside] = configs;
  const fork = branch?.fork;
  const lead = worldOf({ ...common, ...first, beside, keeper }, kept, fork);
  if (kept && !fork) lead.restore(kept.journal, kept.moments);
  let names = branch?.names ?? state?.names ?? { people: plan.people };
  const rules = new CompanyRules(plan.rules, () => names, onDefect);
  const beginning: Beginning = { seeds: null, entry: branch?.begun ?? state?.begun ?? undefined };
  const programs = new Map(parts.map((part) => [part.name, part.program]));
  const keys = parts.map(({ given, program }) => given.key ?? newKey(program));
  const header = companyHeader(programs, { seed, t0, fork: branch?.header }, { packs: packsOf(parts, keys) });
  const shared = {
    keeper,
    header,
    follow: rules.run,
    company: [] as Engine[],
    turns: new ClockTurns(),
    outside: new CompanyOutside(),
    vendors: new Map<Engine, string>(),
  };
  const hosted: HostedWorld[] = [];
  const addresses: Address[] = [];
  const close = async (drainMs = 1000): Promise<void> => {
    for (const { clock, endStreams, outbox } of hosted) {
      clock.close();
      endStreams();
      outbox.hangUp();
    }
    await Promise.all(addresses.map((each) => each.leave(drainMs)));
    await Promise.all(hosted.map(({ outbox }) => outbox.close()));
    lead.leave();
  };
  try {
    const vendors: Record<string, Member> = {};
    const continues =
      fork !== undefined || (kept !== undefined && (kept.base !== undefined || kept.entries.length > 0));
    for (const [at, { given, program, name }] of parts.entries()) {
      const key = keys[at];
      const located = { origin: '', admits: hostCheck([host]) };
      const member = { ...shared, world: lead.timeline.worlds[at], continues };
      const branched = branch?.header;
      const own = { seed: configs[at].seed, key, address: located, member, branched, beginning, onDefect };
      const { transports, pacedStreams } = options;
      const world = hostWorld(program, { ...common, ...own, transports, pacedStreams });
      hosted.push(world);
      const address = await ownAddress(world, given.port ?? 0, host);
      addresses.push(address);
      located.origin = address.origin;
      const { url } = address;
      const { engine, outbox, clock, about } = world;
      vendors[name] = { url, key, pack: about, control: new ControlClient(url, key), engine, outbox, clock };
    }
    const journal = fork?.journal ?? kept?.journal;
    if (journal) shared.outside.restore(journal);
    const key = options.key ?? newCompanyKey();
    const guard = new KeyGuard(key, { schemes: ['bearer'], basic: undefined, headers: [] });
    const about = (): JsonObject => ({
      company: plan.name,
      title: plan.title,
      names,
      rules: rules.reports.map((each) => ({ ...each })),
    });
    const plane = companyPlane(
      Object.entries(vendors).map(([name, { url, key: own }], at) => ({
        name,
        context: { ...hosted[at].control, guard, worlds },
        ask: (path) => fetch(`${url}${CONTROL_PATH}${path}`, { headers: { authorization: `Bearer ${own}` } }),
      })),
      shared.vendors,
      plan === NO_PLAN ? null : about,
    );
    const app = createApp([plane]);
    if (keeper?.kept) {
      const lost = (error: unknown): void =>
        onDefect(error, 'the store of this company, which serves nothing any more');
      holdResponses(app, () => keeper.kept?.(), lost);
    }
    const address = await ownAddress({ app, upgrade: () => Promise.resolve(false) }, options.port ?? 0, host);
    addresses.push(address);
    const { url } = address;
    const { engine } = hosted[0];
    const control = new ControlClient(url, key);
    const keyOf = Object.fromEntries(Object.entries(vendors).map(([name, each]) => [name, each.key]));
    const keep = (kept: Omit<CompanyState, 'keys'>): void =>
      keeper?.begin(companyHeader(programs, { seed, t0 }, { keys: keyOf, ...kept }));
    if (!continues) keep({ names: null, begun: null });
    if (plan.steps.length > 0 && !continues) {
      names = await begin(plan, { vendors });
      await control.saveMoment('begin');
      beginning.entry = engine.world.ledger.count;
    }
    if (!continues) keep({ names, begun: beginning.entry ?? null });
    rules.follow(shared.vendors);
    return {
      url,
      key,
      control,
      vendors,
      header,
      live: (to) => letLive({ lead: engine, vendors, seed, names: () => names }, plan.actors, startTimeMs(to)),
      lead: engine,
      begun: () => ({ names, entry: beginning.entry }),
      close,
    };
  } catch (error) {
    await close(0);
    throw error;
  }
}
