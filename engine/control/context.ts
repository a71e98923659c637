import type { Deliveries } from './deliveries.js';
import type { JsonObject } from '../values/index.js';
import type { ClockControl, Engine } from '../runtime/index.js';
import type { Exchanges } from '../http/index.js';
import type { LiveStreams } from './live.js';
import type { LedgerHeader } from '../world/index.js';
import type { Teams } from './teams.js';
import type { WorldDirectory } from './worlds.js';

/** What a world begins with, and goes back to when it is reset: a body of `POST /seed`; null: nothing. */
export interface Beginning {
  seeds: JsonObject | null;
  /** Number of the ledger entry after which a company has begun; a reset goes back there. */
  entry?: number;
}

/** What the control API is about. */
export interface ControlContext {
  readonly engine: Engine;
  readonly outbox: Deliveries | null;
  readonly clock: ClockControl;
  readonly beginning?: Beginning;
  /** What the world's ledger belongs to. */
  readonly header: LedgerHeader;
  readonly pack: {
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly faithfulTo: string;
    readonly hosts?: readonly string[];
  };
  /** Compares the key of a call with the world's. */
  readonly guard: {
    check(authorization: string | undefined): { readonly ok: boolean; readonly given: string | null };
  };
  /** What secrets in exports are sealed with: as secret as the world's key. */
  readonly seals?: string;
  /** The streams that listen to the world. */
  readonly live: LiveStreams;
  /** What the newest calls of the vendor's API brought and got. */
  readonly exchanges: Exchanges;
  /** The worlds of the server; only its first world has them. */
  readonly worlds?: WorldDirectory;
  /** Who else makes worlds here; only the first world has them. */
  readonly teams?: Teams;
  /** Names of the packs of a company, by their engines: responses name the pack of each event. */
  readonly vendors?: ReadonlyMap<Engine, string>;
  /** All packs of a company, when a call is about all of them. */
  readonly members?: readonly {
    readonly name: string;
    readonly engine: Engine;
    readonly outbox: Deliveries | null;
  }[];
  /** Most bytes of a body; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
  /** Most bytes of a seed; 64 MiB unless given. */
  readonly maxSeedBytes?: number;
}
