import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { createApp, createHttpServer } from '../http/index.js';
import type { Program } from '../program/index.js';
import { PgStore } from '../store/index.js';
import type { JsonObject } from '../values/index.js';
import { closed, listenAt } from './address.js';
import { Forwarder } from './forward.js';
import { forwardedHeader, Peers } from './peers.js';
import { firstWorld, Programs } from './programs.js';
import { type ReadMetrics, ReplicaRouter } from './replica-router.js';
import { ReplicaWorlds } from './replica-worlds.js';
import { defaultIdleMs, type SandboxOptions, type Served } from './sandbox.js';
import { fingerprintOf } from './secure.js';
import { type SandboxServer, served } from './serve-world.js';
import { Directory } from './worlds.js';

type Common = Pick<
  SandboxOptions,
  | 'pack'
  | 'packs'
  | 'key'
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
  | 'onNearVersion'
  | 'onDefect'
  | 'onAdvance'
  | 'onPhase'
>;

export interface ReplicaOptions extends Common {
  /** `postgres://user:password@host:port/database`. */
  readonly database: string;
  /** Where other replicas reach this one; its first address in the network unless given. */
  readonly advertise?: string;
  /** Where callers reach all of them: what links to pages begin with. The advertised address unless given. */
  readonly publicUrl?: string;
  /** What the first world begins with, and goes back to. */
  readonly seeds?: JsonObject;
  /** Most worlds of the database; as many as are made unless given. */
  readonly maxWorlds?: number;
  /** Most bytes of a world's history; as many as it takes unless given. */
  readonly maxWorldBytes?: number;
  /** What `GET /metrics` returns for the key of the first world, as Prometheus reads it; unless given, nothing does. */
  readonly metrics?: ReadMetrics;
}

/** One of several servers of the same worlds. */
export interface Replica {
  readonly url: string;
  /** The key of the first world, the host's; null: it was shown when that world was made, and only a hash is kept. */
  readonly key: string | null;
  readonly pack: Served['pack'];
  readonly worlds: Directory;
  /** How many worlds are in memory here. */
  readonly held: number;
  /** Releases all worlds to other replicas, then stops. */
  close(drainMs?: number): Promise<void>;
}

/**
 * Serves the worlds of a database together with any number of other replicas, behind one address: the key of a call selects the
 * world, and whichever replica gets the call, the one that has the world serves it.
 * @throws PackInvalid, StoreError, LedgerMismatch; the listening error (`code: EADDRINUSE`)
 */
export async function createReplica(options: ReplicaOptions): Promise<Replica> {
  const programs = new Programs(options);
  const front = new ReplicaRouter(programs.all, options.metrics);
  const { port = 0, host = '127.0.0.1', tls } = options;
  const server = createHttpServer(createApp([]), tls);
  server.removeAllListeners('request');
  server.on('request', (req, res) => void front.serve(req, res));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    // What another replica hands on is for the owner of its world.
    if (req.headers[forwardedHeader] === undefined) res.writeContinue();
    void front.serve(req, res);
  });
  const listening = await listenAt(server, port, host);
  try {
    const reached = options.advertise ?? advertised(listening, host);
    // The fingerprint shows others that it is this one that they reach.
    const url = tls ? `${reached}#${fingerprintOf(tls.cert)}` : reached;
    const me = { id: randomBytes(6).toString('hex'), url };
    const store = await PgStore.open(options.database, { me, onNotice: (notice) => front.changed(notice) });
    try {
      const peers = new Peers(store.secret, store);
      const forwarder = new Forwarder(peers);
      const { id: main, key } = await firstWorld(store, programs, options.key);
      const seeding: (() => Promise<void>)[] = [];
      const { worlds, directory } = worldsOf({ options, programs, store, url, main, key, forwarder, seeding });
      front.begin({ worlds, store, forwarder, peers, main, key, url });
      await worlds.where(main);
      for (const seedWorld of seeding) await seedWorld();
      worlds.watch();
      front.isReady = true;
      return {
        url: listening,
        key,
        pack: aboutOf(programs.first.program),
        worlds: directory,
        get held() {
          return worlds.held;
        },
        close: async (drainMs = 1000) => {
          front.isReady = false;
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

interface ReplicaParts {
  readonly options: ReplicaOptions;
  readonly programs: Programs;
  readonly store: PgStore;
  readonly url: string;
  readonly main: string;
  readonly key: string | null;
  readonly forwarder: Forwarder;
  /** What is to be done once calls are served. */
  readonly seeding: (() => Promise<void>)[];
}

function worldsOf({ options, programs, store, url, main, key, forwarder, seeding }: ReplicaParts): {
  readonly worlds: ReplicaWorlds;
  readonly directory: Directory;
} {
  const onDefect = options.onDefect ?? ((error: unknown, what: string) => console.error(`sandbox: ${what}:`, error));
  let app: SandboxServer['app'];
  const { seeds, key: _key, ...common } = options;
  const worlds: ReplicaWorlds = new ReplicaWorlds({
    store,
    url,
    publicUrl: options.publicUrl ?? url.replace(/#.*/, ''),
    main,
    packs: programs.names,
    idleMs: options.idleMs ?? defaultIdleMs,
    maxBytes: options.maxWorldBytes ?? Infinity,
    serve: async ({ opened, address, beginning }) => {
      const { record } = opened;
      const { program, folder } = programs.of(record.pack);
      const isMain = record.id === main;
      // What is no first world has no say over the others.
      const host: SandboxServer = {
        worlds: directory,
        packs: programs.all,
        app: isMain ? undefined : (app ??= createApp([])),
      };
      const seed = isMain ? options.seed : beginning.seed;
      const t0 = isMain || beginning.t0 === undefined ? options.t0 : new Date(beginning.t0).toISOString();
      const given = isMain && key !== null ? key : record.key;
      const world = await served(
        program,
        { changedPack: 'move', ...common, pack: folder, key: given, seed, t0, onDefect },
        { known: record, opened, fork: beginning.fork, host, address },
      );
      if (isMain && seeds) {
        // One that continues has its objects already.
        if (world.continued !== null) world.resetTo(seeds);
        else seeding.push(() => world.applySeedData(seeds));
      }
      return world;
    },
    askFor: (world, at) => forwarder.askFor(world, at),
    onDefect,
  });
  const seed = options.seed ?? 'sandbox';
  const directory = new Directory(worlds, { programs, seed, maxWorlds: options.maxWorlds ?? Infinity });
  return { worlds, directory };
}

/** Where others reach what listens on all addresses. */
function advertised(listening: string, host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return listening;
  const outward = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.internal === false && each.family === 'IPv4');
  const url = new URL(listening);
  url.hostname = outward?.address ?? hostname();
  return url.origin;
}
