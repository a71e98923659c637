import type { Kit } from '../simulate/kit.js';
import { live } from '../simulate/run.js';
import { Simulation } from '../simulate/simulation.js';

/** A recorded call; the path excludes the sandbox's address. */
export interface RecordedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Placeholder in recorded calls for the webhook receivers' address. */
export const RECEIVERS = 'http://receivers.test';

/**
 * Plays stories of the simulation with this build and records their calls of both APIs.
 * @param steps of each story; 60 advance the clock by more than a month
 */
export async function recordStories(kit: Kit, seeds: readonly number[], steps: number): Promise<RecordedCall[][]> {
  const stories: RecordedCall[][] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = init.body === undefined || init.body === null ? undefined : textOf(init.body);
    stories.at(-1)?.push({ method: init.method ?? 'GET', path: pathname + search, headers, body });
    return fetch(input, init);
  };
  try {
    // Calls go through the global `fetch`, which is replaced to record them.
    const simulation = await Simulation.open(kit, (url, call) => globalThis.fetch(url, call));
    for (const seed of seeds) {
      stories.push([]);
      await live(
        simulation,
        seed,
        Array.from({ length: steps }, (_none, number) => number),
      );
    }
    const address = simulation.receiversUrl;
    await simulation.close();
    return stories.map((calls) => calls.map((call) => ({ ...call, body: withoutAddress(call.body, address) })));
  } finally {
    globalThis.fetch = fetch;
  }
}

function textOf(body: unknown): string {
  if (typeof body !== 'string') throw new TypeError('the simulation sends bodies as text');
  return body;
}

function withoutAddress(body: string | undefined, address: string): string | undefined {
  return body?.replaceAll(address, RECEIVERS).replaceAll(encodeURIComponent(address), encodeURIComponent(RECEIVERS));
}
