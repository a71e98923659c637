import type { Json } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import type { RequestedMoment } from './ledger-position.js';
import type { Team } from './teams.js';

/** Options of a fork. */
export interface ForkOptions {
  /** Id or name of a world; the first one by default. */
  readonly world?: string;
  /** The moment of the original world; the present by default. */
  readonly at?: RequestedMoment;
  /** Whether the next calls of the fork draw the same ids as in the original world. */
  readonly same_ids?: boolean;
  /** Whether events of the fork are delivered, and deliveries that were pending are sent. */
  readonly send_webhooks?: boolean;
}

/** Options of a new world. */
export interface WorldOptions {
  /** The name of the world; by default `world-` and a number. */
  readonly name?: string;
  /** Name of a served pack; the first world's by default. */
  readonly pack?: string;
  /** Random seed; a new one by default. */
  readonly seed?: string;
  /** Simulated time at the start, in milliseconds; the first world's by default. */
  readonly t0?: number;
  /** Milliseconds of real time after which the world is deleted. */
  readonly expires?: number;
  /** Forks a world; excludes `pack`, `seed` and `t0`. */
  readonly from?: ForkOptions;
}

/** The origin of a fork. */
export interface ForkOrigin {
  readonly world: string;
  /** Number of the last common ledger entry. */
  readonly entry: number;
}

/** A world, as the server lists it. */
export interface WorldView {
  readonly id: string;
  readonly name: string;
  /** The address of the world; null if it is stored and not running: it then starts on first use. */
  readonly url: string | null;
  /** The key of the world; null if only its hash is stored. */
  readonly key: string | null;
  readonly pack: string;
  /** Simulated time; null while the world isn't running. */
  readonly now: Json;
  /** Number of the world's last ledger entry. */
  readonly head: number;
  /** When the world is deleted, in real time (ISO 8601). */
  readonly expires: string | null;
  /** The world and entry from which this world was forked; null: it isn't a fork. */
  readonly from: ForkOrigin | null;
  /** The address of each pack of a company, by name. */
  readonly vendors?: Readonly<Record<string, { readonly url: string; readonly key: string }>>;
}

/** A world that was just created, with its key. */
export interface MadeWorld extends WorldView {
  readonly key: string;
}

/** The worlds of a server. */
export interface WorldDirectory {
  /** Returns the directory of a team's worlds alone. */
  of?(team: Team): WorldDirectory;
  list(): Promise<readonly WorldView[]>;
  /** Creates a world. @throws ControlRejection for a taken name or an unknown pack */
  create(options?: WorldOptions): Promise<MadeWorld>;
  /**
   * Creates several worlds, all or none; forks start at the same moment.
   * @throws ControlRejection like `create`, and if a name is given
   */
  createMany(count: number, options?: WorldOptions): Promise<readonly MadeWorld[]>;
  /** Starts a stored world if needed. Undefined: no world has this id or name. */
  get(id: string): Promise<WorldView | undefined>;
  /** Ends a world and deletes its data. False if it doesn't exist. @throws ControlRejection for the first world */
  delete(id: string): Promise<boolean>;
  /** A running world, by id or name; a stored one is started. */
  find(id: string): Promise<FoundWorld | undefined>;
}

/** A running world, with the world and entry that it was forked from if it is a fork. */
export interface FoundWorld {
  readonly id: string;
  readonly engine: Engine;
  readonly from: ForkOrigin | null;
}
