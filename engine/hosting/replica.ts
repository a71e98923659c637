import type { ControlCode } from '../codes.js';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { hostname, networkInterfaces } from 'node:os';
import { finished } from 'node:stream/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ControlRejection } from '../control/index.js';
import { hashOfKey } from '../codecs/index.js';
import { type JsonObject } from '../values/index.js';
import { worldOfKey } from '../expression/index.js';
import { Forwarder, wholeBody } from './forward.js';
import { LedgerMismatch } from './world.js';
import { closed, listenAt } from './address.js';
import { createApp, createHttpServer, givenKeys, isHealthPath, ownKeysOf, pathOf, sayHealth } from '../http/index.js';
import { LIMITS } from '../limits.js';
import { forwardedHeader, releasePath, notHereHeader, Peers } from './peers.js';
import type { Program } from '../program/index.js';
import { firstWorld, Programs } from './programs.js';
import { fingerprintOf } from './secure.js';
import { type WorldSlot, ReplicaWorlds, type WorldLocation } from './replica-worlds.js';
import { type SandboxServer, defaultIdleMs, type SandboxOptions, type Served, served } from './sandbox.js';
import { type Notice, PgStore, StoreError } from '../store/index.js';
import { decoded, keysOfCall, type SharedPlaces, sharedPlaces, withoutWorld, worldNamed } from './world-of-call.js';
import type { ServedWorld } from './worlds.js';

type Common = Pick<
  SandboxOptions,
  | 'pack'
  | 'packs'
  | 'key'
  | 'port'
  | 'host'
  | 'tls'
  | 't0'
  | 'seed'
  | 'clock'
  | 'vars'
  | 'cache'
  | 'ledgerLimit'
  | 'traceLimit'
  | 'idle'
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
  /** What `GET /metrics` answers for the key of the first world, as Prometheus reads it; unless given, nothing does. */
  readonly metrics?: () => Promise<{ readonly type: string; readonly text: string }>;
}

/** What `sandbox:call` (diagnostics_channel) tells of a call whose world was found. */
export interface RoutedCallEvent {
  readonly response: ServerResponse;
  readonly world: string;
  /** The replica that it is handed on to; null: it is answered here. */
  readonly to: string | null;
}

const callChannel = channel('sandbox:call');

/** One of several servers of the same worlds. */
export interface Replica {
  readonly url: string;
  /** The key of the first world, the host's; null: it was told when that world was made, and only a hash is kept. */
  readonly key: string | null;
  readonly pack: Served['pack'];
  readonly worlds: ReplicaWorlds;
  /** Lets all worlds go to other replicas, then stops. */
  close(drainMs?: number): Promise<void>;
}

/** Methods that add nothing to a world. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** How many keys and names are remembered with their worlds. */
const maxRememberedKeys = 10_000;
/** How often a call is tried at another replica. */
const TRIES = 20;

/**
 * Serves the worlds of a database together with any number of other replicas, behind one address: the key of a call selects the
 * world, and whichever replica gets the call, the one that has the world answers it.
 * @throws PackInvalid, StoreError, LedgerMismatch; the listening error (`code: EADDRINUSE`)
 */
export async function createReplica(options: ReplicaOptions): Promise<Replica> {
  const programs = new Programs(options);
  const front = new ReplicaRouter(programs.all, options.metrics);
  const { port = 0, host = '127.0.0.1', tls } = options;
  const server = createHttpServer(createApp([]), tls);
  server.removeAllListeners('request');
  server.on('request', (req, res) => void front.answer(req, res));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    // What another replica hands on is asked for by whoever has its world.
    if (req.headers[forwardedHeader] === undefined) res.writeContinue();
    void front.answer(req, res);
  });
  const listening = await listenAt(server, port, host);
  try {
    const reached = options.advertise ?? advertised(listening, host);
    // Others know by the fingerprint that it is this one that they reach.
    const url = tls ? `${reached}#${fingerprintOf(tls.cert)}` : reached;
    const me = { id: randomBytes(6).toString('hex'), url };
    const store = await PgStore.open(options.database, { me, onNotice: (notice) => front.heard(notice) });
    try {
      const forwarder = new Forwarder(new Peers(store.secret));
      const { id: main, key } = await firstWorld(store, programs, options.key);
      const planting: (() => Promise<void>)[] = [];
      const worlds = worldsOf({ options, programs, store, url, main, key, forwarder, planting });
      front.begin({ worlds, store, forwarder, peers: new Peers(store.secret), main, key, url });
      await worlds.where(main);
      for (const plant of planting) await plant();
      worlds.begin();
      front.isReady = true;
      return {
        url: listening,
        key,
        pack: aboutOf(programs.first.program),
        worlds,
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
  /** What is to be done once calls are answered. */
  readonly planting: (() => Promise<void>)[];
}

function worldsOf({ options, programs, store, url, main, key, forwarder, planting }: ReplicaParts): ReplicaWorlds {
  const onDefect = options.onDefect ?? ((error: unknown, what: string) => console.error(`sandbox: ${what}:`, error));
  let app: SandboxServer['app'];
  const { seeds, key: _key, ...common } = options;
  const worlds: ReplicaWorlds = new ReplicaWorlds({
    store,
    url,
    publicUrl: options.publicUrl ?? url.replace(/#.*/, ''),
    main,
    packs: programs.names,
    seed: options.seed ?? 'sandbox',
    idle: options.idle ?? defaultIdleMs,
    maxWorlds: options.maxWorlds ?? Infinity,
    maxBytes: options.maxWorldBytes ?? Infinity,
    newKey: (name) => programs.newKey(name),
    serve: async ({ opened, address, own }) => {
      const { record } = opened;
      const { program, folder } = programs.of(record.pack);
      const isMain = record.id === main;
      // What is no first world has no say over the others.
      const host: SandboxServer = {
        worlds,
        packs: programs.all,
        app: isMain ? undefined : (app ??= createApp([])),
      };
      const seed = isMain ? options.seed : own.seed;
      const t0 = isMain || own.t0 === undefined ? options.t0 : new Date(own.t0).toISOString();
      const given = isMain && key !== null ? key : record.key;
      const world: ServedWorld & Served = await served(
        program,
        { ...common, pack: folder, key: given, seed, t0, onDefect },
        { known: record, opened, fork: own.fork, host, address },
      );
      if (isMain && seeds) {
        // One that goes on has its objects already.
        if (world.continued !== null) world.resetTo(seeds);
        else planting.push(() => world.plant(seeds));
      }
      return world;
    },
    askFor: (world, at) => forwarder.askFor(world, at),
    onDefect,
  });
  return worlds;
}

interface StartedReplica {
  readonly worlds: ReplicaWorlds;
  readonly store: PgStore;
  readonly forwarder: Forwarder;
  readonly peers: Peers;
  readonly main: string;
  readonly key: string | null;
  readonly url: string;
}

/** The world of a call, and where it is. */
interface RoutedCall {
  readonly id: string;
  readonly where: WorldLocation;
}

/** Where all calls arrive: it answers them here, or hands them on to the replica that has their world. */
class ReplicaRouter {
  isReady = false;
  #begun: StartedReplica | null = null;
  /** Worlds by what selected them: keys as they were given, names and ids. */
  readonly #byKey = new Map<string, string>();
  readonly #byName = new Map<string, string>();
  readonly #places: SharedPlaces;

  constructor(
    private readonly packs: readonly Program[],
    private readonly metrics: ReplicaOptions['metrics'],
  ) {
    this.#places = sharedPlaces(packs);
  }

  begin(begun: StartedReplica): void {
    this.#begun = begun;
  }

  /** Another replica did something with a world. */
  heard({ kind, world }: Notice): void {
    const { worlds, forwarder, store } = this.#begun ?? {};
    worlds?.forget(world);
    if (kind === 'free') void worlds?.adopt(world);
    if (kind === 'gone') this.#forget(world);
    // What is under way at one that lost the world is never answered.
    if (kind === 'owner')
      store?.ownerOf(world).then(
        ({ owner }) => forwarder?.breakOff(world, owner?.url ?? null),
        () => undefined,
      );
  }

  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = req.url ?? '/';
    if (isHealthPath(url))
      return sayHealth(res, url === '/healthz' || (this.isReady && this.#begun?.store.isFresh === true));
    const begun = this.#begun;
    if (begun !== null && pathOf(url) === '/metrics' && this.metrics)
      return this.#measured(begun, this.metrics, req, res);
    if (begun === null) return sendRejection(res, 503, 'not_ready', 'this replica is starting');
    try {
      const world = begun.peers.worldOf(req);
      if (world === null) sendRejection(res, 403, 'not_a_replica', 'only replicas of this database hand calls on');
      else if (world === undefined) await this.#answer(begun, req, res);
      else if (url === releasePath) {
        await begun.worlds.release(world);
        res.writeHead(204).end();
      } else await this.#handedOn(begun, world, req, res);
    } catch (error) {
      sendFailure(res, error);
    }
  }

  /** The host's numbers are for the host's key. */
  async #measured(
    { store, main, key }: StartedReplica,
    metrics: NonNullable<ReplicaOptions['metrics']>,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    const given = givenKeys(req.headers).at(0);
    const hash = key === null ? (await store.find(main).catch(() => undefined))?.key : hashOfKey(key);
    if (given === undefined || hash === undefined || !timingSafeEqual(Buffer.from(hashOfKey(given)), Buffer.from(hash)))
      return sendRejection(res, 401, 'api_key_invalid', 'metrics are for the key of the first world');
    const { type, text } = await metrics();
    res.writeHead(200, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
    });
    res.end(text);
  }

  async #answer(begun: StartedReplica, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { worlds, main } = begun;
    const named = worldNamed(req.url ?? '/');
    const keys = named === undefined ? keysOfCall(req, this.#places) : [];
    const known = named === undefined ? this.#remembered(keys) : this.#byName.get(named);
    const place = known === undefined ? undefined : worlds.here(known);
    if (place) return passToWorld(place, req, res);
    const id =
      known ?? (named === undefined ? await this.#keyed(begun, keys) : await this.#named(begun, named)) ?? main;
    const found = await this.#where(begun, id);
    if (found.where.kind === 'here') return passToWorld(found.where.place, req, res);
    await this.#handOn(begun, found, req, res);
  }

  /** Where the world of a call is; the first one's, when it is gone. */
  async #where({ worlds, main }: StartedReplica, id: string, elsewhere?: string): Promise<RoutedCall> {
    const where = await worlds.where(id, elsewhere).catch(undefinedIfMissing);
    if (where) return { id, where };
    this.#forget(id);
    return { id: main, where: await worlds.where(main) };
  }

  /** A call that another replica hands on is answered here or not at all. */
  async #handedOn({ worlds }: StartedReplica, world: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const where = await worlds.where(world).catch(undefinedIfMissing);
    if (where?.kind === 'here') {
      await requestBodyOf(req, res);
      if (worlds.here(world) === where.place) return passToWorld(where.place, req, res);
    }
    res.setHeader(notHereHeader, where?.kind === 'at' ? where.url : 'gone');
    sendRejection(res, 421, 'not_here', `world ${world} is not here`);
  }

  async #handOn(begun: StartedReplica, first: RoutedCall, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { forwarder, url } = begun;
    const body = await wholeBody(req, LIMITS.seedBody.value);
    if (body === undefined) return sendRejection(res, 413, 'body_too_large', 'the body is larger than any call takes');
    let { id, where } = first;
    for (let tries = 1; tries <= TRIES; tries++) {
      // Its body was read: what is here by now is called as if it were elsewhere.
      const to = where.kind === 'here' ? url : where.url;
      if (callChannel.hasSubscribers) callChannel.publish({ response: res, world: id, to } satisfies RoutedCallEvent);
      if ((await forwarder.forward(id, to, req, body, res)) === 'over') return;
      ({ id, where } = await this.#where(begun, id, to));
    }
    sendRejection(res, 503, 'world_moving', 'this world is changing hands: try again');
  }

  async #named({ store }: StartedReplica, text: string): Promise<string | undefined> {
    const id = (await store.find(decoded(text)))?.id;
    if (id !== undefined) remember(this.#byName, text, id);
    return id;
  }

  #remembered(keys: readonly string[]): string | undefined {
    for (const key of keys) {
      const id = this.#byKey.get(key);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /** The world that the first of these texts opens that opens any. */
  async #keyed(begun: StartedReplica, keys: readonly string[]): Promise<string | undefined> {
    for (const key of keys) {
      const id = await this.#opened(begun, key);
      if (id === undefined) continue;
      remember(this.#byKey, key, id);
      return id;
    }
    return undefined;
  }

  async #opened({ store, key: mainKey, main }: StartedReplica, given: string): Promise<string | undefined> {
    const forms = new Set(
      this.packs.flatMap(({ model }) => ownKeysOf(given, model.settings.auth)).map(({ own }) => own),
    );
    const own = mainKey !== null && forms.has(mainKey) ? main : (await store.ofKeys([...forms])).at(0)?.id;
    // What a world has made says which one it was.
    const maker = own === undefined ? worldOfKey(given) : undefined;
    return maker === undefined ? own : (await store.find(decoded(maker)))?.id;
  }

  #forget(world: string): void {
    for (const map of [this.#byKey, this.#byName]) for (const [each, id] of map) if (id === world) map.delete(each);
  }
}

/** Asks for the rest of a call of which only the head was sent; what has a body is read by whoever answers it. */
async function requestBodyOf(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { headers } = req;
  if (headers.expect === undefined) return;
  res.writeContinue();
  Reflect.deleteProperty(headers, 'expect');
  if (headers['transfer-encoding'] === undefined) return;
  // It stands for the end of a call that had no body.
  Reflect.deleteProperty(headers, 'transfer-encoding');
  await finished(req.resume());
}

/** A world that does not exist any more is nowhere; whatever else keeps it from being found is thrown on. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof StoreError && error.code === 'missing')) throw error;
}

function passToWorld({ calls, app, id, isFull }: WorldSlot, req: IncomingMessage, res: ServerResponse): void {
  if (app === null) return sendRejection(res, 503, 'world_starting', `world ${id} is starting`);
  if (callChannel.hasSubscribers) callChannel.publish({ response: res, world: id, to: null } satisfies RoutedCallEvent);
  if (isFull() && !READING.has(req.method ?? ''))
    return sendRejection(res, 507, 'world_full', `world ${id} takes up all that a world may: delete it, or allow more`);
  withoutWorld(req);
  Reflect.deleteProperty(req.headers, forwardedHeader);
  calls.begin(res);
  app(req, res);
}

function remember(map: Map<string, string>, key: string, id: string): void {
  if (map.size >= maxRememberedKeys) map.clear();
  map.set(key, id);
}

function sendRejection(res: ServerResponse, status: number, code: ControlCode, message: string): void {
  const body = JSON.stringify({ error: { code, message } });
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(status === 503 ? { 'Retry-After': '1' } : {}),
  });
  res.end(body);
}

/** A call that could not be taken to its world was not done. */
function sendFailure(res: ServerResponse, error: unknown): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreError) sendRejection(res, 503, 'store_failed', `the call was not done: ${message}`);
  else if (error instanceof ControlRejection || error instanceof LedgerMismatch)
    sendRejection(res, 503, 'world_not_started', `the world does not start: ${message}`);
  else res.destroy();
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
