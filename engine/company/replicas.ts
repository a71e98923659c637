import { rejectBeginning } from './begin.js';
import { hashOfKey, isHashOfKey } from '../codecs/index.js';
import { CONTROL_PATH } from '../control/index.js';
import { HashedGuard, pathOf } from '../http/index.js';
import {
  type Address,
  keysOfCall,
  type Listener,
  mintKey,
  ownAddress,
  type Replica,
  type ReplicaKind,
  type ReplicaOptions,
  type ReplicaPlace,
  type WorldStart,
  type ServedWorld,
  sharedPlaces,
  startReplica,
  startTimeMs,
} from '../hosting/index.js';
import { memberAt, readPacks } from './company.js';
import type { CompanyOptions, CompanyPart, Member, CompanyStart } from './parts.js';
import { type CompanyAccess, hostCompany, type HostedCompany } from './host.js';
import { companyKeysOf, keyOfMember, madeOf, newCompanyKey } from './keys.js';
import type { CompanyPlan } from './program.js';
import { checkHeader, nameOfPacks, keptStateOf } from './store.js';
import { branchOf } from './worlds.js';

/** Options of a replica of companies. */
export type CompanyReplicaOptions = Omit<ReplicaOptions, 'pack' | 'packs' | 'changedPack' | 'vars' | 'seeds'> &
  Pick<CompanyOptions, 'packs' | 'file'>;

/** A pack of a company that replicas serve. */
interface ReplicaVendor {
  readonly url: string;
  /** The key of the pack; null: only a hash of the company's key is stored. */
  readonly key: string | null;
}

/** One of several servers of the same companies: all packs at one address, where the key of a call selects its pack. */
export interface CompanyReplica extends Omit<Replica, 'pack'> {
  /** The packs of the first company, by name. */
  readonly vendors: Readonly<Record<string, ReplicaVendor>>;
}

/** Serves companies of a database together with other replicas. @throws errors of `createReplica` and `createCompany` */
export async function startCompanyReplica(given: CompanyReplicaOptions): Promise<CompanyReplica> {
  const { options, parts, plan } = readPacks(given);
  const kind = new CompanyKind(options, parts, plan);
  const fileKeys = parts.flatMap((part) => part.given.key ?? []);
  const replica = await startReplica({ ...options, alsoKeys: [...(options.alsoKeys ?? []), ...fileKeys] }, kind);
  const vendors = parts.map((part, at): [string, ReplicaVendor] => {
    const key = part.given.key ?? (replica.key === null ? null : keyOfMember(replica.key, part, at));
    return [part.name, { url: replica.url, key }];
  });
  return Object.assign(Object.create(replica) as typeof replica, { vendors: Object.fromEntries(vendors) });
}

/** Companies of the same packs: one key opens each, and the keys of its packs are derived from it. */
class CompanyKind implements ReplicaKind {
  readonly names: readonly string[];
  /** Running companies, by id. */
  readonly #held = new Map<string, HostedCompany & { readonly seed: string }>();

  constructor(
    private readonly options: CompanyReplicaOptions,
    private readonly parts: readonly CompanyPart[],
    private readonly plan: CompanyPlan,
  ) {
    this.names = [nameOfPacks(this.#programs)];
  }

  get all(): ReplicaKind['all'] {
    return this.parts.map(({ program }) => program);
  }

  newKey(): string {
    return newCompanyKey();
  }

  keysOf(given: string): readonly string[] {
    return companyKeysOf(given, this.parts);
  }

  shown(key: string, url: string | null): ReturnType<NonNullable<ReplicaKind['shown']>> {
    if (url === null) return {};
    return {
      vendors: Object.fromEntries(this.parts.map((part, at) => [part.name, { url, key: keyOfMember(key, part, at) }])),
    };
  }

  async serve({ opened, address, beginning }: WorldStart, place: ReplicaPlace): Promise<ServedWorld> {
    const { record, kept, keeper, files, release } = opened;
    if (kept) checkHeader(kept.header, this.#programs);
    const { host, hostNames, ledgerLimit, traceLimit, transports, clock: following } = this.options;
    const start = this.#start(opened, beginning, place.isFirst);
    const whole = isHashOfKey(place.key) ? place.key : hashOfKey(place.key);
    // Keys for the calls of the setup, one for each pack; no other caller gets them.
    const inner = this.parts.map(() => mintKey('inner_', 32));
    const access: CompanyAccess = {
      guard: new HashedGuard(whole, BEARER, NO_PREFIXES),
      members: this.parts.map((part, at) => ({
        key: whole,
        alsoKeys: [inner[at], ...(place.isFirst && part.given.key !== undefined ? [part.given.key] : [])],
        madeOf: (own: string) => madeOf(own, part, at),
      })),
      kept: {},
    };
    const hosted = hostCompany(
      { host, hostNames, ledgerLimit, traceLimit, transports, keeper, kept, files, onDefect: place.onDefect },
      this.parts,
      start,
      this.plan,
      access,
      place.isFirst ? place.worlds : undefined,
    );
    for (const { name, located } of hosted.members) located.origin = `${address.origin}/${name}`;
    const close = async (drainMs = 1000): Promise<void> => {
      this.#held.delete(record.id);
      await hosted.close(() => address.leave(drainMs));
      await release().catch(() => undefined);
    };
    try {
      await begunWithin(hosted, inner).catch((error: unknown) => {
        if (place.isFirst) throw error;
        return rejectBeginning(error);
      });
      const [{ world: first }] = hosted.members;
      const { fork } = hosted.header;
      if (following === 'realtime') first.clock.followWallTime();
      address.show({ app: this.#listener(hosted), upgrade: () => Promise.resolve(false) });
      this.#held.set(record.id, { ...hosted, seed: start.seed });
      return {
        url: address.url,
        key: place.key,
        engine: hosted.lead,
        from: fork ? { world: fork.world, entry: fork.entry } : null,
        isQuiet: (ms) =>
          address.calls?.isQuiet(ms) === true &&
          hosted.members.every(
            ({ world: { clock, outbox, engine } }) => clock.isAtRest && outbox.isAtRest && engine.seeding === null,
          ),
        get unusedMs() {
          return address.calls?.unusedMs ?? 0;
        },
        touch: () => address.calls?.touch(),
        close,
      };
    } catch (error) {
      await close(0);
      throw error;
    }
  }

  get #programs(): ReadonlyMap<string, CompanyPart['program']> {
    return new Map(this.parts.map(({ name, program }) => [name, program]));
  }

  #start({ kept }: WorldStart['opened'], beginning: WorldStart['beginning'], isFirst: boolean): CompanyStart {
    if (kept) {
      const { seed, t0, fork } = kept.header;
      return { seed, t0, state: keptStateOf(kept.header), branched: fork };
    }
    const { fork } = beginning;
    const t0 = startTimeMs(this.options.t0);
    if (!fork) {
      const seed = isFirst ? (this.options.seed ?? 'sandbox') : beginning.seed;
      return { seed, t0: isFirst ? t0 : (beginning.t0 ?? t0) };
    }
    return branchOf(this.#held.get(fork.header.world), fork);
  }

  /**
   * Passes a call to the pack in its path (below `/w/<world>/<pack>`), or to the pack of its key; else (the key may be in the
   * body, which isn't read here) to the first pack with a matching route.
   */
  #listener({ members, app }: HostedCompany): Listener {
    const places = sharedPlaces(this.all);
    return (req, res) => {
      const { url = '/', method = 'GET' } = req;
      const [, name = '', rest = ''] = NAMED.exec(url) ?? [];
      // Only calls below `/w/<world>` have an `originalUrl`; their path begins with the name of a pack.
      const named = 'originalUrl' in req ? members.find((member) => member.name === name) : undefined;
      if (named) {
        req.url = rest.startsWith('/') ? rest : `/${rest}`;
        return void named.world.app(req, res);
      }
      const keys = keysOfCall(req, places);
      const opened = members.find(({ world }) => keys.some((key) => world.guard.look(key).ok));
      if (opened) return void opened.world.app(req, res);
      if (pathOf(url).startsWith(CONTROL_PATH)) return void app(req, res);
      const at = this.parts.findIndex(({ program }) => program.routes.match(method, url).kind !== 'unknown');
      void members[Math.max(at, 0)].world.app(req, res);
    };
  }
}

/** The company's own key is sent as a bearer token. */
const BEARER = { schemes: ['bearer'] };
const NO_PREFIXES = { keyPrefix: '', others: new Map<string, string>(), wholeKeys: new Map<string, string>() };

const NAMED = /^\/([^/?#]+)(.*)$/;

/** Runs the setup of a company at temporary addresses. @param keys keys of its packs */
async function begunWithin(hosted: HostedCompany, keys: readonly string[]): Promise<void> {
  const addresses: Address[] = [];
  try {
    const vendors: Record<string, Member> = {};
    for (const [at, member] of hosted.members.entries()) {
      const address = hosted.hasBegun ? undefined : await ownAddress(member.world, 0, '127.0.0.1');
      if (address) addresses.push(address);
      vendors[member.name] = memberAt(member, address?.url ?? '', keys[at]);
    }
    await hosted.begin(vendors);
  } finally {
    await Promise.all(addresses.map((each) => each.leave(0)));
  }
}
