import { ControlClient } from '../control/client.cjs';
import type { Beginning, Teams, WorldDirectory } from '../control/index.js';
import { loadPack } from '../compile/index.js';
import { LIMITS } from '../limits.js';
import type { Program } from '../program/index.js';
import { migrate, reopen } from '../runtime/index.js';
import { type OpenWorld, temporaryBytes } from '../store/index.js';
import { type StoredWorld, parseInstant, recordsOfDeliveries } from '../world/index.js';
import { lazy } from '../values/index.js';
import { fetchWithin, hasBody, holdNoMore, hostCheck, passWithin, releaseApp, withoutBasePath } from '../http/index.js';
import { type Address, ownAddress, type IdleWorld } from './address.js';
import { CallCounter, type IdleClock } from './calls.js';
import type { LocalWorlds } from './local-worlds.js';
import { sharedPlaces } from './match.js';
import type { RestingWorld } from './ownership.js';
import { mintKey } from './programs.js';
import type { Reloaded, SandboxOptions, Served } from './served.js';
import { sendTo } from './secure.js';
import { SharedAddress } from './shared-address.js';
import { type ForkStart, type HostedWorld, hostWorld, isOfChangedPack } from './world.js';

/** Settings and services that the worlds of a server share. */
export interface SandboxServer {
  readonly worlds: WorldDirectory;
  /** The teams that share the server. */
  readonly teams?: Teams;
  /** Starts a world that isn't running. */
  readonly wake?: LocalWorlds['wake'];
  readonly packs: readonly Program[];
  /** The clock of idle checks; the process's by default. */
  readonly idleClock?: IdleClock;
  /** The app of the first world; undefined until that world is served. */
  app?: HostedWorld['app'];
  /** The common address, if keys distinguish the worlds. */
  address?: SharedAddress;
}

/** The identity of a world, and the state that it continues. */
interface WorldOrigin {
  readonly known: { readonly id: string; readonly name: string };
  readonly opened: OpenWorld | undefined;
  readonly fork?: ForkStart;
  readonly host: SandboxServer;
  /** The kept address and data of a world that left memory and starts again. */
  readonly rest?: IdleWorld;
  /** An address that another part of the process provides and serves. */
  readonly address?: Address;
}

/** Assembles a world, and serves it at its address. */
export async function served(
  pack: Program,
  options: SandboxOptions,
  { known, opened, fork, host, rest, address: given = rest?.address }: WorldOrigin,
): Promise<RestingWorld & Served> {
  const { vars, cache, onPhase } = options;
  const { auth } = pack.model.settings;
  const key = options.key ?? opened?.record.key ?? mintKey(auth.keyPrefix, auth.keyLength);
  const { kept: before, keeper = options.keeper, release } = opened ?? { kept: options.kept };
  const continued = opened?.kept ? opened.record.head : null;
  const branched = before?.header.fork ?? fork?.header;
  const from = branched ? { world: branched.world, entry: branched.entry } : null;
  const t0 = before?.header.t0 ?? startTimeMs(options.t0);
  const seed = before?.header.seed ?? options.seed ?? 'sandbox';
  const ledgerLimit = options.ledgerLimit ?? LIMITS.ledger.value;
  const onDefect = options.onDefect ?? ((error: unknown, what: string) => console.error(`sandbox: ${what}:`, error));
  const beginning: Beginning = { seeds: null };
  const isFirst = host.app === undefined;
  const temporary = temporaryBytes();
  const files = opened?.files ?? temporary;
  const located = {
    origin: '',
    // The vendor's own host names are admitted too, since pages open there by a redirect; no other site can make them resolve
    // to this server.
    admits: hostCheck([
      options.host ?? '',
      ...publicHost(options),
      ...(options.hostNames ?? []),
      ...pack.model.settings.hosts,
    ]),
  };
  // A function, so that nothing refers to the stored state after the start.
  const assemble = (program: Program, kept?: StoredWorld, after?: number): HostedWorld =>
    hostWorld(program, {
      ...options,
      key,
      address: located,
      t0,
      seed,
      worlds: isFirst ? host.worlds : undefined,
      teams: isFirst ? host.teams : undefined,
      alsoKeys: isFirst ? options.alsoKeys : undefined,
      like: host.app,
      messages: rest?.address.messages ?? undefined,
      coverage: rest?.coverage,
      ledgerLimit,
      traceLimit: options.traceLimit ?? LIMITS.traces.value,
      onDefect,
      name: isFirst ? undefined : known.name,
      keeper,
      beginning,
      kept,
      branched,
      fork: after === undefined ? fork?.fork : undefined,
      files,
      forkFiles: fork?.files,
      after,
    });
  const moved = (kept: StoredWorld): HostedWorld => {
    const former = reopen(pack, kept, { ledgerLimit, onDefect });
    const next = assemble(pack, undefined, former.engine.world.ledger.count);
    const { dropped, ...migrated } = migrate(former.engine, next.engine);
    // Continues pending deliveries of the previous run.
    const deliveries = recordsOfDeliveries(kept.journal);
    for (const record of deliveries) next.engine.world.record(record);
    next.outbox.restore(deliveries);
    const { id, name } = known;
    options.onMoved?.({ id, name, pack: next.about.name, ...migrated, dropped: [...former.dropped, ...dropped] });
    return next;
  };
  const isChanged = options.changedPack === 'move' && before !== undefined && isOfChangedPack(pack, before.header);
  let running = isChanged ? moved(before) : assemble(pack, before);
  onPhase?.('assemble');
  host.app ??= running.app;
  const address = given ?? (await addressOf(running, options, known, host, opened !== undefined && !isFirst));
  const { url } = address;
  given?.show(running);
  if (options.clock === 'realtime') running.clock.followWallTime();
  // The URL at which callers reach the first world. Without a port, it is the common address of all worlds.
  const called = options.publicUrl ?? (options.listen === false ? url : undefined);
  located.origin = called !== undefined && isFirst && options.worlds !== 'key' ? called : address.origin;
  onPhase?.('listen');

  const { server } = address;
  const basePath = options.publicUrl === undefined ? '' : new URL(options.publicUrl).pathname.replace(/\/$/, '');
  let closed = false;
  const fetchHere: Served['fetch'] = async (input, init) => {
    if (closed) throw new TypeError('this sandbox is closed');
    if (server === null) throw new TypeError('this world is served elsewhere: call its address');
    // A whole request is passed on unchanged, since a request that a framework has wrapped can't be copied.
    const isWhole = typeof input === 'object' && 'headers' in input && init === undefined;
    const request = isWhole ? input : new Request(typeof input === 'string' ? new URL(input, url) : input, init);
    return fetchWithin(server, request, basePath);
  };
  const send = options.listen === false ? fetchHere : options.tls && sendTo(options.tls.cert);
  const control = lazy(() => new ControlClient(url, key, send));

  async function reload(): Promise<Reloaded> {
    const loaded = loadPack(options.pack, { vars, cache });
    const { problems, source } = loaded;
    if (!loaded.pack) return { problems, source, migrated: null };
    const before = running;
    before.clock.close();
    await before.clock.advanceBy(0);
    const { count } = before.engine.world.ledger;
    const next = assemble(loaded.pack, undefined, count);
    const migrated = migrate(before.engine, next.engine);
    running = next;
    address.show(next);
    if (options.clock === 'realtime') next.clock.followWallTime();
    before.endStreams();
    await before.outbox.close();
    return { problems, source, migrated };
  }

  return {
    url,
    key,
    get pack() {
      return running.about;
    },
    get control() {
      return control();
    },
    fetch: fetchHere,
    handle: (req, res) => {
      req.url = withoutBasePath(req.url ?? '/', basePath);
      // A null server means that the world is served at another address.
      if (closed || server === null) res.writeHead(503, { Connection: 'close' }).end();
      else if (req.readableEnded && hasBody(req)) passWithin(server, req, res);
      else server.emit('request', req, res);
    },
    applySeedData: async (seeds) => {
      await control().call('POST', '/seed', seeds);
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
    get unusedMs() {
      return address.calls?.unusedMs ?? 0;
    },
    touch: () => address.calls?.touch(),
    rest: (wake) => {
      running.clock.close();
      running.endStreams();
      address.rest(wake);
      if (address.messages && host.app) {
        holdNoMore(address.messages);
        releaseApp(address.messages, host.app);
      }
      const ended = running.outbox.close().then(() => {
        running.engine.world.leave();
        return release?.();
      });
      return { address, coverage: running.engine.coverage, ended };
    },
    close: async (drainMs = 1000) => {
      running.clock.close();
      running.endStreams();
      running.outbox.hangUp();
      closed = true;
      await address.leave(drainMs);
      await running.outbox.close();
      running.engine.world.leave();
      temporary.remove();
      await release?.().catch(() => undefined);
    },
  };
}

function publicHost({ publicUrl }: SandboxOptions): string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
}

/** The address of a world: a port of its own, or the common one. */
async function addressOf(
  { app, upgrade, keys }: HostedWorld,
  { listen, worlds, port = 0, host: on = '127.0.0.1', publicUrl, tls, store }: SandboxOptions,
  known: WorldOrigin['known'],
  host: SandboxServer,
  mayRest: boolean,
): Promise<Address> {
  const calls = mayRest ? new CallCounter(host.idleClock) : null;
  if (listen !== false && worlds !== 'key') return ownAddress({ app, upgrade }, port, on, calls, tls);
  const wake = store && host.wake;
  host.address ??= await SharedAddress.open(
    app,
    { port: listen === false ? null : port, host: on, publicUrl, tls },
    sharedPlaces(host.packs),
    wake,
  );
  return host.address.enter({ app, upgrade }, { ...known, keys }, calls);
}

export function startTimeMs(given: string | number | undefined): number {
  if (given === undefined) return Math.floor(Date.now() / 1000) * 1000;
  const ms = parseInstant(given);
  if (ms === undefined)
    throw new RangeError(`'${given}' is not a time: write ISO 8601 (2025-01-01T00:00:00Z) or Unix seconds`);
  if (Math.abs(ms) > LIMITS.latest.value) throw new RangeError(`'${given}' is not before the year 9999`);
  return ms;
}
