import { Session } from 'node:inspector/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSandbox, PackCache } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import { succeed } from '../kit/calls.js';

/** The engine's functions that ran during a call. */
interface CallCoverage {
  /** Files below `engine/` in which a function ran, such as `runtime/engine.js`, sorted. */
  readonly files: readonly string[];
  /** Number of functions that ran. */
  readonly functions: number;
}

/** Number of warm-up calls, which compile and load code that runs only once. */
const WARM = 5;

/** Lists the engine's files that a `POST /v1/payment_intents` runs through after warm-up, in a sandbox in this process. */
export async function walkOfPayment(): Promise<CallCoverage> {
  const pack = join(installation(), 'packs', 'payments');
  const sandbox = await createSandbox({ pack, cache: PackCache.ofInstallation(), t0: '2025-01-01T00:00:00Z' });
  try {
    return await walkOf(() => succeed(sandbox, 'POST /v1/payment_intents', 'amount=2000&currency=usd'));
  } finally {
    await sandbox.close();
  }
}

/** Records the functions that one call runs, after warm-up calls, with V8's precise coverage. */
async function walkOf(call: () => Promise<unknown>): Promise<CallCoverage> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  // Records functions, not blocks; each reading returns the functions that ran since the previous one.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  for (let i = 0; i < WARM; i++) await call();
  await session.post('Profiler.takePreciseCoverage');
  await call();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const engine = fileURLToPath(new URL('../../../engine/', import.meta.url));
  const files = new Map<string, number>();
  for (const { url, functions } of result) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    const ran = functions.filter(({ ranges }) => ranges[0].count > 0).length;
    if (ran > 0 && path.startsWith(engine)) files.set(path.slice(engine.length).replaceAll(sep, '/'), ran);
  }
  const functions = [...files.values()].reduce((sum, each) => sum + each, 0);
  return { files: [...files.keys()].sort(), functions };
}
