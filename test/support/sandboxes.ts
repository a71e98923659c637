import { type ControlClient, ControlError, type Sandbox, type SandboxOptions } from '../../engine/index.js';
import { type IdleClock, processClock } from '../../engine/hosting/idle.js';
import { createSandboxWith } from '../../engine/hosting/sandbox.js';
import { PackCache } from '../../engine/pack/index.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Sandboxes of a test file. */
export interface Sandboxes {
  /** A running sandbox: the options of the file, and these. */
  readonly serve: (options?: Partial<SandboxOptions>) => Promise<Sandbox>;
  /** Ends what somebody else started together with the others. */
  readonly keep: <T extends { close(): Promise<void> }>(opened: T) => T;
  /** Ends the newest. */
  readonly stop: () => Promise<void>;
  /** Ends all of them, newest first: a property does it after each of its runs. */
  readonly close: () => Promise<void>;
  /** Where defects go. */
  readonly onDefect: SandboxOptions['onDefect'];
}

/** Sandboxes that end after each test, which fails when one of them told a defect. The pack is payments unless given. */
export function useSandboxes(defaults: Partial<SandboxOptions> = {}, idleClock: IdleClock = processClock): Sandboxes {
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
  const base = { pack: 'packs/payments', cache: PackCache.ofInstallation(), t0: 1_736_942_400, onDefect };
  afterEach(async () => {
    await close();
    expect(defects.splice(0)).toEqual([]);
  });
  return {
    keep,
    stop,
    close,
    onDefect,
    serve: async (options) => keep(await createSandboxWith({ ...base, ...defaults, ...options }, idleClock)),
  };
}

/** A receiver of webhooks for the tests of a file, which now and then fails or is slow. */
export function useReceiver(): { readonly url: string } {
  let receiver: WebhookReceiver | null = null;
  beforeAll(async () => {
    receiver = await WebhookReceiver.byPath();
  });
  afterAll(() => receiver?.stop());
  return {
    get url() {
      if (receiver === null) throw new Error('a receiver runs during tests only');
      return receiver.url;
    },
  };
}

/** A world as the control API tells of it. */
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

/** Status and code with which the control API refused a call. */
export async function refused(call: Promise<unknown>): Promise<[status: number, code: unknown]> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ControlError) return [error.status, (error.body as { error: { code: string } }).error.code];
    throw error;
  }
  throw new Error('it was not refused');
}
