import type { Express } from 'express';
import { OpenResponses, vendorApi } from '../api/index.js';
import {
  type Beginning,
  type ControlContext,
  controlPlane,
  LiveStreams,
  type PackAbout,
  type Teams,
  type WorldDirectory,
} from '../control/index.js';
import { DeliveryLog, Outbox, type Transport } from '../delivery/index.js';
import { withOrigin } from '../expression/index.js';
import type { ByteStore, Json } from '../values/index.js';
import {
  crossOrigin,
  createApp,
  Exchanges,
  type Guard,
  holdResponses,
  type Messages,
  type Upgrade,
} from '../http/index.js';
import { graphqlEndpoint } from '../graphql/index.js';
import { mcpEndpoint } from '../mcp/index.js';
import { ticking } from './ticking.js';
import type { Program } from '../program/index.js';
import {
  ClockControl,
  type ClockOptions,
  type ClockTurns,
  Engine,
  type EngineOptions,
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
} from '../world/index.js';
import { ANY_PAGE, guardsOfAll, withOthers } from './guards.js';

/** The progress of an advance: simulated times in the pack's format, and the number of fired timers. */
export interface AdvanceProgress {
  readonly now: Json;
  readonly to: Json;
  readonly fired: number;
}

/** A vendor API call, for `onCall`. */
export interface CallReport {
  readonly trace: Trace;
  /** Name of the call's world; null: the first one. */
  readonly world: string | null;
  /** A similar route to suggest, if the call matches none. */
  readonly near: string | undefined;
}

/** Thrown if a stored world was written by another pack or an incompatible engine. */
export class LedgerMismatch extends Error {}

/** The data with which a fork is started. */
export interface ForkStart {
  readonly header: NonNullable<LedgerHeader['fork']>;
  /** Copies the original's state. Called when the fork is assembled, so that the original continues until then. */
  readonly fork: () => Fork;
  /** The files of the original. */
  readonly files: ByteStore | null;
}

/** What a pack shares with the other packs of its company. */
interface CompanyMember {
  readonly world: World;
  /** The engines of all packs of the company, to which this pack's is added. */
  readonly company: Engine[];
  /** Whether the company continues from a store or a fork. */
  readonly continues: boolean;
  readonly turns: ClockTurns;
  /** Runs the company's rules. */
  readonly follow: () => readonly AdvancedEvent[];
  /** The deliveries of all packs of the company, to which this pack's are added. */
  readonly outside: CompanyOutside;
  /** Names of the packs, by engine. */
  readonly vendors: Map<Engine, string>;
  /** The header of the common ledger, which identifies it. */
  readonly header: LedgerHeader;
  /** Receives the entries and records of the company, to store them. */
  readonly keeper: WorldKeeper | undefined;
}

/** The deliveries of a company: one clock holds, flushes and resets those of all packs. */
export class CompanyOutside implements Outside {
  readonly #members: { readonly pack: string; readonly outbox: Outbox }[] = [];

  add(pack: string, outbox: Outbox): void {
    this.#members.push({ pack, outbox });
  }

  async flush(): Promise<void> {
    // Flushes one after another, so that outcomes are recorded in the order of the packs.
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

/** Options of a hosted world, besides those of its engine. */
export interface HostedWorldOptions extends Omit<EngineOptions, 'kept' | 'fork' | 'member' | 'surroundings'> {
  /** The key of the world. */
  readonly key: string;
  /** Further keys with the same rights: the former one, while callers change to a new one. */
  readonly alsoKeys?: readonly string[];
  /** Returns the world keys from which a sent key may be derived; used if `key` is a hash. */
  readonly madeOf?: (own: string) => readonly string[];
  /** The stored state and history from which the world continues. */
  readonly kept?: StoredWorld;
  /** The world and moment from which this world was forked earlier, with the original's random seed and start. */
  readonly branched?: LedgerHeader['fork'];
  /** Copies the state of the world from which this one is forked. */
  readonly fork?: ForkStart['fork'];
  /** The app whose prototypes of requests and responses the server uses; the world's app shares them for speed. */
  readonly like?: Express;
  /** The message prototypes of the server at which a restarted world continues. */
  readonly messages?: Messages;
  /** Transports that replace the pack's, by name: a real publisher for a message bus. */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Streams pause between events as the pack declares (default); otherwise all events are sent at once. */
  readonly pacedStreams?: boolean;
  /** The state after a reset; empty by default. */
  readonly beginning?: Beginning;
  /** The name of a further world; undefined for the first one. */
  readonly name?: string;
  readonly address: WorldAddress;
  /** The worlds of the server, for its first world. */
  readonly worlds?: WorldDirectory;
  /** The teams that share the server. */
  readonly teams?: Teams;
  /** The company to which the world's pack belongs. */
  readonly member?: CompanyMember;
  /** The world's files. */
  readonly files: ByteStore;
  /** The files of the original, for a fork. */
  readonly forkFiles?: ByteStore | null;
  /** Whether pages of all origins may call the vendor API, whatever the pack declares. */
  readonly cors?: boolean;
  /** Called once a second with the progress of a long advance of the clock. */
  readonly onAdvance?: (progress: AdvanceProgress) => void;
  /** Called with each vendor API call after its response. */
  readonly onCall?: (call: CallReport) => void;
}

/** A program running on a world of its own, with both APIs. */
export interface HostedWorld {
  readonly engine: Engine;
  readonly outbox: Outbox;
  readonly clock: ClockControl;
  readonly about: PackAbout;
  readonly header: LedgerHeader;
  readonly app: Express;
  /** Handles connections of listeners. */
  readonly upgrade: Upgrade;
  /** Ends the open streams of both APIs. */
  readonly endStreams: () => void;
  /** The world's key, and further keys derived from it. */
  readonly keys: readonly string[];
  /** Checks keys for the vendor API. */
  readonly guard: Guard;
  /** The context of the world's control API. */
  readonly control: ControlContext;
}

/** Assembles a world: engine, deliveries, clock, vendor API and control API. @throws LedgerMismatch */
export function hostWorld(pack: Program, options: HostedWorldOptions): HostedWorld {
  const { key, t0, seed, keeper, kept, beginning, onDefect: report, onAdvance } = options;
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
    ...options,
    seed: header.seed,
    t0: header.t0,
    fork,
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
  // Delaying responses changes the message prototypes, so the app must not share them with other apps.
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

/** Whether a world of this pack was stored with other files or variables, so that it has to be moved. */
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
