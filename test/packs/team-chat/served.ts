import { type Logger, LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import { startSandbox, type TestSandbox } from '../../support/start-sandbox.js';

export const T0 = '2025-01-01T00:00:00Z';
export const BOT = 'U0SANDBOX';
export const OWNER = 'U0OWNER';
export const GENERAL = 'C0GENERAL';

type World = Pick<TestSandbox, 'url' | 'key'>;

/** The shipped pack with the vendor's names, and its client as the bot; empty for each test. */
export function serveChat(): TestSandbox<WebClient> {
  const options = { t0: T0, vars: { vendor: 'slack' }, reset: { t0: T0 } };
  return startSandbox('packs/team-chat', { ...options, client: (sandbox) => clientOf(sandbox) });
}

/** Errors are what tests look at: nothing of them goes to the console. */
export const QUIET: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

/** The vendor's own client, as the bot unless another token is given. It calls once. */
export function clientOf(sandbox: World, token: string = sandbox.key, options: WebClientOptions = {}): WebClient {
  return new WebClient(token, {
    slackApiUrl: `${sandbox.url}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: QUIET,
    ...options,
  });
}

/** The world's key as a token of another kind: `xoxp-` is the owner's, `xapp-` the app's. */
export function keyAs(sandbox: World, prefix: 'xoxp-' | 'xapp-'): string {
  return sandbox.key.replace('xoxb-', prefix);
}

/** What a call that is rejected returns. */
export interface Rejected {
  readonly ok: false;
  readonly error: string;
}

/** The name of the error of a call that is rejected. */
export async function rejection(call: Promise<unknown>): Promise<string> {
  return (await rejected(call)).error;
}

/** The body of a call that is rejected. */
export async function rejected(call: Promise<unknown>): Promise<Rejected> {
  try {
    await call;
  } catch (error) {
    const { data } = error as { data?: Rejected };
    if (data !== undefined) return data;
    throw error;
  }
  throw new Error('the call was not rejected');
}
