import { PackCache } from '../../engine/pack/index.js';
import { type ControlClient, ControlError } from '../../engine/control/client.cjs';
import { type IdleClock, processClock } from '../../engine/hosting/calls.js';
import { createSandboxWith, type Sandbox } from '../../engine/hosting/sandbox.js';
import { type SandboxOptions } from '../../engine/hosting/served.js';
import type { JsonObject } from '../../engine/values/index.js';
import { type Body, call, type Called, type CallHeaders, send } from './http.js';
import { packFolder, type PackFiles } from './sample-pack.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Options of the sandbox, and of how the tests of a file share it. */
export interface StartOptions<Client = unknown> extends Partial<Omit<SandboxOptions, 'pack'>> {
  /** `file` (the default): the tests of the file share one sandbox; `test`: each test gets a new one. */
  readonly each?: 'file' | 'test';
  /** Body of the `POST /reset` call that is made before each test; without it, the world isn't reset. */
  readonly reset?: Body;
  /** YAML of additional errors, if the pack is declared by files. */
  readonly errors?: string;
  /** Creates the vendor's official client for the sandbox. */
  readonly client?: (sandbox: Sandbox) => Client;
  /** Receiver of webhooks; by default one that responds with 200. */
  readonly receiver?: WebhookReceiver;
}

/**
 * Starts a sandbox for the tests of a file or a `describe`, and closes it after them. A defect of the pack or the engine fails the test, unless
 * `onDefect` is given.
 * @param pack a folder relative to the repository's root, or files that are added to the minimal pack
 */
export function startSandbox<Client = unknown>(
  pack: string | PackFiles,
  options: StartOptions<Client> = {},
): TestSandbox<Client> {
  return forTests(new TestSandbox(pack, options), options);
}

/** Opens a sandbox before the surrounding tests, and closes it after them. */
export function forTests<T extends TestSandbox>(
  sandbox: T,
  { each = 'file', reset }: Pick<StartOptions, 'each' | 'reset'> = {},
): T {
  if (each === 'file') beforeAll(() => sandbox.open());
  beforeEach(async () => {
    if (each === 'test') await sandbox.open();
    else if (reset) await sandbox.control.reset(reset);
  });
  afterEach(() => (each === 'test' ? sandbox.close() : sandbox.assertNoDefects()));
  if (each === 'file') afterAll(() => sandbox.close());
  useReceiver(sandbox.receiver);
  return sandbox;
}

/** A sandbox for tests, with functions that call it. */
export class TestSandbox<Client = unknown> implements Sandbox {
  readonly receiver: WebhookReceiver;
  readonly defects: string[] = [];
  readonly #options: Omit<StartOptions<Client>, 'receiver'>;
  #folder: string | undefined;
  #sandbox: Sandbox | undefined;
  #client: Client | undefined;

  constructor(
    private readonly files: string | PackFiles,
    { receiver = new WebhookReceiver(), ...options }: StartOptions<Client> = {},
  ) {
    this.receiver = receiver;
    this.#options = options;
  }

  /** Starts the sandbox. @param more options that override those of the constructor */
  async open(more: Partial<SandboxOptions> = {}, idleClock: IdleClock = processClock): Promise<this> {
    const { each: _each, reset: _reset, errors, client, ...options } = this.#options;
    const { files } = this;
    this.#folder ??= typeof files === 'string' ? files : packFolder(files, errors);
    this.#sandbox = await createSandboxWith(
      {
        pack: this.#folder,
        // Packs that tests write are used once, so they aren't added to the cache.
        cache: PackCache.ofInstallation({ readOnly: this.#folder !== files }),
        onDefect: (error, what) => void this.defects.push(`${what}: ${String(error)}`),
        ...options,
        ...more,
      },
      idleClock,
    );
    this.#client = client?.(this.#sandbox);
    return this;
  }

  get sandbox(): Sandbox {
    if (!this.#sandbox)
      throw new Error('the sandbox runs during tests only: read `control` and others inside of a test');
    return this.#sandbox;
  }

  get url(): string {
    return this.sandbox.url;
  }

  get key(): string {
    return this.sandbox.key;
  }

  /** The client of the control API. */
  get control(): Sandbox['control'] {
    return this.sandbox.control;
  }

  get engine(): Sandbox['engine'] {
    return this.sandbox.engine;
  }

  get outbox(): Sandbox['outbox'] {
    return this.sandbox.outbox;
  }

  get clock(): Sandbox['clock'] {
    return this.sandbox.clock;
  }

  get worlds(): Sandbox['worlds'] {
    return this.sandbox.worlds;
  }

  get address(): Sandbox['address'] {
    return this.sandbox.address;
  }

  get pack(): Sandbox['pack'] {
    return this.sandbox.pack;
  }

  get header(): Sandbox['header'] {
    return this.sandbox.header;
  }

  get continued(): Sandbox['continued'] {
    return this.sandbox.continued;
  }

  get from(): Sandbox['from'] {
    return this.sandbox.from;
  }

  /** The vendor's official client. @throws Error if the option `client` is missing */
  get client(): Client {
    if (this.#client === undefined) throw new Error('startSandbox needs the option client');
    return this.#client;
  }

  // These are properties with arrow functions, so that a suite can destructure them: `const { call, admin } = startSandbox(...)`.

  /** Calls the world with its key, like `call` in http.ts. */
  readonly call = <T = Body>(line: string, body?: unknown, headers?: CallHeaders): Promise<Called<T>> =>
    call<T>(this.sandbox, line, body, headers);

  /** Calls the world, and returns the body of the response, even of an error. */
  readonly body = async <T = Body>(line: string, body?: unknown, headers?: CallHeaders): Promise<T> =>
    (await this.call<T>(line, body, headers)).body;

  readonly status = async (line: string, body?: unknown, headers?: CallHeaders): Promise<number> =>
    (await this.call(line, body, headers)).status;

  readonly result = async <T = Body>(
    line: string,
    body?: unknown,
    headers?: CallHeaders,
  ): Promise<[status: number, body: T]> => {
    const called = await this.call<T>(line, body, headers);
    return [called.status, called.body];
  };

  /** Makes a control API call by HTTP, such as `POST /faults`. `control` is the typed client for the same API. */
  readonly admin = <T = Body>(line: string, body?: unknown, headers?: CallHeaders): Promise<Called<T>> =>
    call<T>(this.sandbox, line.replace(' ', ' /__admin__'), body, headers);

  /** Calls the world, and returns a response whose body isn't read: a stream, a page, bytes. */
  readonly send = (line: string, body?: unknown, headers?: CallHeaders, init?: RequestInit): Promise<Response> =>
    send(this.sandbox, line, body, headers, init);

  reload(): ReturnType<Sandbox['reload']> {
    return this.sandbox.reload();
  }

  applySeedData(seeds: JsonObject): Promise<void> {
    return this.sandbox.applySeedData(seeds);
  }

  fetch(...call: Parameters<Sandbox['fetch']>): ReturnType<Sandbox['fetch']> {
    return this.sandbox.fetch(...call);
  }

  handle(...call: Parameters<Sandbox['handle']>): void {
    this.sandbox.handle(...call);
  }

  resetTo(seeds: JsonObject): void {
    this.sandbox.resetTo(seeds);
  }

  assertNoDefects(): void {
    expect(this.defects.splice(0)).toEqual([]);
  }

  /** Closes the sandbox. @throws if the pack or the engine had a defect */
  async close(drainMs?: number): Promise<void> {
    // A sandbox that couldn't start is undefined, and its start has already failed the test.
    await this.#sandbox?.close(drainMs);
    this.assertNoDefects();
  }
}

/** Starts sandboxes during tests, and closes them. */
export interface Sandboxes {
  /** Starts a sandbox. @param options override the common options of the file */
  readonly serve: (options?: Partial<SandboxOptions>) => Promise<TestSandbox>;
  /** Adds an object that the test has opened itself, so that it is closed with the sandboxes. */
  readonly keep: <T extends { close(): Promise<void> }>(opened: T) => T;
  /** Closes the sandbox that was started last. */
  readonly stop: () => Promise<void>;
  /** Closes all sandboxes, newest first. Property tests call it after each run. */
  readonly close: () => Promise<void>;
  /** Records a defect, so that the test fails. For sandboxes that the test starts itself. */
  readonly onDefect: SandboxOptions['onDefect'];
}

/**
 * Returns functions that start sandboxes. All of them are closed after each test, which fails if one of them had a defect. The pack is payments by
 * default.
 */
export function useSandboxes(
  { pack = 'packs/payments', ...defaults }: Partial<SandboxOptions> = {},
  idleClock: IdleClock = processClock,
): Sandboxes {
  const open: { close(): Promise<void> }[] = [];
  const defects: unknown[] = [];
  const onDefect = (error: unknown, what: string): void => void defects.push(what, error);
  const keep = <T extends { close(): Promise<void> }>(opened: T): T => {
    open.push(opened);
    return opened;
  };
  const stop = async (): Promise<void> => open.pop()?.close();
  const close = async (): Promise<void> => {
    while (open.length > 0) await stop();
  };
  afterEach(async () => {
    await close();
    expect(defects.splice(0)).toEqual([]);
  });
  const base = { cache: PackCache.ofInstallation(), t0: 1_736_942_400, onDefect, ...defaults };
  return {
    keep,
    stop,
    close,
    onDefect,
    serve: async (options) => keep(await new TestSandbox(pack, base).open(options, idleClock)),
  };
}

/** Starts a receiver of webhooks for the tests of a file, and clears it before each test. */
export function useReceiver(receiver = new WebhookReceiver()): WebhookReceiver {
  beforeAll(() => receiver.listen());
  beforeEach(() => receiver.clear());
  afterAll(() => receiver.stop());
  return receiver;
}

/** A world, as the control API returns it when it is created. */
export interface MadeWorld {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly key: string;
  readonly pack: string;
  readonly head: number;
  readonly from: unknown;
}

/** Creates a world on a server. @param wish body of the control API call */
export async function made(control: ControlClient, wish = {}): Promise<MadeWorld> {
  return (await control.createWorld(wish)) as unknown as MadeWorld;
}

/** Awaits a control API call that must be rejected; returns the status and the error code. */
export async function refused(call: Promise<unknown>): Promise<[status: number, code: unknown]> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ControlError) return [error.status, (error.body as { error: { code: string } }).error.code];
    throw error;
  }
  throw new Error('it was not rejected');
}
