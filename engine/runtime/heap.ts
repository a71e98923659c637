import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIMITS } from '../limits.js';
import { lazy } from '../values/index.js';

/** Pause after a garbage collection, as a multiple of its duration; growth of the heap can end it early. */
const PAUSE_FACTOR = 4;
/** Growth of the used heap, in percentage points, that ends the pause between two garbage collections. */
const GROWTH = 10;

/** Bytes of the heap that are reserved for work in progress: one response of 10,000 events, and short-lived garbage. */
const RESERVE_BYTES = 100 * 2 ** 20;
/** Maximum share of the heap that is reserved; applies to small heaps. */
const MOST_RESERVED = 0.3;

/**
 * Returns the used part of the heap, garbage included, in percent of the heap without the reserve.
 * @param part of the reserve that is subtracted from the heap
 */
function heapShare(part = 1): number {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  const reserve = Math.min(RESERVE_BYTES, heap_size_limit * MOST_RESERVED) * part;
  return (used_heap_size / (heap_size_limit - reserve)) * 100;
}

/**
 * Whether the heap is so full that work which allocates many objects has to stop. @param shareOf returns the used percentage
 */
export const isHeapFull = heapGuard(LIMITS.advanceMemory.value);

/**
 * Whether memory is too short for starting a call that allocates much. The limit is higher than the one that stops an advance,
 * so that the advance's result can still be read.
 */
export const isMemoryShort = heapGuard(LIMITS.heavyMemory.value);

/** Whether half of the reserve is in use too, so that long responses have to be aborted. */
export const isReserveShort = heapGuard(100, () => heapShare(0.5));

/** Thrown if the process has too little memory for a request. */
export class MemoryShort extends Error {}

/** Checks that memory isn't short. @throws MemoryShort */
export function requireMemory(isShort: () => boolean = isMemoryShort): void {
  if (isShort()) throw new MemoryShort();
}

/** Number of steps between two checks of the heap. */
const LOOK_EVERY = 64;

/** Yields the items while the heap has room for the results. @throws MemoryShort */
export function* eachWhileMemoryLasts<T>(items: Iterable<T>, isShort?: () => boolean): Generator<T> {
  let n = 0;
  for (const item of items) {
    if (++n % LOOK_EVERY === 0) requireMemory(isShort);
    yield item;
  }
}

/** Runs steps while the heap has room for them. @throws MemoryShort */
export function* whileMemoryLasts<T>(
  steps: Generator<void, T>,
  isShort: () => boolean = isMemoryShort,
): Generator<void, T> {
  for (let n = 1; ; n++) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (n % LOOK_EVERY === 0) requireMemory(isShort);
    yield;
  }
}

/**
 * Returns a function that checks whether more than a limit of the heap is in use. It collects garbage before it measures, since
 * V8 waits until the heap is nearly full; between two collections it uses the last result.
 * @param maxPercent the limit, as a percentage that `ownShare` returns
 * @returns a function; its argument `freed`: memory was released since the last check
 */
export function heapGuard(
  maxPercent: number,
  ownShare: () => number = heapShare,
  collect: () => void = collectGarbage,
): (shareOf?: () => number, freed?: boolean) => boolean {
  /** Used percentage of the heap after the last collection. */
  let left = 0;
  let again = -Infinity;
  return (shareOf = ownShare, freed = false) => {
    const share = shareOf();
    if (share <= maxPercent) return false;
    const began = performance.now();
    if (freed || began >= again || share > left + GROWTH) {
      collect();
      left = shareOf();
      const ended = performance.now();
      again = ended + (ended - began) * PAUSE_FACTOR;
    }
    return left > maxPercent;
  };
}

/**
 * V8's function that collects garbage. It exists only in contexts created while a flag is set; the flag is reset at once, since
 * V8 rejects cached code that was compiled with other flags.
 */
const collector = lazy((): NodeJS.GCFunction => {
  if (globalThis.gc !== undefined) return globalThis.gc;
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return found as NodeJS.GCFunction;
});

function collectGarbage(): void {
  collector()();
}

/** Collects the young generation. */
export function collectYoung(): void {
  collector()({ type: 'minor' });
}
