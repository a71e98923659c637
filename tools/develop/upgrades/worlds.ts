import type { ServedRelease } from './release.js';
import { HOST_KEY } from './release.js';

/** Milliseconds for which a call is repeated that got no response of success. */
const PATIENCE_MS = 30_000;

/** A response of success. */
type Body = Readonly<Record<string, unknown>>;

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
  /** Calls that had to be repeated. */
  repeated = 0;
  #calls = 0;

  /** @param servers those that serve now: a call goes to one of them */
  constructor(public servers: readonly ServedRelease[]) {}

  get objects(): number {
    return this.#worlds.reduce((sum, { made }) => sum + made.size, 0);
  }

  async addWorld(): Promise<void> {
    const { key } = await this.#until(HOST_KEY, 'POST', '/__admin__/worlds', {});
    this.#worlds.push({ key: String(key), made: new Map() });
  }

  /** Makes an object in each world. */
  async add(): Promise<void> {
    for (const { key, made } of this.#worlds) {
      const name = `call-${this.#calls++}`;
      const { id } = await this.#until(key, 'POST', '/v1/customers', { name }, name);
      made.set(name, String(id));
    }
  }

  /** Everything that was acknowledged is there, once; a repeated call is not done again; the clock advances. */
  async check(): Promise<void> {
    for (const { key, made } of this.#worlds) {
      const there: string[] = [];
      for (let after = ''; ;) {
        const page = await this.#until(key, 'GET', `/v1/customers?limit=100${after && `&starting_after=${after}`}`);
        const ids = (page['data'] as { readonly id: string }[]).map(({ id }) => id);
        there.push(...ids);
        if (page['has_more'] !== true) break;
        after = ids[ids.length - 1];
      }
      const known = [...made.values()];
      for (const id of known) if (!there.includes(id)) this.wrong.push(`${id} is lost`);
      if (there.length !== known.length)
        this.wrong.push(`${there.length} objects are there, ${known.length} were made`);
      const [name, id] = [...made].at(-1) ?? [];
      if (name !== undefined) {
        const again = await this.#until(key, 'POST', '/v1/customers', { name }, name);
        if (again['id'] !== id) this.wrong.push(`a repeated call makes ${String(again['id'])} beside ${String(id)}`);
      }
      await this.#until(key, 'POST', '/__admin__/clock/advance', { duration: '1h' });
    }
  }

  async #until(
    key: string,
    method: string,
    path: string,
    body?: Readonly<Record<string, string>>,
    idempotency?: string,
  ): Promise<Body> {
    const isControl = path.startsWith('/__admin__');
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const { url } = this.servers[Math.floor(Math.random() * this.servers.length)];
      const outcome = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(idempotency === undefined ? {} : { 'idempotency-key': idempotency }),
          ...(isControl ? { 'content-type': 'application/json' } : {}),
        },
        body: body && (isControl ? JSON.stringify(body) : new URLSearchParams(body)),
      }).then(
        async (response) => ({ isDone: response.ok, text: await response.text() }),
        (error: unknown) => ({ isDone: false, text: String(error) }),
      );
      if (outcome.isDone) return JSON.parse(outcome.text) as Body;
      if (performance.now() > until) throw new Error(`${method} ${path}: ${outcome.text}`);
      this.repeated++;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
