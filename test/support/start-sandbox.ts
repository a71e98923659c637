import { PackCache } from '../../engine/pack/index.js';
import { type ControlClient, ControlError } from '../../engine/control/client.cjs';
import { type IdleClock, processClock } from '../../engine/hosting/calls.js';
import { createSandboxWith, type Sandbox } from '../../engine/hosting/sandbox.js';
import { type SandboxOptions } from '../../engine/hosting/served.js';
import type { JsonObject } from '../../engine/values/index.js';
import { type Body, call, type Called, type CallHeaders, send } from './http.js';
import { packFolder, type PackFiles } from './sample-pack.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** The options of the sandbox, and how the tests of a file share it. */
export interface StartOptions<Client = unknown> extends Partial<Omit<SandboxOptions, 'pack'>> {
  /** `file` (the default): one for all tests. `test`: a new one for each. */
  readonly each?: 'file' | 'test';
  /** Resets the world before each test: the body of `POST /reset`. */
  readonly reset?: Body;
  /** Errors of a pack that is given as files, beside those that every pack needs. */
  readonly errors?: string;
  /** Makes the vendor's official client. */
  readonly client?: (sandbox: Sandbox) => Client;
  /** Receives webhooks; it returns 200 unless given. */
  readonly receiver?: WebhookReceiver;
}

/**
 * Starts a sandbox for the tests of a file or a `describe`, which ends with them. A defect of the pack or the engine fails the test
 * unless `onDefect` is given.
 * @param pack a folder, seen from the root of the repository; or files that are laid over the minimal pack
 */
export function startSandbox<Client = unknown>(
  pack: string | PackFiles,
  options: StartOptions<Client> = {},
): TestSandbox<Client> {
  return forTests(new TestSandbox(pack, options), options);
}

/** Starts and ends a sandbox with the tests around. */
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

/** A sandbox of a test, with what calls it. */
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

  /** @param more over the options that it was made with */
  async open(more: Partial<SandboxOptions> = {}, idleClock: IdleClock = processClock): Promise<this> {
    const { each: _each, reset: _reset, errors, client, ...options } = this.#options;
    const { files } = this;
    this.#folder ??= typeof files === 'string' ? files : packFolder(files, errors);
    this.#sandbox = await createSandboxWith(
      {
        pack: this.#folder,
        // Packs that tests write are not read again.
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

  /** The vendor's official client. */
  get client(): Client {
    if (this.#client === undefined) throw new Error('startSandbox needs the option client');
    return this.#client;
  }

  // Functions of their own, so that a suite takes those that it needs: `const { call, admin } = startSandbox(...)`.

  /** As `call` of `http.ts`. */
  readonly call = <T = Body>(line: string, body?: unknown, headers?: CallHeaders): Promise<Called<T>> =>
    call<T>(this.sandbox, line, body, headers);

  /** The body of a response, of an error too. */
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

  /** A call of the control API as it goes over the wire, such as `POST /faults`; `control` is its client. */
  readonly admin = <T = Body>(line: string, body?: unknown, headers?: CallHeaders): Promise<Called<T>> =>
    call<T>(this.sandbox, line.replace(' ', ' /__admin__'), body, headers);

  /** A response that is not read yet: a stream, a page, bytes. */
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

  /** Ends the sandbox. @throws when the pack or the engine had a defect */
  async close(drainMs?: number): Promise<void> {
    // One that couldn't start has reported that already.
    await this.#sandbox?.close(drainMs);
    this.assertNoDefects();
  }
}

/** Sandboxes that tests start themselves. */
export interface Sandboxes {
  /** Starts one: the options of the file, and these. */
  readonly serve: (options?: Partial<SandboxOptions>) => Promise<TestSandbox>;
  /** Ends what somebody else started together with the others. */
  readonly keep: <T extends { close(): Promise<void> }>(opened: T) => T;
  /** Ends the newest. */
  readonly stop: () => Promise<void>;
  /** Ends all of them, newest first: a property does it after each of its runs. */
  readonly close: () => Promise<void>;
  /** Where defects go. */
  readonly onDefect: SandboxOptions['onDefect'];
}

/** Sandboxes that end after each test, which fails when one of them had a defect. The pack is payments unless given. */
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

/** A receiver of webhooks for the tests of a file. */
export function useReceiver(receiver = new WebhookReceiver()): WebhookReceiver {
  beforeAll(() => receiver.listen());
  beforeEach(() => receiver.clear());
  afterAll(() => receiver.stop());
  return receiver;
}

/** A world as the control API describes it. */
export interface MadeWorld {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly key: string;
  readonly pack: string;
  readonly head: number;
  readonly from: unknown;
}

/** A further world of a server. */
export async function made(control: ControlClient, wish = {}): Promise<MadeWorld> {
  return (await control.createWorld(wish)) as unknown as MadeWorld;
}

/** Status and code with which the control API rejected a call. */
export async function refused(call: Promise<unknown>): Promise<[status: number, code: unknown]> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ControlError) return [error.status, (error.body as { error: { code: string } }).error.code];
    throw error;
  }
  throw new Error('it was not rejected');
}
