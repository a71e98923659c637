import { hashOfKey } from '../codecs/index.js';

/** A team that shares a server with others, and creates worlds with a key of its own. */
export interface Team {
  /** The team's name, which is also the prefix of its worlds' names: `checkout.preview-142`. */
  readonly name: string;
  readonly keys: readonly string[];
  /** Limit of worlds at once; none by default. */
  readonly maxWorlds?: number;
  /** Milliseconds of real time after which worlds created without `expires` are deleted. */
  readonly expiresMs?: number;
  /** Upper limit of `expires`, in milliseconds. */
  readonly longestMs?: number;
}

/** The teams of a server, by key. */
export class Teams {
  readonly #byKeyHash: ReadonlyMap<string, Team>;

  constructor(teams: readonly Team[]) {
    this.#byKeyHash = new Map(teams.flatMap((team) => team.keys.map((key) => [hashOfKey(key), team] as const)));
  }

  ofKey(key: string): Team | undefined {
    return this.#byKeyHash.size === 0 ? undefined : this.#byKeyHash.get(hashOfKey(key));
  }
}
