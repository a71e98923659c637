import type { Sandbox } from '../../engine/index.js' with { 'resolution-mode': 'import' };
import { type AddressParts, addressOf, ControlClient } from '../../engine/control/client.cjs';
import type { Words } from '../../engine/control/words.cjs';
import { lastFailure } from './explanation.cjs';
import { library } from './library.cjs';

/** What a test file asks for. */
export interface SandboxWish<Pack extends string = string> {
  /** The pack of its worlds: a name, or a folder where the server runs in this process; that of the server unless given. */
  readonly pack?: Pack;
  /** Simulated time at the start of each world: ISO 8601 or Unix seconds; that of the server unless given. */
  readonly t0?: string | number;
  /** What ids and random values depend on; the full name of the test unless given, so that a test sees the same ids each time. */
  readonly seed?: string;
}

/** A server that worlds of tests come from. */
export interface Server {
  readonly control: ControlClient;
  close(): Promise<void>;
}

interface World<W extends Words> {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly control: ControlClient<W>;
}

/** Longest time until the first world is there, in milliseconds: a server in the process of the tests has to start. */
export const START_TIMEOUT_MS = 60_000;

/** How long a world outlives a test that nobody ended. */
const EXPIRES = '1h';

/** Where the worlds of this test file are kept: matchers and environments look there. */
const REGISTRY = Symbol.for('@vendor-sandbox/sandbox worlds');

/**
 * The sandbox as a test file sees it: the world of the test that runs.
 * @typeParam W names of its pack
 */
export class TestSandbox<W extends Words = Words> {
  readonly #wish: SandboxWish;
  #server: Promise<Server> | undefined;
  #world: World<W> | undefined;

  constructor(wish: SandboxWish = {}) {
    this.#wish = wish;
  }

  /** Where the vendor's API answers, without a path. */
  get url(): string {
    return this.#current().url;
  }

  /** The API key. */
  get key(): string {
    return this.#current().key;
  }

  /** The control API of the test's world. */
  get control(): ControlClient<W> {
    return this.#current().control;
  }

  /** The address in parts, as many official clients take it: `new Stripe(sandbox.key, sandbox.address)`. */
  get address(): AddressParts {
    return addressOf(this.url);
  }

  /** The last call that was answered an error, and why; '' when there was none. */
  async explanation(): Promise<string> {
    return this.#world === undefined ? '' : lastFailure(this.#world.control);
  }

  /** Makes the world of a test. For runners. */
  async begin(test: string): Promise<void> {
    this.#server ??= findServer(this.#wish);
    const { control } = await this.#server;
    const { pack, t0, seed = test } = this.#wish;
    const named = pack === undefined || this.#isFolder(pack) ? {} : { pack };
    const world = await control.createWorld({ ...named, seed, expires: EXPIRES, ...(t0 === undefined ? {} : { t0 }) });
    const { id } = world;
    const [url, key] = [String(world.url), String(world.key)];
    this.#world = { id, url, key, control: new ControlClient<W>(url, key) };
    sandboxes().add(this);
  }

  /** Ends the world of a test. For runners. */
  async end(): Promise<void> {
    sandboxes().delete(this);
    const world = this.#world;
    this.#world = undefined;
    if (world && this.#server) await (await this.#server).control.call('DELETE', `/worlds/${world.id}`);
  }

  /** Lets go of the server, and ends it when this file started it. For runners. */
  async close(): Promise<void> {
    const server = await this.#server;
    this.#server = undefined;
    await server?.close();
  }

  #isFolder(pack: string): boolean {
    return /[\\/]/.test(pack);
  }

  #current(): World<W> {
    if (this.#world === undefined) throw new Error('the sandbox has a world inside tests and their hooks only');
    return this.#world;
  }
}

/** The sandboxes of this test file that have a world now. */
export function sandboxes(): Set<TestSandbox> {
  const place = globalThis as { [REGISTRY]?: Set<TestSandbox> };
  return (place[REGISTRY] ??= new Set());
}

/** The server of the run (environment SANDBOX_URL and SANDBOX_KEY); where there is none, one in this process. */
async function findServer({ pack, t0 }: SandboxWish): Promise<Server> {
  const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;
  if (url !== undefined && key !== undefined)
    return { control: new ControlClient(url, key), close: () => Promise.resolve() };
  const { createSandbox } = await library();
  const sandbox = await createSandbox({ pack: pack ?? 'payments', t0 });
  return { control: new ControlClient(sandbox.url, sandbox.key), close: () => sandbox.close() };
}

/**
 * Starts the server of a run and puts its address and key into the environment (SANDBOX_URL, SANDBOX_KEY), which the processes of
 * the run inherit. Its packs are those of SANDBOX_PACKS, with commas between them; payments unless it is set. Where the
 * environment names a server already (`sandbox exec`), that one stays.
 * @returns what ends it
 */
export async function startServer(): Promise<() => Promise<void>> {
  if (process.env['SANDBOX_URL'] !== undefined && process.env['SANDBOX_KEY'] !== undefined)
    return () => Promise.resolve();
  const { createSandbox } = await library();
  const [pack, ...packs] = (process.env['SANDBOX_PACKS'] ?? 'payments').split(',');
  const sandbox: Sandbox = await createSandbox({ pack, packs });
  process.env['SANDBOX_URL'] = sandbox.url;
  process.env['SANDBOX_KEY'] = sandbox.key;
  return async () => {
    delete process.env['SANDBOX_URL'];
    delete process.env['SANDBOX_KEY'];
    await sandbox.close();
  };
}
