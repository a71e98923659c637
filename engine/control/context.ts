import type { Deliveries } from './deliveries.js';
import type { JsonObject } from '../values/index.js';
import type { ClockControl, Engine } from '../runtime/index.js';
import type { Exchanges } from '../http/index.js';
import type { LiveStreams } from './live.js';
import type { LedgerHeader } from '../world/index.js';
import type { Teams } from './teams.js';
import type { WorldDirectory } from './worlds.js';

/** The state that a reset restores: `seeds` is a body of `POST /seed`; null: an empty world. */
export interface Beginning {
  seeds: JsonObject | null;
  /** Number of the ledger entry that ends a company's set-up; a reset returns to it. */
  entry?: number;
}

/** The pack of a world, for people and clients. */
export interface PackAbout {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly faithfulTo: string;
  /** Host names of the vendor API. */
  readonly hosts?: readonly string[];
}

/** The data and services that control API routes use. */
export interface ControlContext {
  readonly engine: Engine;
  readonly outbox: Deliveries | null;
  readonly clock: ClockControl;
  readonly beginning?: Beginning;
  /** The header of the world's ledger, which identifies it. */
  readonly header: LedgerHeader;
  readonly pack: PackAbout;
  /** Compares the key of a call with the world's. */
  readonly guard: {
    check(authorization: string | undefined): { readonly ok: boolean; readonly given: string | null };
  };
  /** Key that encrypts secrets in exports; it must be as secret as the world's key. */
  readonly seals?: string;
  /** The open event streams of the control API. */
  readonly live: LiveStreams;
  /** Requests and responses of the newest vendor API calls. */
  readonly exchanges: Exchanges;
  /** The worlds of the server; only for its first world. */
  readonly worlds?: WorldDirectory;
  /** The teams that share the server; only for its first world. */
  readonly teams?: Teams;
  /** Names of a company's packs, by engine. Responses that list events include them. */
  readonly vendors?: ReadonlyMap<Engine, string>;
  /** All packs of a company, for calls that concern several. */
  readonly members?: readonly {
    readonly name: string;
    readonly engine: Engine;
    readonly outbox: Deliveries | null;
  }[];
  /** Size limit of a body; 1 MiB by default. */
  readonly maxBodyBytes?: number;
  /** Size limit of a seed; 64 MiB by default. */
  readonly maxSeedBytes?: number;
}
