import type { ChangedPack } from '../../engine/index.js';
import type { SeedOptions } from '../command/seed-file.js';

/** The parsed options of `sandbox serve`. */
export interface ServeOptions extends SeedOptions {
  readonly port: number;
  readonly host: string;
  /** Port of the SMTP server that receives mail. */
  readonly smtp?: number;
  /** Further host names under which the server accepts calls. */
  readonly allowHost?: readonly string[];
  readonly key?: string;
  readonly keyFile?: string;
  /** A file of teams, and the default lifetime of worlds: a duration. */
  readonly teams?: string;
  readonly expires?: string;
  /** A file that gets a line for each control API call that may change something. */
  readonly auditLog?: string;
  readonly metricsKey?: string;
  /** How long a closing server serves calls while it reports that it isn't ready, in milliseconds. */
  readonly leaveAfter?: number;
  readonly t0?: string;
  readonly clock: 'frozen' | 'realtime';
  readonly seed?: string;
  readonly store?: string;
  readonly worlds?: 'port' | 'key';
  /** The address for other replicas, and the one for callers of all replicas. */
  readonly advertise?: string;
  readonly publicUrl?: string;
  readonly maxWorlds?: number;
  /** Size limit of a world's history, in bytes. */
  readonly maxWorldSize?: number;
  readonly tls?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly log?: 'text' | 'json' | 'none';
  /** Whether each call is traced as an OpenTelemetry span. */
  readonly spans?: boolean;
  /** Real time without calls after which a world leaves memory: a duration, or `never`. */
  readonly idle: string;
  readonly changedPack?: ChangedPack;
  readonly set?: Readonly<Record<string, string>>;
  readonly lenientVersions?: boolean;
  /** Whether to reject calls that request features that the pack doesn't emulate. */
  readonly strict?: boolean;
  readonly cors?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** Whether all packs share one world. */
  readonly together?: boolean;
  /** Whether to serve tasks as OpenEnv environments. */
  readonly openenv?: boolean;
  readonly watch?: boolean;
  /** Whether the server stops when its standard input ends. */
  readonly withStdin?: boolean;
  readonly timings?: boolean;
  /** Port of the debugger; true means Node's default port. */
  readonly inspect?: number | true;
}
