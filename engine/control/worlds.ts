import type { Json } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import type { RequestedMoment } from './ledger-position.js';
import type { Team } from './teams.js';

/** What a fork is made of. */
export interface ForkOptions {
  /** Id or name of a world; the first one unless given. */
  readonly world?: string;
  /** A moment of it; the present unless given. */
  readonly at?: RequestedMoment;
  /** The next calls get the ids that they would get there. */
  readonly same_ids?: boolean;
  /** Its events are delivered, and what was pending then goes out again. */
  readonly send_webhooks?: boolean;
}

/** What a further world is made with. */
export interface WorldOptions {
  /** Its id unless given. */
  readonly name?: string;
  /** Name of one of the packs that are served; the first world's unless given. */
  readonly pack?: string;
  /** One of its own unless given. */
  readonly seed?: string;
  /** Simulated time at the start, in milliseconds; the first world's unless given. */
  readonly t0?: number;
  /** Milliseconds of real time after which it is deleted. */
  readonly expires?: number;
  /** Branches off from a world, instead of `pack`, `seed` and `t0`. */
  readonly from?: ForkOptions;
}

/** Where a fork came from. */
export interface ForkOrigin {
  readonly world: string;
  /** Number of the last ledger entry that both have. */
  readonly entry: number;
}

/** A world as the host describes it. */
export interface WorldView {
  readonly id: string;
  readonly name: string;
  /** Null: it is kept in the store and starts when someone asks for it. */
  readonly url: string | null;
  /** Null: only a hash of it is kept. */
  readonly key: string | null;
  readonly pack: string;
  /** Simulated time; null while it has no address. */
  readonly now: Json;
  /** Number of its last ledger entry. */
  readonly head: number;
  /** Real time, ISO 8601. */
  readonly expires: string | null;
  /** Null: it is no fork. */
  readonly from: ForkOrigin | null;
  /** The address of each pack of a company, by name. */
  readonly vendors?: Readonly<Record<string, { readonly url: string; readonly key: string }>>;
}

/** A world that was made just now. */
export interface MadeWorld extends WorldView {
  readonly key: string;
}

/** The worlds of a server. */
export interface WorldDirectory {
  /** Those of a team, as if there were no others. */
  of?(team: Team): WorldDirectory;
  list(): Promise<readonly WorldView[]>;
  /** @throws ControlRejection for a name that is taken, a pack that is not served */
  create(options?: WorldOptions): Promise<MadeWorld>;
  /**
   * As many worlds at once; forks are all of the same moment. When one cannot be made, none is.
   * @throws ControlRejection as `create`, and for a name
   */
  createMany(count: number, options?: WorldOptions): Promise<readonly MadeWorld[]>;
  /** Starts a world that is kept. Undefined: there is none of this id or name. */
  get(id: string): Promise<WorldView | undefined>;
  /**
   * Ends a world and forgets what it was. False: there is none.
   * @throws ControlRejection for the first world
   */
  delete(id: string): Promise<boolean>;
  /** A world at work, by id or name; one that is kept is started. */
  find(id: string): Promise<FoundWorld | undefined>;
}

/** A world at work, and what it branched off from. */
export interface FoundWorld {
  readonly id: string;
  readonly engine: Engine;
  readonly from: ForkOrigin | null;
}
