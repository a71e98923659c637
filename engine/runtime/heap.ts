import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIMITS } from '../limits.js';

/** Milliseconds between two collections that are asked for. */
const BETWEEN = 2_000;

let collectedAt = -Infinity;

/** The share of the heap that is in use, in percent; garbage counts. */
function heapShare(): number {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return (used_heap_size / heap_size_limit) * 100;
}

/**
 * Whether so much of the heap is in use that work must stop which goes on making objects. Garbage is collected before it
 * counts: V8 by itself waits until the heap is nearly full.
 * @param shareOf the share that is in use now, in percent
 */
export function isHeapFull(shareOf: () => number = heapShare): boolean {
  const most = LIMITS.advanceMemory.value;
  if (shareOf() <= most) return false;
  if (performance.now() - collectedAt < BETWEEN) return shareOf() > (most + 100) / 2;
  collectGarbage();
  collectedAt = performance.now();
  return shareOf() > most;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') (collect as () => void)();
}
