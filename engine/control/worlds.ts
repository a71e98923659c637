import type { Json } from '../expression/index.js';

/** What a further world is made with. */
export interface WorldWish {
  /** Its id unless given. */
  readonly name?: string;
  /** Name of one of the packs that are served; the first world's unless given. */
  readonly pack?: string;
  /** One of its own unless given. */
  readonly seed?: string;
  /** World time at the start, in milliseconds; the first world's unless given. */
  readonly t0?: number;
  /** Milliseconds of wall time after which it is deleted. */
  readonly expires?: number;
}

/** A world as the host tells of it. */
export interface WorldView {
  readonly id: string;
  readonly name: string;
  /** Null: it is kept in the store and starts when someone asks for it. */
  readonly url: string | null;
  readonly key: string;
  readonly pack: string;
  /** World time; null while it has no address. */
  readonly now: Json;
  /** Number of its last ledger entry. */
  readonly head: number;
  /** Wall time, ISO 8601. */
  readonly expires: string | null;
}

/** The worlds of a server. */
export interface WorldDirectory {
  list(): Promise<readonly WorldView[]>;
  /** @throws Refusal for a name that is taken, a pack that is not served */
  create(wish?: WorldWish): Promise<WorldView>;
  /** Starts a world that is kept. Undefined: there is none of this id or name. */
  get(id: string): Promise<WorldView | undefined>;
  /**
   * Ends a world and forgets what it was. False: there is none.
   * @throws Refusal for the first world
   */
  delete(id: string): Promise<boolean>;
}
