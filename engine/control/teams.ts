import { hashOfKey } from '../codecs/index.js';

/** People who share a server with others, and make worlds of their own with a key of their own. */
export interface Team {
  /** Names of its worlds begin with it: `checkout.preview-142`. */
  readonly name: string;
  readonly keys: readonly string[];
  /** Most worlds that it has at once; as many as it makes unless given. */
  readonly maxWorlds?: number;
  /** Milliseconds of real time after which a world is deleted that was made without `expires`. */
  readonly expiresMs?: number;
  /** The longest `expires` that a world may be made with, in milliseconds. */
  readonly longestMs?: number;
}

/** The teams of a server by their keys. */
export class Teams {
  readonly #byKeyHash: ReadonlyMap<string, Team>;

  constructor(teams: readonly Team[]) {
    this.#byKeyHash = new Map(teams.flatMap((team) => team.keys.map((key) => [hashOfKey(key), team] as const)));
  }

  ofKey(key: string): Team | undefined {
    return this.#byKeyHash.size === 0 ? undefined : this.#byKeyHash.get(hashOfKey(key));
  }
}
