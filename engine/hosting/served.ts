import type { ControlClient } from '../control/client.cjs';
import type { Words } from '../control/words.cjs';
import type { ForkOrigin, PackAbout, Team } from '../control/index.js';
import type { Outbox } from '../delivery/index.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tls } from '../http/index.js';
import { PackCache, type PackSource, type Problem } from '../pack/index.js';
import type { ClockControl, Engine, MigrationResult } from '../runtime/index.js';
import type { Store } from '../store/index.js';
import type { JsonObject } from '../values/index.js';
import type { StoredWorld, LedgerHeader } from '../world/index.js';
import type { HostedWorldOptions } from './world.js';

/** Options of a sandbox that apply to each of its worlds. */
type OfEveryWorld = Pick<
  HostedWorldOptions,
  | 'alsoKeys'
  | 'keeper'
  | 'transports'
  | 'pacedStreams'
  | 'lenientVersions'
  | 'cors'
  | 'onNearVersion'
  | 'strict'
  | 'onUnsupported'
  | 'onAdvance'
  | 'onCall'
>;

export interface SandboxOptions<Pack extends string = string> extends OfEveryWorld {
  /** The pack's folder, or the name of a bundled pack, for which the control client has types. */
  readonly pack: Pack;
  /** Further packs whose worlds can be created (`worlds`). */
  readonly packs?: readonly string[];
  /** The key of the world; random by default. */
  readonly key?: string;
  /** Teams that create worlds with keys of their own, and their limits. */
  readonly teams?: readonly Team[];
  /** Milliseconds of real time after which further worlds created without `expires` are deleted. */
  readonly expiresMs?: number;
  /**
   * How calls select a world: by a port for each (the default), or by their key at one address. With keys, links to a world's
   * pages are below `/w/<world>`.
   */
  readonly worlds?: 'port' | 'key';
  /**
   * If false, the sandbox doesn't listen: calls come from within the process, by `fetch` or `handle`, and keys select the
   * world. `publicUrl` is the URL whose calls the application passes on.
   */
  readonly listen?: boolean;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback by default. */
  readonly host?: string;
  /** Further host names at which browsers open the sandbox's pages and the control API. */
  readonly hostNames?: readonly string[];
  /**
   * The base URL for callers, if it isn't the listening address; used in `base_url` and links. Applies to the first world, or
   * to all worlds at one address.
   */
  readonly publicUrl?: string;
  /** Certificate and key of a sandbox that serves over TLS. */
  readonly tls?: Tls;
  /** Simulated time at the start: ISO 8601 or Unix seconds. The process's start (whole seconds) by default. */
  readonly t0?: string | number;
  /** Random seed of ids and other random values. */
  readonly seed?: string;
  readonly clock?: 'frozen' | 'realtime';
  /** Values of pack.yaml's variables. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Caches parsed packs; by default bundled packs are loaded as they were built. */
  readonly cache?: PackCache;
  /** Ledger entries and traces that are kept in memory at least; Infinity keeps all entries. */
  readonly ledgerLimit?: number;
  readonly traceLimit?: number;
  /**
   * Stores the world: responses wait until it is safe, and the next start continues it, with its own key, `seed` and `t0`. The
   * store stays open when the sandbox is closed. If set, `keeper` and `kept` are ignored.
   */
  readonly store?: Store;
  /**
   * Stored worlds of other versions of the pack's files: `reject` (the default) doesn't start them, `move` keeps what still
   * fits, as `reload` does.
   */
  readonly changedPack?: ChangedPack;
  /** Called with each world that was moved to the pack's present files. */
  readonly onMoved?: (moved: MovedWorld) => void;
  /**
   * Milliseconds after which an idle stored world leaves memory; the next call restarts it. 10 minutes by default; Infinity:
   * never. The first world stays, as do those that follow real time.
   */
  readonly idleMs?: number;
  /** A stored world, read by the caller, that the sandbox continues with the world's own `seed` and `t0`. */
  readonly kept?: StoredWorld;
  /** Called with defects of the pack or the engine (a call with status 500, a failed timer). Prints them by default. */
  readonly onDefect?: (error: unknown, what: string) => void;
  /** Called when a phase of the start is over: `read`, `link`, `compile`, `check` (unless it passed before), `assemble`, `listen`. */
  readonly onPhase?: (phase: string) => void;
}

/** A served world with both APIs. */
export interface Served<W extends Words = Words> {
  readonly url: string;
  readonly key: string;
  readonly pack: PackAbout;
  readonly control: ControlClient<W>;
  /**
   * Calls the sandbox within the process, as `fetch` would over the network but without following redirects. A path is relative
   * to this address; the path of `publicUrl` is removed.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Serves a call that another server of this process received (middleware of Express or Connect). */
  handle(req: IncomingMessage, res: ServerResponse): void;
  readonly engine: Engine;
  readonly outbox: Outbox;
  readonly clock: ClockControl;
  /** The header of the world's ledger: its format, its pack, the random seed and the start of the clock. */
  readonly header: LedgerHeader;
  /** Number of the last stored ledger entry at the start; null: the world is new. */
  readonly continued: number | null;
  /** The world and entry that a fork began with; null: the world is no fork. */
  readonly from: ForkOrigin | null;
  /**
   * Reloads the pack and migrates the world to it; objects that no longer fit are dropped. A pack with errors changes nothing.
   * Deliveries that wait for another attempt are dropped.
   */
  reload(): Promise<Reloaded>;
  /**
   * Seeds the world; later resets return to this state.
   * @param seeds body of `POST /seed`
   * @throws ControlError if the control API rejects them
   */
  applySeedData(seeds: JsonObject): Promise<void>;
  /** Makes later resets return to these seeds, in a world that has their objects already. */
  resetTo(seeds: JsonObject): void;
  /**
   * Stops listening, and ends open connections and timers.
   * @param drainMs longest wait for calls in flight, in milliseconds; a second by default
   */
  close(drainMs?: number): Promise<void>;
}

/** The result of reading a pack again. */
export interface Reloaded {
  readonly problems: readonly Problem[];
  readonly source: PackSource;
  /** The migrated and dropped parts; null if the pack has errors, and everything continues as before. */
  readonly migrated: MigrationResult | null;
}

export type ChangedPack = 'move' | 'reject';

/** A world that was moved from an earlier state of its pack. */
export interface MovedWorld extends MigrationResult {
  readonly id: string;
  readonly name: string;
  readonly pack: string;
}
