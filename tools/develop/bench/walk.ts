import { Session } from 'node:inspector/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { succeed } from '../kit/calls.js';
import { packSandbox } from '../kit/pack-sandbox.js';

/** Number of warm-up calls, which compile and load code that runs only once. */
const WARM = 5;

/**
 * Files below `engine/` that a warm `POST /v1/payment_intents` runs through, such as `runtime/engine.js`, sorted. Records the functions that run in a
 * sandbox in this process with V8's precise coverage.
 */
export async function walkOfPayment(): Promise<string[]> {
  const sandbox = await packSandbox('payments');
  const call = () => succeed(sandbox, 'POST /v1/payment_intents', 'amount=2000&currency=usd');
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
  await sandbox.close();
  const engine = fileURLToPath(new URL('../../../engine/', import.meta.url));
  const files = result.flatMap(({ url, functions }) => {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    const isRun = path.startsWith(engine) && functions.some(({ ranges }) => ranges[0].count > 0);
    return isRun ? [path.slice(engine.length).replaceAll(sep, '/')] : [];
  });
  return [...new Set(files)].sort();
}
