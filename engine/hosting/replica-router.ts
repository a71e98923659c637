import { timingSafeEqual } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { ControlCode } from '../codes.js';
import { hashOfKey } from '../codecs/index.js';
import { ControlRejection, type Teams } from '../control/index.js';
import { givenKeys, isHealthPath, pathOf, sayHealth } from '../http/index.js';
import { LIMITS } from '../limits.js';
import type { Program } from '../program/index.js';
import { type Notice, type PgStore, StoreError } from '../store/index.js';
import { type Forwarder, wholeBody } from './forward.js';
import { matchWorld, type SharedPlaces, sharedPlaces, withoutWorld, type WorldAsked } from './match.js';
import { askedBeginning, beginHeader, forwardedHeader, notHereHeader, type Peers, releasePath } from './peers.js';
import type { ReplicaWorlds } from './replica-worlds.js';
import type { WorldLocation, WorldSlot } from './replica-slot.js';
import { LedgerMismatch } from './world.js';

/** Methods that don't add to a world, so that they are allowed above its size limit. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Number of keys and names whose worlds are cached. */
const maxRememberedKeys = 10_000;
/** Limit of attempts to forward one call. */
const TRIES = 20;

/** Returns a replica's metrics in the Prometheus format. */
export type ReadMetrics = () => Promise<{ readonly type: string; readonly text: string }>;

/** Message on the diagnostics channel `sandbox:call`, sent for each call whose world was found. */
export interface RoutedCallEvent {
  readonly response: ServerResponse;
  readonly world: string;
  /** Address of the replica to which the call is forwarded; null: it is served here. */
  readonly to: string | null;
  /** Headers to add to the forwarded call or to replace; subscribers may set them. */
  readonly headers: Record<string, string>;
}

const callChannel = channel('sandbox:call');

interface StartedReplica {
  readonly worlds: ReplicaWorlds;
  readonly store: PgStore;
  readonly forwarder: Forwarder;
  readonly peers: Peers;
  readonly main: string;
  /** Keys of the first world that were given to this process; if empty, the store has only a hash of its key. */
  readonly hostKeys: readonly string[];
  readonly teams: Teams;
  readonly url: string;
}

/** The world that a call selects, and where it runs. */
interface RoutedCall {
  readonly id: string;
  readonly where: WorldLocation;
}

/** Receives all calls: serves them here, or forwards them to the replica that has their world. */
export class ReplicaRouter {
  isReady = false;
  #begun: StartedReplica | null = null;
  /** Worlds by their selector: keys as sent, names and ids. */
  readonly #byKey = new Map<string, string>();
  readonly #byName = new Map<string, string>();
  readonly #places: SharedPlaces;

  constructor(
    packs: readonly Program[],
    /** Returns the world keys from which a sent key may be derived. */
    private readonly keysOf: (given: string) => readonly string[],
    private readonly metrics: ReadMetrics | undefined,
    private readonly metricsKey: string | undefined,
  ) {
    this.#places = sharedPlaces(packs);
  }

  begin(begun: StartedReplica): void {
    this.#begun = begun;
  }

  /** Handles a notification from another replica that a world changed its owner, has none, or was deleted. */
  changed({ kind, world }: Notice): void {
    const { worlds, forwarder, store } = this.#begun ?? {};
    worlds?.forget(world);
    if (kind === 'free') void worlds?.adopt(world);
    if (kind === 'gone') this.#forget(world);
    // Aborts calls in flight at a replica that lost the world, since it never responds to them.
    if (kind === 'owner')
      store?.ownerOf(world).then(
        ({ owner }) => forwarder?.breakOff(world, owner?.url ?? null),
        () => undefined,
      );
  }

  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = req.url ?? '/';
    if (isHealthPath(url))
      return sayHealth(
        res,
        url === '/healthz' || (this.isReady && this.#begun?.store.isFresh === true && this.#begun.worlds.servesFirst),
      );
    const begun = this.#begun;
    if (begun !== null && pathOf(url) === '/metrics' && this.metrics)
      return this.#measured(begun, this.metrics, req, res);
    if (begun === null) return sendRejection(res, 503, 'not_ready', 'this replica is starting');
    try {
      const beginning = askedBeginning(url);
      const world = begun.peers.worldOf(req, beginning && beginHeader);
      if (world === null) sendRejection(res, 403, 'not_a_replica', 'only replicas of this database hand calls on');
      else if (world === undefined) await this.#serve(begun, req, res);
      else if (url === releasePath) {
        await begun.worlds.release(world);
        res.writeHead(204).end();
      } else if (beginning) {
        const view = await begun.worlds.beginHere(world, beginning);
        res.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(view));
      } else await this.#handedOn(begun, world, req, res);
    } catch (error) {
      sendFailure(res, error);
    }
  }

  /** Sends the metrics to callers with the first world's key or the metrics key. */
  async #measured(
    { store, main, hostKeys }: StartedReplica,
    metrics: ReadMetrics,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    const given = givenKeys(req.headers).at(0);
    const kept = hostKeys.length > 0 ? undefined : (await store.find(main).catch(() => undefined))?.key;
    const own = this.metricsKey === undefined ? [] : [this.metricsKey];
    const hashes = [...[...hostKeys, ...own].map(hashOfKey), ...(kept === undefined ? [] : [kept])];
    if (given === undefined || !hashes.some((hash) => isSame(hashOfKey(given), hash)))
      return sendRejection(res, 401, 'api_key_invalid', 'metrics are for the key of the first world, or --metrics-key');
    const { type, text } = await metrics();
    res.writeHead(200, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
    });
    res.end(text);
  }

  async #serve(begun: StartedReplica, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { worlds, main } = begun;
    const matched = await matchWorld(req, this.#places, {
      known: (asked) => this.#remembered(asked).get(asked.text),
      find: (asked) => worlds.patiently(() => this.#find(begun, asked)),
    });
    const id = matched ?? main;
    const place = matched === undefined ? undefined : worlds.here(matched);
    if (place) return passToWorld(place, req, res);
    const found = await this.#where(begun, id);
    if (found.where.kind === 'here') return passToWorld(found.where.place, req, res);
    await this.#handOn(begun, found, req, res);
  }

  /** Finds where a call's world runs; if the world doesn't exist, where the first world does. */
  async #where({ worlds, main }: StartedReplica, id: string, elsewhere?: string): Promise<RoutedCall> {
    const where = await worlds.where(id, elsewhere).catch(undefinedIfMissing);
    if (where) return { id, where };
    this.#forget(id);
    return { id: main, where: await worlds.where(main) };
  }

  /** Serves a call that another replica forwarded; rejects it if the world isn't here. */
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
      // If the world has moved here, the call is sent to this server over HTTP, since its body has already been read.
      const to = where.kind === 'here' ? url : where.url;
      const headers: Record<string, string> = {};
      if (callChannel.hasSubscribers)
        callChannel.publish({ response: res, world: id, to, headers } satisfies RoutedCallEvent);
      if ((await forwarder.forward(id, to, { req, body, headers }, res)) === 'over') return;
      ({ id, where } = await this.#where(begun, id, to));
    }
    sendRejection(res, 503, 'world_moving', 'this world is changing hands: try again');
  }

  #remembered({ by }: WorldAsked): Map<string, string> {
    return by === 'name' ? this.#byName : this.#byKey;
  }

  async #find(begun: StartedReplica, asked: WorldAsked): Promise<string | undefined> {
    const { store } = begun;
    const id = asked.by === 'name' ? (await store.find(asked.text))?.id : await this.#opened(begun, asked.text);
    if (id !== undefined) remember(this.#remembered(asked), asked.text, id);
    return id;
  }

  /** The world that a key opens. */
  async #opened({ store, hostKeys, teams, main }: StartedReplica, given: string): Promise<string | undefined> {
    // Keys of teams select the first world, since it has the control API of all worlds.
    if (teams.ofKey(given)) return main;
    const forms = new Set(this.keysOf(given));
    if (hostKeys.some((key) => forms.has(key))) return main;
    return (await store.ofKeys([...forms])).at(0)?.id;
  }

  #forget(world: string): void {
    for (const map of [this.#byKey, this.#byName]) for (const [each, id] of map) if (id === world) map.delete(each);
  }
}

/** Requests the body of a forwarded call, of which only the head was sent so far. */
async function requestBodyOf(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { headers } = req;
  if (headers.expect === undefined) return;
  res.writeContinue();
  Reflect.deleteProperty(headers, 'expect');
  if (headers['transfer-encoding'] === undefined) return;
  // Replicas forward calls without a body as chunked, and all others with a length; the world gets them without this header.
  Reflect.deleteProperty(headers, 'transfer-encoding');
  await finished(req.resume());
}

/** Returns undefined for the error of a missing world; rethrows other errors. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof StoreError && error.code === 'missing')) throw error;
}

function passToWorld({ calls, app, id, isFull }: WorldSlot, req: IncomingMessage, res: ServerResponse): void {
  if (app === null) return sendRejection(res, 503, 'world_starting', `world ${id} is starting`);
  if (callChannel.hasSubscribers)
    callChannel.publish({ response: res, world: id, to: null, headers: {} } satisfies RoutedCallEvent);
  if (isFull() && !READING.has(req.method ?? ''))
    return sendRejection(res, 507, 'world_full', `world ${id} takes up all that a world may: delete it, or allow more`);
  withoutWorld(req);
  Reflect.deleteProperty(req.headers, forwardedHeader);
  calls.begin(res);
  app(req, res);
}

function isSame(hash: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hash), Buffer.from(other));
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

/** Responds to a call that couldn't be brought to the owner of its world, and so wasn't executed. */
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
