import type { CompanyOptions, Member, Company, CompanyPart, ServedCompany, CompanyStart } from './parts.js';
import { loadPack } from '../compile/index.js';
import type { WorldDirectory } from '../control/index.js';
import { ControlClient } from '../control/client.cjs';
import { KeyGuard } from '../http/index.js';
import { type Address, mintKey, ownAddress, PackInvalid, startTimeMs } from '../hosting/index.js';
import { PackCache, packFolder, type PackSource, type Problem } from '../pack/index.js';
import type { Program } from '../program/index.js';
import { letLive } from './actors.js';
import { type ReadCompany, readCompany } from './file.js';
import { hostCompany, type HostedMember } from './host.js';
import { newCompanyKey } from './keys.js';
import { planOf } from './plan.js';
import type { CompanyPlan } from './program.js';
import { openCompany } from './store.js';
import { CompanyWorlds } from './worlds.js';

/**
 * Serves several packs in one world, each at its own address, and the control API of all at another one. The ids of a pack are
 * the same as if it ran alone with its seed.
 * @throws PackInvalid if a pack has errors; RangeError if two members share a name or key
 */
export async function startCompany(given: CompanyOptions): Promise<Company> {
  const { options, parts, programs, plan } = readPacks(given);
  const opened = options.store && (await openCompany(options.store, options.key ?? newCompanyKey(), programs));
  const state = opened?.state ?? null;
  const further = {
    ...options,
    port: 0,
    keeper: undefined,
    kept: undefined,
    store: undefined,
    files: undefined,
  };
  const unplaced = parts.map((part) => ({ ...part, given: { ...part.given, key: undefined, port: 0 } }));
  const { seed, t0 } = opened?.opened.kept?.header ?? { seed: options.seed ?? 'sandbox', t0: startTimeMs(options.t0) };
  const start = { seed, t0, state };
  const worlds = new CompanyWorlds([...programs.keys()], start, options.maxWorlds ?? Infinity, (start, key) =>
    serveCompany({ ...further, key }, unplaced, start, plan),
  );
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
  const first = await serveCompany({ ...options, ...kept }, keyed, start, plan, worlds.directory).catch(
    async (error: unknown) => {
      await release();
      throw error;
    },
  );
  await worlds.begin(first, start);
  const close = async (drainMs?: number): Promise<void> => {
    await worlds.close();
    await first.close(drainMs);
    await release();
  };
  const fork: Company['fork'] = (at, same_ids = false, send_webhooks = false) =>
    worlds.fork({ at, same_ids, send_webhooks });
  return { ...first, worlds: worlds.directory, fork, close };
}

/** Reads the packs of a company. @throws PackInvalid; RangeError if two members share a name or key */
export function readPacks<Given extends CompanyOptions>(
  given: Given,
): {
  /** The options in the company file, overridden by the given ones. */
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

/** Problems of a company file or its packs. */
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

/** The serving options in a company file. */
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

/** Returns a pack of a company, with the address at which it is served and its key. */
export function memberAt({ world }: HostedMember, url: string, key: string): Member {
  const { engine, outbox, clock, about } = world;
  return { url, key, pack: about, control: new ControlClient(url, key), engine, outbox, clock };
}
