import type { ChangedPack } from '../../engine/index.js';
import type { SeedOptions } from '../command/seed-file.js';

/** The options of `sandbox serve`, read. */
export interface ServeOptions extends SeedOptions {
  readonly port: number;
  readonly host: string;
  /** The port for mail. */
  readonly smtp?: number;
  /** Further names of the server. */
  readonly allowHost?: readonly string[];
  readonly key?: string;
  readonly keyFile?: string;
  /** A file of teams, and how long a world lasts that is made without `expires`: a duration. */
  readonly teams?: string;
  readonly expires?: string;
  /** A file that gets a line for each call of the control API that is no GET. */
  readonly auditLog?: string;
  readonly metricsKey?: string;
  /** Milliseconds. */
  readonly leaveAfter?: number;
  readonly t0?: string;
  readonly clock: 'frozen' | 'realtime';
  readonly seed?: string;
  readonly store?: string;
  readonly worlds?: 'port' | 'key';
  /** Where other replicas reach this one, and where callers reach all of them. */
  readonly advertise?: string;
  readonly publicUrl?: string;
  readonly maxWorlds?: number;
  /** Bytes. */
  readonly maxWorldSize?: number;
  readonly tls?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly log?: 'text' | 'json' | 'none';
  /** A span for each call. */
  readonly spans?: boolean;
  /** A duration, or `never`. */
  readonly idle: string;
  readonly changedPack?: ChangedPack;
  readonly set?: Readonly<Record<string, string>>;
  readonly lenientVersions?: boolean;
  /** Calls that ask for what the pack does not emulate are rejected. */
  readonly strict?: boolean;
  readonly cors?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** All packs in one world. */
  readonly together?: boolean;
  /** The tasks as environments of OpenEnv. */
  readonly openenv?: boolean;
  readonly watch?: boolean;
  /** Ends with its standard input. */
  readonly withStdin?: boolean;
  readonly timings?: boolean;
  /** The port of the debugger; true: any usual one. */
  readonly inspect?: number | true;
}
