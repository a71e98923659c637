import type { ControlClient } from '../control/client.cjs';
import type { Words } from '../control/words.cjs';
import type { ForkOrigin, Team } from '../control/index.js';
import type { Outbox, Transport } from '../delivery/index.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tls } from '../http/index.js';
import { PackCache, type PackSource, type Problem } from '../pack/index.js';
import type { ClockControl, Engine, MigrationResult } from '../runtime/index.js';
import type { Store } from '../store/index.js';
import type { JsonObject } from '../values/index.js';
import type { StoredWorld, LedgerHeader, UnsupportedUse, WorldKeeper } from '../world/index.js';
import type { AdvanceProgress, CallReport, PackAbout } from './world.js';

export interface SandboxOptions<Pack extends string = string> {
  /** The pack's folder, or the name of a pack that comes with the sandbox: then the types of the control client have its names. */
  readonly pack: Pack;
  /** Further packs: worlds of theirs can be made (`worlds`). */
  readonly packs?: readonly string[];
  /** The key of the world; random unless given. */
  readonly key?: string;
  /** Further keys that open what it opens: the former one, while callers change to a new one. */
  readonly alsoKeys?: readonly string[];
  /** Who makes worlds with keys of their own, and how many. */
  readonly teams?: readonly Team[];
  /** Milliseconds of real time after which a further world is deleted that was made without `expires`. */
  readonly expiresMs?: number;
  /**
   * How worlds are distinguished: by a port each (the default), or by their keys at one address. Then links to pages of a world
   * lead below `/w/<world>`.
   */
  readonly worlds?: 'port' | 'key';
  /**
   * False: it does not listen. Calls come from within the process, by `fetch` or `handle`, and worlds are distinguished by their keys.
   * `publicUrl` is where the application passes such calls on.
   */
  readonly listen?: boolean;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback unless given. */
  readonly host?: string;
  /** Further names under which browsers may open its pages and the control API. */
  readonly hostNames?: readonly string[];
  /** Where callers reach it, if that is not where it listens: what `base_url` says and links begin with. Of the first world, or of all at one address. */
  readonly publicUrl?: string;
  /** Serves over TLS. */
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
   * Where the world is kept: responses wait until it is safe there, and continues from there at the next start, with its own key,
   * `seed` and `t0`. It stays open when the sandbox is closed. Replaces `keeper` and `kept`.
   */
  readonly store?: Store;
  /**
   * What becomes of worlds in the store that were made with other files of their pack: `reject` (the default) starts none of
   * them, `move` takes over what still fits, as `reload` does.
   */
  readonly changedPack?: ChangedPack;
  /** Reports each world that was moved to the files of its pack as they are now. */
  readonly onMoved?: (moved: MovedWorld) => void;
  /**
   * Milliseconds after which a world of the store without calls leaves memory, unless something happens in it; the next call
   * brings it back. 10 minutes unless given; Infinity: never. The first world stays, and so does one that follows real time.
   */
  readonly idleMs?: number;
  /** Called with every ledger entry, and with what the outside did. */
  readonly keeper?: WorldKeeper;
  /** What a keeper recorded: the world continues from there, with its own `seed` and `t0`. */
  readonly kept?: StoredWorld;
  /** Ways of delivery by name that replace the pack's: a real publisher for a message bus. */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Streams pause between two events as the pack says (default); else all go out at once. */
  readonly pacedStreams?: boolean;
  /** Versions of the API that the pack does not have are served as the nearest one; else they are rejected. */
  readonly lenientVersions?: boolean;
  /** Pages of all origins may call the vendor's API, whatever the pack says about them. */
  readonly cors?: boolean;
  /** Called with each version that is served as another one, once in each world. */
  readonly onNearVersion?: (asked: string, served: string) => void;
  /** Calls that ask for what the vendor documents and the pack does not emulate are rejected; else that is only reported. */
  readonly strict?: boolean;
  /** Called with the first call of each operation that asks for such a thing. */
  readonly onUnsupported?: (use: UnsupportedUse, what: string) => void;
  /** Called with defects of the pack or the engine (a call with status 500, a timer that failed). Printed unless given. */
  readonly onDefect?: (error: unknown, what: string) => void;
  /** Called once a second with how far a long advance of the clock has got. */
  readonly onAdvance?: (progress: AdvanceProgress) => void;
  /** Called with each call of the vendor's API once it was resolved, in every world. Without it nothing is done for it. */
  readonly onCall?: (call: CallReport) => void;
  /** Called when a phase of the start is over: `read`, `link`, `compile`, `check` (unless it passed before), `assemble`, `listen`. */
  readonly onPhase?: (phase: string) => void;
}

/** A world that is served: both planes. */
export interface Served<W extends Words = Words> {
  readonly url: string;
  readonly key: string;
  readonly pack: PackAbout;
  readonly control: ControlClient<W>;
  /**
   * Calls it within the process, as `fetch` would over the network but without following redirects. A path alone is one of this
   * address; the path of `publicUrl` is taken off.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Serves a call that another server of this process received (a middleware of Express or Connect). */
  handle(req: IncomingMessage, res: ServerResponse): void;
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
   * Reads the pack again and continues with what it says now, in a world that keeps what still fits. A pack with errors changes
   * nothing. Deliveries that wait for their next attempt are given up.
   */
  reload(): Promise<Reloaded>;
  /**
   * Seeds the world, which a reset goes back to from now on.
   * @param seeds as the body of `POST /seed`
   * @throws ControlError when the control API rejects them
   */
  applySeedData(seeds: JsonObject): Promise<void>;
  /** Lets a reset go back to these seeds from now on, in a world that has its objects already. */
  resetTo(seeds: JsonObject): void;
  /**
   * Stops listening, and ends open connections and timers.
   * @param drainMs longest wait for calls that are in flight, in milliseconds; a second unless given
   */
  close(drainMs?: number): Promise<void>;
}

/** What reading a pack again came to. */
export interface Reloaded {
  readonly problems: readonly Problem[];
  readonly source: PackSource;
  /** What was kept; null: the pack has errors, so that everything continues as before. */
  readonly migrated: MigrationResult | null;
}

export type ChangedPack = 'move' | 'reject';

/** A world that was taken over from an earlier state of its pack. */
export interface MovedWorld extends MigrationResult {
  readonly id: string;
  readonly name: string;
  readonly pack: string;
}
