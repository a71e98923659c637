import type { Sandbox } from '../../engine/index.js' with { 'resolution-mode': 'import' };
import { type AddressParts, addressOf, ControlClient, ControlError } from '../../engine/control/client.cjs';
import type { Words } from '../../engine/control/words.cjs';
import type { CompanyWords, NameOf, TestPacks, WordsIn } from './company-words.cjs';
import { lastFailure } from './explanation.cjs';
import { library } from './library.cjs';

/** The options of a test file. */
export interface TestSandboxOptions<Pack extends string = string> {
  /** The pack of its worlds: a name, or a folder if the server runs in this process; the server's by default. */
  readonly pack?: Pack;
  /** Simulated time at the start of each world: ISO 8601 or Unix seconds; the server's by default. */
  readonly t0?: string | number;
  /** Variables of the pack, such as `{ vendor: 'slack' }`; the test file then has its own server. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Random seed; by default the full name of the test, so that it sees the same ids each time. */
  readonly seed?: string;
}

/** The options of a test file with several vendors. */
export interface TestCompanyOptions<Packs extends TestPacks = TestPacks> extends Omit<
  TestSandboxOptions,
  'pack' | 'vars'
> {
  /** The packs of a world; timers that are due at the same time fire in this order. */
  readonly packs: Packs;
}

/** The packs of a world by name, with the types of each. */
export type VendorsOf<P extends TestPacks> = {
  readonly [M in P[number] as NameOf<M>]: TestVendor<WordsIn<M>>;
};

/** A server that creates worlds for tests. */
interface Server {
  readonly control: ControlClient;
  close(): Promise<void>;
}

/** A created world in a response of the control API. */
interface MadeWorld {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly vendors?: Readonly<Record<string, { readonly url: string; readonly key: string }>>;
}

/** Longest wait for the first world, in milliseconds: a server in the tests' process has to start. */
export const START_TIMEOUT_MS = 60_000;

/** Lifetime of a test's world, for tests that never end. */
const EXPIRES = '1h';

/** Symbol of the global set of this test file's worlds, which matchers and environments read. */
const REGISTRY = Symbol.for('@vendor-sandbox/sandbox worlds');

/** A pack in a test: its address, and helpers. @typeParam W the pack's names */
export class TestVendor<W extends Words = Words> {
  readonly control: ControlClient<W>;

  constructor(
    /** Address of the vendor API, without a path. */
    readonly url: string,
    /** The API key. */
    readonly key: string,
  ) {
    this.control = new ControlClient<W>(url, key);
  }

  /** The address in parts, as options of official clients: `new Stripe(sandbox.key, sandbox.address)`. */
  get address(): AddressParts {
    return addressOf(this.url);
  }

  /** Explains the last call that returned an error; '' if there is none. */
  explanation(): Promise<string> {
    return lastFailure(this.control);
  }
}

/** The world of the running test. */
interface WorldOfTest<W extends Words> {
  readonly id: string;
  /** Address and key of the test's world; of several packs, those of their common control API. */
  readonly main: TestVendor<W>;
  readonly packs: ReadonlyMap<string, TestVendor>;
}

/** A world for each test: created before it, deleted after it. */
abstract class TestWorlds<W extends Words> {
  #server: Promise<Server> | undefined;
  #world: WorldOfTest<W> | undefined;

  /** The control API of the test's world. */
  get control(): ControlClient<W> {
    return this.world.main.control;
  }

  /** Each pack of the world by name; '' for a single one. Empty outside of tests. Matchers search these packs. */
  get packs(): ReadonlyMap<string, TestVendor> {
    return this.#world?.packs ?? new Map();
  }

  /** Explains the last call that returned an error; '' if there is none. */
  async explanation(): Promise<string> {
    const lines = await Promise.all([...this.packs.values()].map((each) => each.explanation()));
    return lines.filter((each) => each !== '').join('\n');
  }

  /** Creates the world of a test. For test runners. */
  async begin(test: string): Promise<void> {
    const { id, url, key, vendors } = await this.#made(test);
    const main = new TestVendor<W>(url, key);
    const packs = Object.entries(vendors ?? {}).map(
      ([name, each]) => [name, new TestVendor(each.url, each.key)] as const,
    );
    this.#world = { id, main, packs: new Map<string, TestVendor>(vendors ? packs : [['', main]]) };
    sandboxes().add(this);
  }

  async #made(test: string): Promise<MadeWorld> {
    this.#server ??= this.find();
    const { control } = await this.#server;
    const options = this.worldOptions(test);
    try {
      return (await control.createWorld(options)) as unknown as MadeWorld;
    } catch (error) {
      if (!(error instanceof ControlError) || !JSON.stringify(error.body).includes('"unknown_pack"')) throw error;
      // The running server has other packs, so this file starts its own server.
      this.#server = this.own();
      return (await (await this.#server).control.createWorld(options)) as unknown as MadeWorld;
    }
  }

  /** Deletes the world of a test. For test runners. */
  async end(): Promise<void> {
    sandboxes().delete(this);
    const world = this.#world;
    this.#world = undefined;
    if (world && this.#server) await (await this.#server).control.call('DELETE', `/worlds/${world.id}`);
  }

  /** Releases the server, and stops it if this file started it. For test runners. */
  async close(): Promise<void> {
    const server = await this.#server;
    this.#server = undefined;
    await server?.close();
  }

  protected get world(): WorldOfTest<W> {
    if (this.#world === undefined) throw new Error('the sandbox has a world inside tests and their hooks only');
    return this.#world;
  }

  /** Finds the running server with the worlds' packs, or starts one. */
  protected abstract find(): Promise<Server>;

  /** Starts a server with the worlds' packs in this process. */
  protected abstract own(): Promise<Server>;

  /** Returns the request body that creates the world of a test. */
  protected abstract worldOptions(test: string): object;
}

/** The sandbox in a test file: the world of the running test. @typeParam W names of its pack */
export class TestSandbox<W extends Words = Words> extends TestWorlds<W> {
  readonly #options: TestSandboxOptions;

  constructor(options: TestSandboxOptions = {}) {
    super();
    this.#options = options;
  }

  /** Address of the vendor API, without a path. */
  get url(): string {
    return this.world.main.url;
  }

  /** The API key. */
  get key(): string {
    return this.world.main.key;
  }

  /** The address in parts, as options of official clients: `new Stripe(sandbox.key, sandbox.address)`. */
  get address(): AddressParts {
    return this.world.main.address;
  }

  protected override find(): Promise<Server> {
    return findServer(this.#options);
  }

  protected override own(): Promise<Server> {
    return ownServer(this.#options);
  }

  protected override worldOptions(test: string): object {
    const { pack, t0, seed = test } = this.#options;
    const named = pack === undefined || this.#isFolder(pack) ? {} : { pack };
    return { ...named, seed, expires: EXPIRES, ...(t0 === undefined ? {} : { t0 }) };
  }

  #isFolder(pack: string): boolean {
    return /[\\/]/.test(pack);
  }
}

/** Several packs in one world, in a test file. @typeParam P the requested packs */
export class TestCompany<P extends TestPacks = TestPacks> extends TestWorlds<CompanyWords<P>> {
  readonly #options: TestCompanyOptions;

  constructor(options: TestCompanyOptions) {
    super();
    this.#options = options;
  }

  /** The address of the control API of all packs. */
  get url(): string {
    return this.world.main.url;
  }

  /** The key of the control API of all packs. */
  get key(): string {
    return this.world.main.key;
  }

  /** The packs by name: address, key and control API of each. */
  get vendors(): VendorsOf<P> {
    return Object.fromEntries(this.world.packs) as VendorsOf<P>;
  }

  protected override async find(): Promise<Server> {
    const { packs } = this.#options;
    const running = runningServer();
    return running && (await hasAll(running.control, packs)) ? running : this.own();
  }

  protected override async own(): Promise<Server> {
    const { packs, t0 } = this.#options;
    const { createCompany } = await library();
    const company = await createCompany({ packs, t0 });
    return { control: new ControlClient(company.url, company.key), close: () => company.close() };
  }

  protected override worldOptions(test: string): object {
    const { t0, seed = test } = this.#options;
    return { seed, expires: EXPIRES, ...(t0 === undefined ? {} : { t0 }) };
  }
}

/** Returns the server named in the environment (by `sandbox exec`, or by the setup of the run); undefined if there is none. */
function runningServer(): Server | undefined {
  const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;
  if (url === undefined || key === undefined) return undefined;
  return { control: new ControlClient(url, key), close: () => Promise.resolve() };
}

/** Whether a server is a company of exactly these packs. */
async function hasAll(control: ControlClient, packs: TestPacks): Promise<boolean> {
  const { vendors = {} } = (await control.call('GET', '/')) as { vendors?: object };
  const names = packs.map((each) => (typeof each === 'string' ? each : each.vars ? '' : (each.name ?? each.pack)));
  return names.length === Object.keys(vendors).length && names.every((name) => Object.hasOwn(vendors, name));
}

/** The sandbox of a test file: of one pack, or of several. */
export type SandboxOfTest = Pick<TestWorlds<Words>, 'packs' | 'control' | 'explanation'>;

/** Returns the sandboxes of this test file that have a world now. */
export function sandboxes(): Set<SandboxOfTest> {
  const place = globalThis as { [REGISTRY]?: Set<SandboxOfTest> };
  return (place[REGISTRY] ??= new Set());
}

/**
 * Finds the server of the run (environment variables SANDBOX_URL and SANDBOX_KEY), or else starts one in this process, also if the pack needs
 * variables.
 */
function findServer(options: TestSandboxOptions): Promise<Server> {
  const running = options.vars === undefined ? runningServer() : undefined;
  return running ? Promise.resolve(running) : ownServer(options);
}

/** Starts a server in this process. */
async function ownServer({ pack, t0, vars }: TestSandboxOptions): Promise<Server> {
  const { createSandbox } = await library();
  const sandbox = await createSandbox({ pack: pack ?? 'payments', t0, ...(vars === undefined ? {} : { vars }) });
  return { control: new ControlClient(sandbox.url, sandbox.key), close: () => sandbox.close() };
}

/**
 * Starts the server of a run and puts its address and key into the environment (SANDBOX_URL, SANDBOX_KEY), which the processes of the run inherit.
 * Serves the packs in SANDBOX_PACKS, separated by commas; payments by default. If the environment already names a server (`sandbox exec`), that one
 * is used.
 * @returns a function that stops the server
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
