import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, createHttpServer, ownKeysOf } from '../http/index.js';
import { Teams } from '../control/index.js';
import type { Program } from '../program/index.js';
import { PgStore } from '../store/index.js';
import type { JsonObject } from '../values/index.js';
import { closed, listenAt } from './address.js';
import { Forwarder } from './forward.js';
import { forwardedHeader, Peers } from './peers.js';
import { firstWorld, Programs } from './programs.js';
import { type ReadMetrics, ReplicaRouter } from './replica-router.js';
import { ReplicaWorlds } from './replica-worlds.js';
import { type WorldStart } from './replica-slot.js';
import type { ServedWorld } from './ownership.js';
import { defaultIdleMs } from './sandbox.js';
import { type SandboxOptions, type Served } from './served.js';
import { fingerprintOf } from './secure.js';
import { type SandboxServer, served } from './serve-world.js';
import { Directory, type WorldKinds } from './worlds.js';

type Common = Pick<
  SandboxOptions,
  | 'pack'
  | 'packs'
  | 'key'
  | 'alsoKeys'
  | 'teams'
  | 'expiresMs'
  | 'port'
  | 'host'
  | 'hostNames'
  | 'tls'
  | 't0'
  | 'seed'
  | 'clock'
  | 'vars'
  | 'cache'
  | 'ledgerLimit'
  | 'traceLimit'
  | 'changedPack'
  | 'onMoved'
  | 'idleMs'
  | 'transports'
  | 'lenientVersions'
  | 'cors'
  | 'onNearVersion'
  | 'strict'
  | 'onUnsupported'
  | 'onDefect'
  | 'onAdvance'
  | 'onPhase'
>;

export interface ReplicaOptions extends Common {
  /** `postgres://user:password@host:port/database`. */
  readonly database: string;
  /** Address of this replica for others; its first network address by default. */
  readonly advertise?: string;
  /** Address for callers of all replicas, in links to pages. The advertised address by default. */
  readonly publicUrl?: string;
  /** Seed data of the first world, and its state after a reset. */
  readonly seeds?: JsonObject;
  /** Limit of worlds in the database; none by default. */
  readonly maxWorlds?: number;
  /** Size limit of a world's history in bytes; none by default. */
  readonly maxWorldBytes?: number;
  /**
   * Returns the metrics for `GET /metrics` with a key of the first world, in the Prometheus format; by default there are none.
   */
  readonly metrics?: ReadMetrics;
  /** A key that reads only the metrics. */
  readonly metricsKey?: string;
  /**
   * Milliseconds for which a closing replica serves calls while it reports itself as not ready, so that load balancers leave
   * it.
   */
  readonly leaveAfterMs?: number;
}

/** One of several servers of the same worlds. */
export interface Replica {
  readonly url: string;
  /** The key of the first world; null: it was shown when that world was created, and only its hash is stored. */
  readonly key: string | null;
  readonly pack: Served['pack'];
  readonly worlds: Directory;
  /** Number of worlds that this replica has in memory. */
  readonly held: number;
  /** Releases all worlds to other replicas, then stops. */
  close(drainMs?: number): Promise<void>;
}

/** The kind of worlds that replicas serve: of packs, or a company. */
export interface ReplicaKind extends WorldKinds {
  /** All packs that calls may belong to. */
  readonly all: readonly Program[];
  /** Returns the world keys from which a sent key may be derived. */
  keysOf(given: string): readonly string[];
  serve(start: WorldStart, place: ReplicaPlace): Promise<ServedWorld>;
  /** Called once the first world is served. */
  begun?(): Promise<void>;
}

/** Settings and services that a world gets from its replica. */
export interface ReplicaPlace {
  readonly isFirst: boolean;
  /** The world's key, or only its hash if no process has the key itself. */
  readonly key: string;
  readonly worlds: Directory;
  readonly teams: Teams;
  readonly onDefect: (error: unknown, what: string) => void;
}

/**
 * Serves the worlds of a database together with other replicas, behind one address: the key of a call selects the world, and
 * any replica that gets the call forwards it to the owner.
 * @throws PackInvalid, StoreError, LedgerMismatch; the listening error (`code: EADDRINUSE`)
 */
export async function createReplica(options: ReplicaOptions): Promise<Replica> {
  const programs = new Programs(options);
  const replica = await startReplica(options, kindOfPacks(programs, options));
  return Object.assign(Object.create(replica) as typeof replica, { pack: aboutOf(programs.first.program) });
}

/** Serves the worlds of a database together with other replicas, for any kind of worlds. */
export async function startReplica(
  options: Omit<ReplicaOptions, 'pack' | 'packs'>,
  kind: ReplicaKind,
): Promise<Omit<Replica, 'pack'>> {
  const front = new ReplicaRouter(kind.all, (given) => kind.keysOf(given), options.metrics, options.metricsKey);
  const { port = 0, host = '127.0.0.1', tls } = options;
  const server = createHttpServer(createApp([]), tls);
  server.removeAllListeners('request');
  server.on('request', (req, res) => void front.serve(req, res));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    // For a call that another replica forwards, the owner of its world sends `100 Continue`.
    if (req.headers[forwardedHeader] === undefined) res.writeContinue();
    void front.serve(req, res);
  });
  const listening = await listenAt(server, port, host);
  try {
    const reached = options.advertise ?? advertised(listening, host);
    // The address contains the certificate's fingerprint, by which other replicas verify that they reach this one.
    const url = tls ? `${reached}#${fingerprintOf(tls.cert)}` : reached;
    const me = { id: randomBytes(6).toString('hex'), url };
    const store = await PgStore.open(options.database, { me, onNotice: (notice) => front.changed(notice) });
    try {
      const peers = new Peers(store.secret, store);
      const forwarder = new Forwarder(peers);
      const { id: main, key } = await firstWorld(store, kind, options.key);
      const teams = new Teams(options.teams ?? []);
      const { worlds, directory } = worldsOf({ options, kind, store, url, main, key, teams, forwarder });
      const hostKeys = [...(key === null ? [] : [key]), ...(options.alsoKeys ?? [])];
      front.begin({ worlds, store, forwarder, peers, main, hostKeys, teams, url });
      await worlds.where(main);
      await kind.begun?.();
      worlds.watch();
      front.isReady = true;
      return {
        url: listening,
        key,
        worlds: directory,
        get held() {
          return worlds.held;
        },
        close: async (drainMs = 1000) => {
          front.isReady = false;
          await sleep(options.leaveAfterMs ?? 0);
          await worlds.leave();
          await closed(server, drainMs);
          forwarder.close();
          await store.close();
        },
      };
    } catch (error) {
      await store.close();
      throw error;
    }
  } catch (error) {
    await closed(server, 0);
    throw error;
  }
}

function aboutOf({ model: { settings } }: Program): Served['pack'] {
  const { name, title, version, faithfulTo } = settings;
  return { name, title, version, faithfulTo };
}

/** Serves worlds of one pack each, rather than companies. */
function kindOfPacks(programs: Programs, options: ReplicaOptions): ReplicaKind {
  const seeding: (() => Promise<void>)[] = [];
  let app: SandboxServer['app'];
  const { seeds, key: _key, ...common } = options;
  return {
    names: programs.names,
    all: programs.all,
    newKey: (name) => programs.newKey(name),
    keysOf: (given) => programs.all.flatMap(({ model }) => ownKeysOf(given, model.settings.auth)).map(({ own }) => own),
    serve: async ({ opened, address, beginning }, { isFirst, key, worlds, teams, onDefect }) => {
      const { record } = opened;
      const { program, folder } = programs.of(record.pack);
      // `app` is missing only for the first world, whose control API alone manages the others.
      const host: SandboxServer = {
        worlds,
        teams,
        packs: programs.all,
        app: isFirst ? undefined : (app ??= createApp([])),
      };
      const seed = isFirst ? options.seed : beginning.seed;
      const t0 = isFirst || beginning.t0 === undefined ? options.t0 : new Date(beginning.t0).toISOString();
      const world = await served(
        program,
        { changedPack: 'move', ...common, pack: folder, key, seed, t0, onDefect },
        { known: record, opened, fork: beginning.fork, host, address },
      );
      if (isFirst && seeds) {
        // A world that continues from the store already has the seeded objects.
        if (world.continued !== null) world.resetTo(seeds);
        else seeding.push(() => world.applySeedData(seeds));
      }
      return world;
    },
    begun: async () => {
      for (const seedWorld of seeding) await seedWorld();
    },
  };
}

interface ReplicaParts {
  readonly options: Omit<ReplicaOptions, 'pack' | 'packs'>;
  readonly kind: ReplicaKind;
  readonly store: PgStore;
  readonly url: string;
  readonly main: string;
  readonly key: string | null;
  readonly teams: Teams;
  readonly forwarder: Forwarder;
}

function worldsOf({ options, kind, store, url, main, key, teams, forwarder }: ReplicaParts): {
  readonly worlds: ReplicaWorlds;
  readonly directory: Directory;
} {
  const onDefect = options.onDefect ?? ((error: unknown, what: string) => console.error(`sandbox: ${what}:`, error));
  const worlds: ReplicaWorlds = new ReplicaWorlds({
    store,
    url,
    publicUrl: options.publicUrl ?? url.replace(/#.*/, ''),
    main,
    packs: kind.names,
    idleMs: options.idleMs ?? defaultIdleMs,
    maxBytes: options.maxWorldBytes ?? Infinity,
    serve: (start) => {
      const { record } = start.opened;
      const isFirst = record.id === main;
      const given = isFirst && key !== null ? key : record.key;
      return kind.serve(start, { isFirst, key: given, worlds: directory, teams, onDefect });
    },
    askFor: (world, at) => forwarder.askFor(world, at),
    beginAt: (world, at, beginning) => forwarder.beginAt(world, at, beginning),
    onDefect,
  });
  const { seed = 'sandbox', expiresMs } = options;
  const directory = new Directory(worlds, {
    programs: kind,
    seed,
    maxWorlds: options.maxWorlds ?? Infinity,
    expiresMs,
  });
  return { worlds, directory };
}

/** Returns the address that other replicas reach, for a server that listens on all addresses. */
function advertised(listening: string, host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return listening;
  const outward = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.internal === false && each.family === 'IPv4');
  const url = new URL(listening);
  url.hostname = outward?.address ?? hostname();
  return url.origin;
}
