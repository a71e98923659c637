import { createSandbox, type Sandbox } from '../../../engine/index.js';
import type { UseReport } from './play.js';

/** Serves a pack at a fixed time and seed for measurements, and runs a function on it. */
export async function servedFor<T>(pack: string, run: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await createSandbox({ pack, seed: 'imports', t0: '2025-01-01T00:00:00Z', onDefect: () => undefined });
  try {
    return await run(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Usual calls that don't work, each with its reason. */
export function missesOf({ resources }: UseReport): string[] {
  return resources.flatMap(({ resource, calls }) =>
    Object.entries(calls).flatMap(([call, reason]) => (reason === null ? [] : [`${resource} ${call}: ${reason}`])),
  );
}

/** Formats a share as `12 of 20 (60 %)`, or `not measured`. */
export function proportion(good: number, all: number): string {
  return all === 0 ? 'not measured' : `${good} of ${all} (${Math.floor((good * 100) / all)} %)`;
}
