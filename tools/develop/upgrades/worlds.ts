import { PersistentClient } from '../kit/persistent-client.js';
import type { ServedBuild } from '../kit/served.js';
import { HOST_KEY } from './release.js';

/** Milliseconds for which an unsuccessful call is repeated. */
const PATIENCE_MS = 30_000;

interface KnownWorld {
  readonly key: string;
  /** Ids of customers by idempotency key. */
  readonly made: Map<string, string>;
}

/** Objects that clients of a team have created in their worlds, through any release. */
export class KnownWorlds {
  readonly #worlds: KnownWorld[] = [{ key: HOST_KEY, made: new Map() }];
  /** Acknowledged objects that are missing or wrong. */
  readonly wrong: string[] = [];
  #calls = 0;
  readonly #client = new PersistentClient(() => this.servers.map(({ url }) => url), PATIENCE_MS);

  /** Creates the record with one world. @param servers current servers, one of which gets each call */
  constructor(public servers: readonly ServedBuild[]) {}

  get objects(): number {
    return this.#worlds.reduce((sum, { made }) => sum + made.size, 0);
  }

  /** Number of calls that the client has repeated. */
  get repeated(): number {
    return this.#client.repeated;
  }

  async addWorld(): Promise<void> {
    const { key } = await this.#client.control(HOST_KEY, '/worlds');
    this.#worlds.push({ key: String(key), made: new Map() });
  }

  /** Creates an object in each world. */
  async add(): Promise<void> {
    for (const { key, made } of this.#worlds) {
      const name = `call-${this.#calls++}`;
      made.set(name, await this.#make(key, name));
    }
  }

  /** Checks that everything that was acknowledged exists once, that a repeated call isn't executed again, and that the clock advances. */
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
