import { createSandbox, type Sandbox } from '../../../engine/index.js';
import type { UseReport } from './play.js';

/** Runs something on a pack that is served for it, at the time of measurements. */
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

/** `12 of 20 (60 %)`; where there was nothing to measure, that. */
export function proportion(good: number, all: number): string {
  return all === 0 ? 'not measured' : `${good} of ${all} (${Math.floor((good * 100) / all)} %)`;
}
