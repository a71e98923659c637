import { ControlClient } from '../control/client.cjs';
import type { Words, WordsOf } from '../control/words.cjs';
import type { Beginning, ForkOrigin, WorldDirectory } from '../control/index.js';
import type { Outbox, Transport } from '../delivery/index.js';
import type { JsonObject } from '../values/index.js';
import { CallCounter } from './calls.js';
import { holdNoMore, letGoOfApp, type Tls } from '../http/index.js';
import { sendTo } from './secure.js';
import { type Address, ownAddress, SharedAddress } from './address.js';
import {
  type AdvanceProgress,
  type CallReport,
  type ForkStart,
  type HostedWorld,
  hostWorld,
  type PackAbout,
} from './world.js';
import { LIMITS } from '../limits.js';
import { loadPack } from '../compile/index.js';
import type { Program } from '../program/index.js';
import { type ClockControl, type Migrated, migrate, type Engine } from '../runtime/index.js';
import { PackCache, type PackSource, type Problem } from '../pack/index.js';
import type { OpenWorld, Store } from '../store/index.js';
import { type KeptWorld, type LedgerHeader, parseInstant, type WorldKeeper } from '../world/index.js';
import type { IdleWorld } from './idle.js';
import { firstWorld, firstWorldName, mintKey, Programs } from './programs.js';
import { sharedPlaces } from './world-of-call.js';
import { type ServedWorld, Worlds } from './worlds.js';

export interface SandboxOptions<Pack extends string = string> {
  /** The pack's folder, or the name of a pack that comes with the sandbox: then the types of the control client know its names. */
  readonly pack: Pack;
  /** Further packs: worlds of theirs can be made (`worlds`). */
  readonly packs?: readonly string[];
  /** The key of the world; random unless given. */
  readonly key?: string;
  /**
   * How worlds are told apart: by a port each (the default), or by their keys at one address. Then links to pages of a world
   * lead below `/w/<world>`.
   */
  readonly worlds?: 'port' | 'key';
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback unless given. */
  readonly host?: string;
  /** Answers by TLS. */
  readonly tls?: Tls;
  /** Simulated time at the start: ISO 8601 or Unix seconds. The process's start (whole seconds) unless given. */
  readonly t0?: string | number;
  /** What ids and randomness are drawn from. */
  readonly seed?: string;
  readonly clock?: 'frozen' | 'realtime';
  /** Replaces variables of pack.yaml. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Remembers what was read of packs; unless given, packs that came with the sandbox are found as it was built with them. */
  readonly cache?: PackCache;
  /** Newest ledger entries and traces that are kept in memory; of entries, Infinity: all. */
  readonly ledgerLimit?: number;
  readonly traceLimit?: number;
  /**
   * Where the world is kept: it is answered what is safe there, and goes on from there at the next start, with its own key,
   * `seed` and `t0`. It stays open when the sandbox is closed. Replaces `keeper` and `kept`.
   */
  readonly store?: Store;
  /**
   * Milliseconds after which a world of the store that nobody calls leaves memory, unless something goes on in it; the next call
   * brings it back. 10 minutes unless given; Infinity: never. The first world stays, and so does one that follows real time.
   */
  readonly idle?: number;
  /** Told of every ledger entry, and of what the outside did. */
  readonly keeper?: WorldKeeper;
  /** What a keeper was told: the world goes on from there, with its own `seed` and `t0`. */
  readonly kept?: KeptWorld;
  /** Ways of delivery by name that replace the pack's: a real publisher for a message bus. */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Versions of the API that the pack does not have are answered in the nearest one; else they are rejected. */
  readonly lenientVersions?: boolean;
  /** Told of each version that is answered in another one, once in each world. */
  readonly onNearVersion?: (asked: string, answered: string) => void;
  /** Told of defects of the pack or the engine (a call answered 500, a timer that failed). Printed unless given. */
  readonly onDefect?: (error: unknown, what: string) => void;
  /** Told once a second how far a long advance of the clock has got. */
  readonly onAdvance?: (progress: AdvanceProgress) => void;
  /** Told of each call of the vendor's API once it was resolved, in every world. Without it nothing is done for it. */
  readonly onCall?: (call: CallReport) => void;
  /** Told when a phase of the start is over: `read`, `link`, `compile`, `check` (unless it passed before), `assemble`, `listen`. */
  readonly onPhase?: (phase: string) => void;
}

/** A world that is served: both planes. */
export interface Served<W extends Words = Words> {
  readonly url: string;
  readonly key: string;
  readonly pack: PackAbout;
  readonly control: ControlClient<W>;
  readonly engine: Engine;
  readonly outbox: Outbox;
  readonly clock: ClockControl;
  /** What its ledger belongs to. */
  readonly header: LedgerHeader;
  /** Number of the last ledger entry that the store already had; null: the world began just now. */
  readonly continued: number | null;
  /** What it branched off from; null: it is no fork. */
  readonly from: ForkOrigin | null;
  /**
   * Reads the pack again and goes on with what it says now, in a world that keeps what still fits. A pack with errors changes
   * nothing. Deliveries that wait for their next attempt are given up.
   */
  reload(): Promise<Reloaded>;
  /**
   * Seeds the world, which a reset goes back to from now on.
   * @param seeds as the body of `POST /seed`
   * @throws ControlError when the control API rejects them
   */
  plant(seeds: JsonObject): Promise<void>;
  /** Lets a reset go back to these seeds from now on, in a world that has its objects already. */
  resetTo(seeds: JsonObject): void;
  /**
   * Stops listening, and ends open connections and timers.
   * @param drainMs longest wait for calls that are under way, in milliseconds; a second unless given
   */
  close(drainMs?: number): Promise<void>;
}

/** A running sandbox: its first world, and whatever worlds were made beside it. */
export interface Sandbox<W extends Words = Words> extends Served<W> {
  /** Further worlds have an address each. */
  readonly worlds: WorldDirectory;
}

/** What reading a pack again came to. */
export interface Reloaded {
  readonly problems: readonly Problem[];
  readonly source: PackSource;
  /** What was kept; null: the pack has errors, so that everything goes on as before. */
  readonly migrated: Migrated | null;
}

/**
 * Starts a sandbox.
 * @throws PackInvalid when the pack has errors; LedgerMismatch when what was kept is no world of this pack; StoreError when the
 *   store cannot give it; the listening error (`code: EADDRINUSE`) when the port is taken
 */
export function createSandbox<const Pack extends string>(
  options: SandboxOptions<Pack>,
): Promise<Sandbox<WordsOf<Pack>>>;
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { vars, cache = PackCache.ofInstallation({ readOnly: true }), onPhase, key } = options;
  if (key?.trim() === '') throw new TypeError("'key' must not be empty");
  // Callers of JavaScript are not held by the types.
  if (typeof options.pack !== 'string')
    throw new TypeError(`'pack' must be a folder or the name of a pack (given: ${Object.keys(options).join(', ')})`);
  const programs = new Programs({ pack: options.pack, packs: options.packs, vars, cache, onPhase });
  const { program: pack, folder } = programs.first;
  const seed = options.seed ?? 'sandbox';
  const worlds: Worlds = new Worlds({
    store: options.store,
    idle: options.idle ?? defaultIdleMs,
    packs: programs.names,
    seed,
    newKey: (name) => programs.newKey(name),
    serve: ({ id, name, pack: ofPack, key, seed, t0, fork, opened, rest }) => {
      const { program, folder } = programs.of(ofPack);
      const { keeper: _keeper, kept: _kept, ...common } = options;
      const own = {
        ...common,
        pack: folder,
        cache,
        port: 0,
        key,
        seed,
        t0: t0 === undefined ? options.t0 : new Date(t0).toISOString(),
      };
      return served(program, own, { known: { id, name }, opened, fork, host, rest });
    },
  });
  const host: SandboxServer = {
    worlds,
    wake: (asked) => worlds.wake(asked),
    packs: programs.all,
  };
  const { name } = pack.model.settings;
  const { store } = options;
  const opened = store && (await store.open((await firstWorld(store, programs, key)).id));
  try {
    const record = opened?.record ?? { id: 'w1', name: firstWorldName, pack: name, expires: null };
    const first = await served(pack, { ...options, pack: folder, cache }, { known: record, opened, host });
    await worlds.begin({ ...record, key: first.key }, first);
    const close = async (drainMs?: number): Promise<void> => {
      await worlds.close();
      await first.close(drainMs);
    };
    // Not a copy: what it gives is looked up when it is asked for.
    return Object.assign(Object.create(first) as Served, { worlds, close });
  } catch (error) {
    await opened?.release().catch(() => undefined);
    throw error;
  }
}

/** As `idle`. */
export const defaultIdleMs = 600_000;

/** What the worlds of a server share. */
export interface SandboxServer {
  readonly worlds: WorldDirectory;
  /** Lets a world in that is not at work. */
  readonly wake?: Worlds['wake'];
  readonly packs: readonly Program[];
  /** The app of the first world. */
  app?: HostedWorld['app'];
  /** Where all of them answer, when they are told apart by key. */
  address?: SharedAddress;
}

/** Which world it is, and what it goes on from. */
export interface WorldOrigin {
  readonly known: { readonly id: string; readonly name: string };
  readonly opened: OpenWorld | undefined;
  readonly fork?: ForkStart;
  readonly host: SandboxServer;
  /** It has rested until now. */
  readonly rest?: IdleWorld;
  /** Where it answers, if somebody else sees to that. */
  readonly address?: Address;
}

/** Serves a world. */
export async function served(
  pack: Program,
  options: SandboxOptions,
  { known, opened, fork, host, rest, address: given = rest?.address }: WorldOrigin,
): Promise<ServedWorld & Served> {
  const { vars, cache, onPhase } = options;
  const { auth } = pack.model.settings;
  const key = options.key ?? opened?.record.key ?? mintKey(auth.keyPrefix, auth.keyLength);
  const { kept: before, keeper = options.keeper, release } = opened ?? { kept: options.kept };
  const continued = opened?.kept ? opened.record.head : null;
  const branched = before?.header.fork ?? fork?.header;
  const from = branched ? { world: branched.world, entry: branched.entry } : null;
  const t0 = startTime(options.t0);
  const beginning: Beginning = { seeds: null };
  const isFirst = host.app === undefined;
  // What was kept is not held: a world that goes on needs it once.
  const assemble = (program: Program, kept?: KeptWorld, after?: number): HostedWorld =>
    hostWorld(program, {
      key,
      t0,
      seed: options.seed ?? 'sandbox',
      worlds: isFirst ? host.worlds : undefined,
      like: host.app,
      messages: rest?.address.messages ?? undefined,
      coverage: rest?.coverage,
      ledgerLimit: options.ledgerLimit ?? LIMITS.ledger.value,
      traceLimit: options.traceLimit ?? LIMITS.traces.value,
      onDefect: options.onDefect ?? ((error: unknown, what: string) => console.error(`sandbox: ${what}:`, error)),
      lenientVersions: options.lenientVersions,
      onNearVersion: options.onNearVersion,
      onAdvance: options.onAdvance,
      onCall: options.onCall,
      name: isFirst ? undefined : known.name,
      transports: options.transports,
      keeper,
      beginning,
      kept,
      branched,
      fork: after === undefined ? fork?.fork : undefined,
      after,
    });
  let running = assemble(pack, before);
  onPhase?.('assemble');
  host.app ??= running.app;
  const address = given ?? (await addressOf(running, options, known, host, opened !== undefined && !isFirst));
  const { url } = address;
  given?.show(running);
  if (options.clock === 'realtime') running.clock.followWallTime();
  running.engine.runtime.origin = address.origin;
  onPhase?.('listen');

  const control = new ControlClient(url, key, options.tls && sendTo(options.tls.cert));

  async function reload(): Promise<Reloaded> {
    const loaded = loadPack(options.pack, { vars, cache });
    const { problems, source } = loaded;
    if (!loaded.pack) return { problems, source, migrated: null };
    const before = running;
    before.clock.close();
    await before.clock.advanceBy(0);
    const { count } = before.engine.world.ledger;
    const next = assemble(loaded.pack, undefined, count);
    next.engine.runtime.origin = address.origin;
    const migrated = migrate(before.engine, next.engine);
    running = next;
    address.show(next);
    if (options.clock === 'realtime') next.clock.followWallTime();
    before.live.end();
    await before.outbox.close();
    return { problems, source, migrated };
  }

  return {
    url,
    key,
    get pack() {
      return running.about;
    },
    control,
    plant: async (seeds) => {
      await control.call('POST', '/seed', seeds);
      beginning.seeds = seeds;
    },
    resetTo: (seeds) => {
      beginning.seeds = seeds;
    },
    get engine() {
      return running.engine;
    },
    get outbox() {
      return running.outbox;
    },
    get clock() {
      return running.clock;
    },
    get header() {
      return running.header;
    },
    continued,
    from,
    reload,
    isQuiet: (ms) => {
      const { clock, outbox, engine } = running;
      const isCalled = address.calls?.isQuiet(ms) !== true;
      return !isCalled && clock.isAtRest && outbox.isAtRest && engine.seeding === null;
    },
    touch: () => address.calls?.touch(),
    rest: (wake) => {
      running.clock.close();
      running.live.end();
      address.rest(wake);
      if (address.messages && host.app) {
        holdNoMore(address.messages);
        letGoOfApp(address.messages, host.app);
      }
      const ended = running.outbox.close().then(() => {
        running.engine.world.leave();
        return release?.();
      });
      return { address, coverage: running.engine.coverage, ended };
    },
    close: async (drainMs = 1000) => {
      running.clock.close();
      running.live.end();
      running.outbox.hangUp();
      await address.leave(drainMs);
      await running.outbox.close();
      running.engine.world.leave();
      await release?.().catch(() => undefined);
    },
  };
}

/** Where a world answers: at a port of its own, or where all do. */
async function addressOf(
  { app, upgrade, keys }: HostedWorld,
  { worlds, port = 0, host: on = '127.0.0.1', tls, store }: SandboxOptions,
  known: WorldOrigin['known'],
  host: SandboxServer,
  mayRest: boolean,
): Promise<Address> {
  const calls = mayRest ? new CallCounter() : null;
  if (worlds !== 'key') return ownAddress({ app, upgrade }, port, on, calls, tls);
  const wake = store && host.wake;
  host.address ??= await SharedAddress.open(app, { port, host: on, tls }, sharedPlaces(host.packs), wake);
  return host.address.enter({ app, upgrade }, { ...known, keys }, calls);
}

function startTime(given: string | number | undefined): number {
  if (given === undefined) return Math.floor(Date.now() / 1000) * 1000;
  const ms = parseInstant(given);
  if (ms === undefined)
    throw new RangeError(`'${given}' is not a time: write ISO 8601 (2025-01-01T00:00:00Z) or Unix seconds`);
  if (Math.abs(ms) > LIMITS.latest.value) throw new RangeError(`'${given}' is not before the year 9999`);
  return ms;
}
