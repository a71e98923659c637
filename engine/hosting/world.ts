import type { Express } from 'express';
import { OpenResponses, vendorApi } from '../api/index.js';
import {
  type Beginning,
  type ControlContext,
  controlPlane,
  LiveStreams,
  type Teams,
  type WorldDirectory,
} from '../control/index.js';
import { hashOfKey, isHashOfKey } from '../codecs/index.js';
import { DeliveryLog, Outbox, type Transport } from '../delivery/index.js';
import { withOrigin } from '../expression/index.js';
import type { ByteStore, Json } from '../values/index.js';
import {
  crossOrigin,
  createApp,
  Exchanges,
  type Guard,
  AnyGuard,
  HashedGuard,
  holdResponses,
  KeyGuard,
  type Messages,
  otherKey,
  type Upgrade,
} from '../http/index.js';
import { graphqlEndpoint } from '../graphql/index.js';
import { mcpEndpoint } from '../mcp/index.js';
import { ticking } from './ticking.js';
import type { Settings } from '../model/index.js';
import type { Program } from '../program/index.js';
import {
  ClockControl,
  type ClockOptions,
  type ClockTurns,
  type Coverage,
  Engine,
  type Outside,
  type AdvanceCause,
  type AdvancedEvent,
  type WorldAddress,
} from '../runtime/index.js';
import {
  type Fork,
  type JournalRecord,
  type StoredWorld,
  LEDGER_FORMAT,
  type LedgerHeader,
  type Trace,
  type World,
  type WorldKeeper,
  type UnsupportedUse,
} from '../world/index.js';

/** How far an advance has got: world times as the pack writes them, and how many timers have fired. */
export interface AdvanceProgress {
  readonly now: Json;
  readonly to: Json;
  readonly fired: number;
}

/** A call of the vendor's API, as `onCall` receives it. */
export interface CallReport {
  readonly trace: Trace;
  /** Name of its world; null: the first one. */
  readonly world: string | null;
  /** The call that was probably meant, when there is none of this method and path. */
  readonly near: string | undefined;
}

/** A world that was kept does not belong to the pack that is to continue with it, or was written by another engine. */
export class LedgerMismatch extends Error {}

/** How a world branches off. */
export interface ForkStart {
  readonly header: NonNullable<LedgerHeader['fork']>;
  /** Asked when the world is put together: the other one may continue until then. */
  readonly fork: () => Fork;
  /** The files of the world that it branches off from. */
  readonly files: ByteStore | null;
}

/** What a pack of a company shares with the others. */
interface CompanyMember {
  readonly world: World;
  /** The engines of all, which that of this pack joins. */
  readonly company: Engine[];
  /** Something had happened in it already. */
  readonly continues: boolean;
  readonly turns: ClockTurns;
  /** Runs the company's rules. */
  readonly follow: () => readonly AdvancedEvent[];
  /** The deliveries of all, which those of this pack join. */
  readonly outside: CompanyOutside;
  /** Names of the packs, by their engines. */
  readonly vendors: Map<Engine, string>;
  /** What the ledger of all belongs to. */
  readonly header: LedgerHeader;
  /** Where the company is kept. */
  readonly keeper: WorldKeeper | undefined;
}

/** The outside of a company: one clock holds, flushes and resets the deliveries of all packs. */
export class CompanyOutside implements Outside {
  readonly #members: { readonly pack: string; readonly outbox: Outbox }[] = [];

  add(pack: string, outbox: Outbox): void {
    this.#members.push({ pack, outbox });
  }

  async flush(): Promise<void> {
    // One after another: what is recorded of them is in the order of the packs.
    for (const { outbox } of this.#members) await outbox.flush();
  }

  recordOutcomes(): void {
    for (const { outbox } of this.#members) outbox.recordOutcomes();
  }

  hold(): void {
    for (const { outbox } of this.#members) outbox.hold();
  }

  release(): void {
    for (const { outbox } of this.#members) outbox.release();
  }

  reset(): void {
    for (const { outbox } of this.#members) outbox.reset();
  }

  restore(journal: readonly JournalRecord[]): void {
    for (const { pack, outbox } of this.#members) outbox.restore(journal.filter((record) => record.pack === pack));
  }
}

/** What a hosted world is made with. */
interface HostedWorldOptions {
  /** The key of the world. */
  readonly key: string;
  /** Further keys that open what it opens. */
  readonly alsoKeys?: readonly string[];
  /** What its keys may be made of, where `key` is a hash of that. */
  readonly madeOf?: (own: string) => readonly string[];
  /** Simulated time at the start, in milliseconds. */
  readonly t0: number;
  /** What ids and randomness are drawn from. */
  readonly seed: string;
  /** Newest ledger entries and traces that are kept. */
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Called with every ledger entry, and with what the outside did. */
  readonly keeper?: WorldKeeper;
  /** What a keeper recorded: the world continues from there. */
  readonly kept?: StoredWorld;
  /** It has branched off from another world, whose seed and start it has. */
  readonly branched?: LedgerHeader['fork'];
  /** It branches off now. */
  readonly fork?: ForkStart['fork'];
  /** An app that the server was made for already. */
  readonly like?: Express;
  /** Those of the server that it continues at. */
  readonly messages?: Messages;
  /** What it has met in this process already. */
  readonly coverage?: Coverage;
  /** Ways of delivery by name that replace the pack's. */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Streams pause between two events as the pack says (default). */
  readonly pacedStreams?: boolean;
  /** What a reset goes back to; nothing unless given. */
  readonly beginning?: Beginning;
  /** Number of the last ledger entry of the world whose place this one takes. */
  readonly after?: number;
  /** Its name, when it is not the first one. */
  readonly name?: string;
  readonly address: WorldAddress;
  /** The worlds of the server, for its first one. */
  readonly worlds?: WorldDirectory;
  /** Who else makes worlds there. */
  readonly teams?: Teams;
  /** The company that it is a pack of. */
  readonly member?: CompanyMember;
  /** Its files. */
  readonly files: ByteStore;
  /** Those of the world that it branches off from. */
  readonly forkFiles?: ByteStore | null;
  /** Versions that the pack does not have are served as the nearest; else they are rejected. */
  readonly lenientVersions?: boolean;
  /** Pages of all origins may call the vendor's API, whatever the pack says. */
  readonly cors?: boolean;
  /** Called with each version that is served as another one, once. */
  readonly onNearVersion?: (asked: string, served: string) => void;
  /** Calls that ask for what the vendor documents and the pack does not emulate are rejected; else that is only reported. */
  readonly strict?: boolean;
  /** Called with the first call of each operation that asks for such a thing. */
  readonly onUnsupported?: (use: UnsupportedUse, what: string) => void;
  readonly onDefect: (error: unknown, what: string) => void;
  readonly onAdvance?: (progress: AdvanceProgress) => void;
  /** Called with each call of the vendor's API once it was resolved. */
  readonly onCall?: (call: CallReport) => void;
}

/** The pack of a world, as people and clients see it. */
export interface PackAbout {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly faithfulTo: string;
  /** Names of the machines where the vendor's API is served. */
  readonly hosts?: readonly string[];
}

/** A program at work on a world of its own, with both planes. */
export interface HostedWorld {
  readonly engine: Engine;
  readonly outbox: Outbox;
  readonly clock: ClockControl;
  readonly about: PackAbout;
  readonly header: LedgerHeader;
  readonly app: Express;
  /** Takes the connections of listeners. */
  readonly upgrade: Upgrade;
  /** Ends the streams of both APIs that are open. */
  readonly endStreams: () => void;
  /** Its key, and the further ones that are made of it. */
  readonly keys: readonly string[];
  /** Who lets calls of the vendor's API in. */
  readonly guard: Guard;
  /** What its control API is about. */
  readonly control: ControlContext;
}

/**
 * Puts a world together: engine, deliveries, clock, the vendor's API and the control API.
 * @throws LedgerMismatch
 */
export function hostWorld(pack: Program, options: HostedWorldOptions): HostedWorld {
  const {
    key,
    t0,
    seed,
    ledgerLimit,
    traceLimit,
    keeper,
    kept,
    beginning,
    after,
    onDefect: report,
    onAdvance,
  } = options;
  const located = (stack: string): string => pack.model.env.texts?.located(stack) ?? stack;
  const onDefect = (error: unknown, what: string): void => {
    if (error instanceof Error) {
      const { origin } = options.address;
      error.message = withOrigin(error.message, origin);
      if (error.stack !== undefined) error.stack = withOrigin(located(error.stack), origin);
    }
    report(error, what);
  };
  const { name, title, version, faithfulTo, hosts, auth } = pack.model.settings;
  const header = headerOf(pack, kept?.header ?? { seed, t0, fork: options.branched });
  const { member } = options;
  if (kept) checkHeader(kept.header, header);
  else keeper?.begin(header);
  const fork = kept ? undefined : options.fork?.();
  if (fork && options.forkFiles) options.files.adopt(options.forkFiles);
  const log = new DeliveryLog(pack.model.env.fromMs);
  const engine = new Engine(pack, {
    seed: header.seed,
    t0: header.t0,
    ledgerLimit,
    traceLimit,
    keeper,
    kept,
    fork,
    after,
    member,
    coverage: options.coverage,
    lenientVersions: options.lenientVersions,
    onNearVersion: options.onNearVersion,
    strict: options.strict,
    onUnsupported: options.onUnsupported,
    onDefect,
    surroundings: { address: options.address, sent: log, files: options.files },
  });
  const { guard, own, keys, seals } = guardsOfAll([key, ...(options.alsoKeys ?? [])], auth, options.madeOf);
  const outbox = new Outbox(engine, { log, onDefect, silent: header.fork?.silent, transports: options.transports });
  const journal = fork?.journal ?? kept?.journal;
  if (journal) outbox.restore(journal);
  if (member) {
    const { pack: name = '' } = engine.world.config;
    member.outside.add(name, outbox);
    member.vendors.set(engine, name);
  }
  const clock = new ClockControl(engine, member?.outside ?? outbox, {
    onProgress: reportOf(engine, onAdvance),
    turns: member?.turns,
    follow: member?.follow,
  });
  const about = {
    name,
    title,
    version,
    faithfulTo,
    hosts: withOthers(hosts, [...pack.otherHosts.keys(), ...(pack.mcp?.hosts ?? [])]),
  };
  const exchanges = new Exchanges(keys);
  const live = new LiveStreams(engine, clock, outbox);
  const open = new OpenResponses(engine, options.pacedStreams ?? true);
  const endStreams = (): void => {
    live.end();
    open.end();
  };
  const { onCall, worlds } = options;
  const control: ControlContext = {
    engine,
    outbox,
    clock,
    beginning,
    header: member?.header ?? header,
    pack: about,
    guard: own,
    seals,
    live,
    exchanges,
    worlds,
    teams: options.teams,
  };
  const advance = (toMs: number, why: AdvanceCause, of: string | null): Promise<unknown> =>
    clock.advance(toMs, { why, lines: [of] });
  const served = vendorApi(engine, guard, advance, exchanges, open);
  const vendor = engine.model.realistic ? ticking(served, engine, clock) : served;
  const api = mcpEndpoint(engine, guard, graphqlEndpoint(engine, guard, vendor));
  const planes = [
    controlPlane(control),
    crossOrigin(api, engine.model.settings.cors ?? (options.cors ? ANY_PAGE : null)),
  ];
  if (onCall)
    engine.world.traces.onCall = (trace) => {
      const near = trace.status < 400 ? undefined : pack.routes.near(trace.request.method, trace.request.path);
      onCall({ trace, world: options.name ?? null, near });
    };
  // Where responses are held they are an app's own.
  const app = createApp(planes, options.messages ?? (keeper?.kept ? undefined : options.like));
  const durable = member ? member.keeper : keeper;
  if (durable?.kept) {
    const lost = (error: unknown): void => {
      clock.close();
      onDefect(error, 'the store of this world, which serves nothing any more');
    };
    holdResponses(app, () => durable.kept?.(), lost);
  }
  const upgrade: Upgrade = (...asked) => outbox.upgrade(...asked);
  return { engine, outbox, clock, about, header, app, upgrade, keys, guard, endStreams, control };
}

/** The vendor's machines with those that are not emulated and those of its tools for agents, each once; `*.vendor.com` stands for all below vendor.com. */
function withOthers(hosts: readonly string[], more: Iterable<string>): readonly string[] {
  const isNamed = (host: string): boolean =>
    hosts.some((each) => each === host || (each.startsWith('*.') && host.endsWith(each.slice(1))));
  return [...hosts, ...[...more].filter((host) => !isNamed(host))];
}

const ANY_PAGE = { expose: [], credentials: false };

interface Guards {
  readonly guard: Guard;
  readonly own: Guard;
  readonly keys: readonly string[];
  /** What secrets in exports are sealed with. */
  readonly seals: string;
}

/** As `guardsOf`, for a world that has several keys. */
function guardsOfAll(
  worldKeys: readonly string[],
  auth: Settings['auth'],
  madeOf: HostedWorldOptions['madeOf'],
): Guards {
  const [first, ...others] = worldKeys.map((key) => guardsOf(key, auth, madeOf));
  if (others.length === 0) return first;
  return {
    guard: new AnyGuard([first.guard, ...others.map(({ guard }) => guard)]),
    own: new AnyGuard([first.own, ...others.map(({ own }) => own)]),
    keys: [first, ...others].flatMap(({ keys }) => keys),
    seals: first.seals,
  };
}

/** Who lets calls in: to the vendor's API, and to the control API, which takes a bearer's key whatever the vendor takes. */
function guardsOf(key: string, auth: Settings['auth'], madeOf: HostedWorldOptions['madeOf']): Guards {
  const places = { schemes: auth.schemes, basic: auth.basic, headers: auth.keyHeaders };
  const ownPlaces = { ...places, schemes: ['bearer', ...auth.schemes] };
  if (isHashOfKey(key)) {
    const bare = { keyPrefix: auth.keyPrefix, others: new Map<string, string>(), wholeKeys: new Map<string, string>() };
    return {
      guard: new HashedGuard(key, places, auth, madeOf),
      own: new HashedGuard(key, ownPlaces, bare, madeOf),
      keys: [],
      seals: key,
    };
  }
  const formed = (prefixes: ReadonlyMap<string, string>): Map<string, string> =>
    new Map([...prefixes].map(([name, prefix]) => [name, otherKey(key, auth.keyPrefix, prefix)] as const));
  const others = formed(auth.others);
  const whole = formed(auth.wholeKeys);
  return {
    guard: new KeyGuard(key, places, others, whole),
    own: new KeyGuard(key, ownPlaces),
    keys: [key, ...whole.values(), ...others.values()],
    seals: hashOfKey(key),
  };
}

function headerOf(pack: Program, begun: Pick<LedgerHeader, 'seed' | 't0' | 'fork'>): LedgerHeader {
  const { seed, t0, fork } = begun;
  const { settings, source, env } = pack.model;
  const { name, version } = settings;
  const vars = Object.fromEntries(env.vars);
  return {
    format: LEDGER_FORMAT,
    pack: { name, version, hash: source.hash, vars },
    seed,
    t0,
    ...(fork ? { fork } : {}),
  };
}

/** Whether a world of this pack was kept with other files or variables of it, so that it can only be moved to these. */
export function isOfChangedPack(pack: Program, { format, pack: kept, ...begun }: LedgerHeader): boolean {
  if (format !== LEDGER_FORMAT || kept.name !== pack.model.settings.name) return false;
  return JSON.stringify(kept) !== JSON.stringify(headerOf(pack, begun).pack);
}

function checkHeader(kept: LedgerHeader, own: LedgerHeader): void {
  if (kept.format !== own.format)
    throw new LedgerMismatch(`the world was kept in format ${kept.format}; this version reads format ${own.format}`);
  const of = ({ name, version }: LedgerHeader['pack']): string => `${name} ${version}`;
  if (kept.pack.name !== own.pack.name || kept.pack.version !== own.pack.version)
    throw new LedgerMismatch(`the world is one of ${of(kept.pack)}, not of ${of(own.pack)}`);
  if (kept.pack.hash !== own.pack.hash)
    throw new LedgerMismatch(`the files of ${of(own.pack)} have changed since the world was created`);
  if (JSON.stringify(kept.pack.vars) !== JSON.stringify(own.pack.vars))
    throw new LedgerMismatch(`the variables of ${of(own.pack)} have changed since the world was created`);
}

function reportOf(engine: Engine, report: HostedWorldOptions['onAdvance']): ClockOptions['onProgress'] {
  const { env } = engine.model;
  return report && (({ nowMs, to, fired }) => report({ now: env.fromMs(nowMs), to: env.fromMs(to), fired }));
}
