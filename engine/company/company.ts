import { loadPack } from '../compile/index.js';
import type { WorldDirectory } from '../control/index.js';
import { ControlClient } from '../control/client.cjs';
import { KeyGuard } from '../http/index.js';
import { type Address, mintKey, ownAddress, PackInvalid, type Served, startTimeMs } from '../hosting/index.js';
import { PackCache, packFolder, type PackSource, type Problem } from '../pack/index.js';
import type { Program } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import type { Transport } from '../delivery/index.js';
import type { Store } from '../store/index.js';
import type { ByteStore } from '../values/index.js';
import type { LedgerHeader, StoredWorld, WorldKeeper } from '../world/index.js';
import { letLive, type LifeReport } from './actors.js';
import { type ReadCompany, readCompany } from './file.js';
import { type CompanyStart, hostCompany, type HostedMember } from './host.js';
import { COMPANY_KEY, COMPANY_KEY_LENGTH } from './keys.js';
import { type CompanyPlan, planOf } from './plan.js';
import { openCompany } from './store.js';
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
  /** Where its files are; in a temporary folder unless given. */
  readonly files?: ByteStore;
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
   * A company that begins as this one is, or was after an entry.
   * @param same the next calls get the ids that they would get here
   * @param sends its events are delivered
   */
  fork(at?: number, same?: boolean, sends?: boolean): Promise<Company>;
  /**
   * Lets the actors of its file act until a time, while its timers fire.
   * @param to ISO 8601 or Unix seconds
   */
  live(to: string | number): Promise<LifeReport>;
  /** Stops listening, and ends open connections and timers. */
  close(drainMs?: number): Promise<void>;
}

/** A pack of a company, read. */
export interface CompanyPart {
  readonly given: MemberOptions;
  readonly name: string;
  readonly program: Program;
  /** Another one has the same pack and comes before it. */
  readonly isFurther: boolean;
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
  const { options, parts, programs, plan } = readPacks(given);
  const opened = options.store && (await openCompany(options.store, options.key ?? newCompanyKey(), programs));
  const state = opened?.state ?? null;
  const further = {
    ...options,
    key: undefined,
    port: 0,
    keeper: undefined,
    kept: undefined,
    store: undefined,
    files: undefined,
  };
  const unplaced = parts.map((part) => ({ ...part, given: { ...part.given, key: undefined, port: 0 } }));
  const worlds = new CompanyWorlds(
    (start) => serveCompany(further, unplaced, start, plan),
    options.maxWorlds ?? Infinity,
  );
  const { seed, t0 } = opened?.opened.kept?.header ?? { seed: options.seed ?? 'sandbox', t0: startTimeMs(options.t0) };
  const start = { seed, t0, state };
  const kept = opened && {
    key: opened.opened.record.key,
    keeper: opened.opened.keeper,
    kept: opened.opened.kept,
    files: opened.opened.files,
  };
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
  const fork: Company['fork'] = (at, same_ids = false, send_webhooks = false) =>
    worlds.fork({ at, same_ids, send_webhooks });
  return { ...first, worlds, fork, close };
}

/** What a company is made of. @throws PackInvalid; RangeError when two members have one name or key */
export function readPacks<Given extends CompanyOptions>(
  given: Given,
): {
  /** With what the file says. */
  readonly options: Given;
  readonly parts: readonly CompanyPart[];
  readonly programs: ReadonlyMap<string, Program>;
  readonly plan: CompanyPlan;
} {
  const read = given.file === undefined ? undefined : readCompany(given.file);
  const options = read ? { ...given, ...optionsOf(read, given), ...defined(given) } : given;
  const parts = partsOf(options);
  const programs = new Map(parts.map(({ name, program }) => [name, program]));
  return { options, parts, programs, plan: read ? planOf(read, programs) : NO_PLAN };
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

export function newCompanyKey(): string {
  return mintKey(COMPANY_KEY, COMPANY_KEY_LENGTH);
}

function newKey({ model }: Program): string {
  const { keyPrefix, keyLength } = model.settings.auth;
  return mintKey(keyPrefix, keyLength);
}

async function serveCompany(
  options: CompanyOptions,
  parts: readonly CompanyPart[],
  start: CompanyStart,
  plan: CompanyPlan,
  worlds?: WorldDirectory,
): Promise<ServedCompany> {
  const { host = '127.0.0.1', key = newCompanyKey() } = options;
  const keys = parts.map(({ given, program }) => given.key ?? newKey(program));
  const access = {
    guard: new KeyGuard(key, { schemes: ['bearer'], basic: undefined, headers: [] }),
    members: keys.map((each) => ({ key: each })),
    kept: Object.fromEntries(parts.map(({ name }, at) => [name, keys[at]])),
  };
  const hosted = hostCompany(options, parts, start, plan, access, worlds);
  const addresses: Address[] = [];
  const close = (drainMs = 1000): Promise<void> =>
    hosted.close(() => Promise.all(addresses.map((each) => each.leave(drainMs))));
  try {
    const vendors: Record<string, Member> = {};
    for (const [at, member] of hosted.members.entries()) {
      const address = await ownAddress(member.world, parts[at].given.port ?? 0, host);
      addresses.push(address);
      member.located.origin = address.origin;
      vendors[member.name] = memberAt(member, address.url, keys[at]);
    }
    const upgrade = (): Promise<boolean> => Promise.resolve(false);
    const address = await ownAddress({ app: hosted.app, upgrade }, options.port ?? 0, host);
    addresses.push(address);
    await hosted.begin(vendors);
    const { url } = address;
    const { header, lead, begun } = hosted;
    const { seed } = start;
    return {
      url,
      key,
      control: new ControlClient(url, key),
      vendors,
      header,
      live: (to) => letLive({ lead, vendors, seed, names: () => begun().names }, plan.actors, startTimeMs(to)),
      lead,
      begun,
      close,
    };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** A pack of a company where it is served. */
export function memberAt({ world }: HostedMember, url: string, key: string): Member {
  const { engine, outbox, clock, about } = world;
  return { url, key, pack: about, control: new ControlClient(url, key), engine, outbox, clock };
}
