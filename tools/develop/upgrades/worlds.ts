import { PersistentClient } from '../kit/persistent-client.js';
import type { ServedBuild } from '../kit/served.js';
import { HOST_KEY } from './release.js';

/** Milliseconds for which a call is repeated that got no response of success. */
const PATIENCE_MS = 30_000;

interface KnownWorld {
  readonly key: string;
  /** Ids of customers by the idempotency keys with which they were made. */
  readonly made: Map<string, string>;
}

/** What clients of a team have made in their worlds, whichever release serves them. */
export class KnownWorlds {
  readonly #worlds: KnownWorld[] = [{ key: HOST_KEY, made: new Map() }];
  /** What is not as it was acknowledged. */
  readonly wrong: string[] = [];
  #calls = 0;
  readonly #client = new PersistentClient(() => this.servers.map(({ url }) => url), PATIENCE_MS);

  /** @param servers those that serve now: a call goes to one of them */
  constructor(public servers: readonly ServedBuild[]) {}

  get objects(): number {
    return this.#worlds.reduce((sum, { made }) => sum + made.size, 0);
  }

  /** Calls that had to be repeated. */
  get repeated(): number {
    return this.#client.repeated;
  }

  async addWorld(): Promise<void> {
    const { key } = await this.#client.control(HOST_KEY, '/worlds');
    this.#worlds.push({ key: String(key), made: new Map() });
  }

  /** Makes an object in each world. */
  async add(): Promise<void> {
    for (const { key, made } of this.#worlds) {
      const name = `call-${this.#calls++}`;
      made.set(name, await this.#make(key, name));
    }
  }

  /** Everything that was acknowledged is there, once; a repeated call is not done again; the clock advances. */
  async check(): Promise<void> {
    for (const { key, made } of this.#worlds) {
      const there = (await this.#client.customers(key)).map(({ id }) => id);
      const known = [...made.values()];
      for (const id of known) if (!there.includes(id)) this.wrong.push(`${id} is lost`);
      if (there.length !== known.length)
        this.wrong.push(`${there.length} objects are there, ${known.length} were made`);
      const [name, id] = [...made].at(-1) ?? [];
      if (name !== undefined) {
        const again = await this.#make(key, name);
        if (again !== id) this.wrong.push(`a repeated call makes ${again} beside ${String(id)}`);
      }
      await this.#client.control(key, '/clock/advance', { duration: '1h' });
    }
  }

  async #make(key: string, name: string): Promise<string> {
    return String((await this.#client.succeed(key, 'POST /v1/customers', `name=${name}`, name))['id']);
  }
}
