import { loadPack } from '../compile/index.js';
import { CONTROL_PATH } from '../control/index.js';
import { ControlClient } from '../control/client.cjs';
import { ClockTurns, type Engine, forkOf, worldOf } from '../runtime/index.js';
import { createApp, hostCheck, KeyGuard } from '../http/index.js';
import { LIMITS } from '../limits.js';
import { collectionConfig } from '../model/index.js';
import { PackCache, packFolder } from '../pack/index.js';
import type { Program } from '../program/index.js';
import type { Fork, JournalRecord, MemberConfig, StoredEntry, WorldKeeper } from '../world/index.js';
import { type Address, ownAddress } from './address.js';
import { companyPlane } from './company-plane.js';
import { mintKey, PackInvalid } from './programs.js';
import type { Served } from './sandbox.js';
import { startTimeMs } from './serve-world.js';
import { CompanyOutside, type HostedWorld, hostWorld } from './world.js';

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
  /** At the same instant timers fire in this order. */
  readonly packs: readonly (string | MemberOptions)[];
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
  readonly cache?: PackCache;
  /** Told of every ledger entry of all packs, and of what the outside did. */
  readonly keeper?: WorldKeeper;
  /** What a keeper was told: the company goes on from there, with the same packs, `seed` and `t0`. */
  readonly kept?: { readonly entries: readonly StoredEntry[]; readonly journal: readonly JournalRecord[] };
  /** Told of defects of a pack or the engine. Printed unless given. */
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
  /**
   * A company that begins as this one is, or was after an entry.
   * @param same the next calls get the ids that they would get here
   * @throws BeyondLedger
   */
  fork(at?: number, same?: boolean): Promise<Company>;
  /** Stops listening, and ends open connections and timers. */
  close(drainMs?: number): Promise<void>;
}

interface Part {
  readonly given: MemberOptions;
  readonly program: Program;
  readonly config: MemberConfig;
  readonly key: string;
}

/**
 * Serves several packs in one world, each at an address of its own, and the control API of all at another one. Ids of a pack
 * are those that it has alone with the same seed.
 * @throws PackInvalid when a pack has errors; RangeError when two members have one name or key
 */
export function startCompany(options: CompanyOptions): Promise<Company> {
  return serveCompany(options, partsOf(options));
}

function partsOf({
  packs,
  seed = 'sandbox',
  cache = PackCache.ofInstallation({ readOnly: true }),
}: CompanyOptions): Part[] {
  const parts: Part[] = [];
  for (const each of packs) {
    const given = typeof each === 'string' ? { pack: each } : each;
    const loaded = loadPack(packFolder(given.pack), { vars: given.vars, cache });
    if (!loaded.pack) throw new PackInvalid(loaded.problems, loaded.source);
    const { resources, settings } = loaded.pack.model;
    const name = given.name ?? settings.name;
    if (!NAME.test(name)) throw new RangeError(`'${name}' is no name of a pack in a company: use a-z, 0-9, - and _`);
    if (parts.some(({ config }) => config.pack === name))
      throw new RangeError(`two packs of the company are called '${name}': give one of them another 'name'`);
    // Two worlds of one pack with one seed would have the same ids.
    const isFurther = parts.some(({ program }) => program.model.settings.name === settings.name);
    const key = given.key ?? mintKey(settings.auth.keyPrefix, settings.auth.keyLength);
    if (parts.some((part) => part.key === key)) throw new RangeError(`'${name}' has the key of another pack`);
    const config: MemberConfig = {
      pack: name,
      collections: resources.map(collectionConfig),
      timeFormat: settings.time,
      seed: given.seed ?? (isFurther ? `${seed}/${name}` : seed),
    };
    parts.push({ given, program: loaded.pack, config, key });
  }
  if (parts.length === 0) throw new RangeError('a company has at least one pack');
  return parts;
}

const NAME = /^[a-z0-9][a-z0-9_-]*$/;

async function serveCompany(options: CompanyOptions, parts: readonly Part[], fork?: Fork): Promise<Company> {
  const { host = '127.0.0.1', keeper, kept } = options;
  const onDefect = options.onDefect ?? ((error: unknown, what: string) => console.error(`sandbox: ${what}:`, error));
  const t0 = startTimeMs(options.t0);
  const common = {
    t0,
    ledgerLimit: options.ledgerLimit ?? LIMITS.ledger.value,
    traceLimit: options.traceLimit ?? LIMITS.traces.value,
  };
  const [first, ...beside] = parts.map(({ config }) => config);
  const lead = worldOf({ ...common, ...first, beside, keeper }, kept, fork);
  if (kept && !fork) lead.restore(kept.journal);
  const shared = {
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
    const goesOn = fork !== undefined || (kept !== undefined && kept.entries.length > 0);
    for (const [at, { given, program, config, key }] of parts.entries()) {
      const located = { origin: '', admits: hostCheck([host]) };
      const member = { ...shared, world: lead.timeline.worlds[at], goesOn };
      const world = hostWorld(program, { ...common, seed: config.seed, key, address: located, member, onDefect });
      hosted.push(world);
      const address = await ownAddress(world, given.port ?? 0, host);
      addresses.push(address);
      located.origin = address.origin;
      const { url } = address;
      const { engine, outbox, clock, about } = world;
      vendors[config.pack] = { url, key, pack: about, control: new ControlClient(url, key), engine, outbox, clock };
    }
    const journal = fork?.journal ?? kept?.journal;
    if (journal) shared.outside.restore(journal);
    const key = options.key ?? mintKey('company_', 24);
    const guard = new KeyGuard(key, { schemes: ['bearer'], basic: undefined, headers: [] });
    const plane = companyPlane(
      parts.map(({ config, key }, at) => ({
        name: config.pack,
        context: { ...hosted[at].control, guard },
        ask: (path) =>
          fetch(`${addresses[at].url}${CONTROL_PATH}${path}`, { headers: { authorization: `Bearer ${key}` } }),
      })),
      shared.vendors,
    );
    const app = createApp([plane]);
    const address = await ownAddress({ app, upgrade: () => Promise.resolve(false) }, options.port ?? 0, host);
    addresses.push(address);
    return {
      url: address.url,
      key,
      control: new ControlClient(address.url, key),
      vendors,
      fork: (n = lead.timeline.ledger.count, same = false) => {
        const next = forkOf(hosted[0].engine.past, lead, n, same ? undefined : ++forks);
        const own = parts.map((part) => ({ ...part, given: { ...part.given, port: 0 } }));
        return serveCompany(
          { ...options, t0: new Date(lead.t0).toISOString(), port: 0, keeper: undefined, kept: undefined },
          own,
          next,
        );
      },
      close,
    };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** So many forks were made in this process. */
let forks = 0;
