import OpenAI from 'openai';
import Anthropic from '@anthropic-ai/sdk';
import { type SandboxOptions } from '../../../engine/index.js';
import { startSandbox, type TestSandbox } from '../../support/start-sandbox.js';
import { type Served } from '../../support/http.js';

/** The vendors' own clients against `packs/models`: only where their calls go is changed. */

export const PACK = 'packs/models';
export const T0 = '2026-01-05T09:00:00Z';

export interface Clients {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
}

export const clientsOf = ({ url, key }: Served): Clients => ({
  openai: new OpenAI({ baseURL: `${url}/v1`, apiKey: key ?? '', maxRetries: 0 }),
  anthropic: new Anthropic({ baseURL: url, apiKey: key ?? '', maxRetries: 0 }),
});

/** A script as a seed has it. */
export type Script = Record<string, unknown>;

/** Gives a world scripts, in this order. */
export async function script(sandbox: TestSandbox<Clients>, ...scripts: readonly Script[]): Promise<void> {
  await sandbox.control.seed({
    resources: { scripts: scripts.map((each, at) => ({ id: `script_${at + 1}`, ...each })) },
  });
}

/** A sandbox of the pack for the tests of a file; its world is reset before each. */
export function startModels(options: Partial<SandboxOptions> = {}): TestSandbox<Clients> {
  return startSandbox(PACK, { seed: 'models', t0: T0, client: clientsOf, reset: {}, ...options });
}
