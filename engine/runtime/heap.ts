import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIMITS } from '../limits.js';
import { lazy } from '../values/index.js';

/** The next collection is requested after this multiple of the duration of the last one, */
const PAUSE_FACTOR = 4;
/** or once this many more percent of the heap are in use. */
const GROWTH = 10;

/** Bytes left out of the share: one response of 10,000 events, and the garbage of a moment. */
const RESERVE_BYTES = 100 * 2 ** 20;
/** Upper limit of the reserve, as a part of a small heap. */
const MOST_RESERVED = 0.3;

/**
 * Used share of the heap in percent, where a reserve isn't counted as available; includes garbage.
 * @param part the share of the reserve that is excluded
 */
function heapShare(part = 1): number {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  const reserve = Math.min(RESERVE_BYTES, heap_size_limit * MOST_RESERVED) * part;
  return (used_heap_size / (heap_size_limit - reserve)) * 100;
}

/**
 * Whether work that allocates objects has to stop, since the heap is nearly full.
 * @param shareOf returns the used percentage
 */
export const isHeapFull = heapGuard(LIMITS.advanceMemory.value);

/**
 * Whether memory is too short to start a call that allocates much. The limit is above the one at which advances stop, so that
 * their results can still be read.
 */
export const isMemoryShort = heapGuard(LIMITS.heavyMemory.value);

/** Whether half of the reserve is in use too: then long responses are broken off. */
export const isReserveShort = heapGuard(100, () => heapShare(0.5));

/** Thrown if the process hasn't enough memory for what was requested. */
export class MemoryShort extends Error {}

/** Checks that memory isn't short. @throws MemoryShort */
export function requireMemory(isShort: () => boolean = isMemoryShort): void {
  if (isShort()) throw new MemoryShort();
}

/** Steps between two checks of the heap. */
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
 * Collects garbage before it measures, since V8 waits until the heap is nearly full. Between two collections the last result is
 * used.
 * @param maxPercent limit, as percent of `ownShare`
 * @returns whether more is in use; `freed`: memory was released since the last check
 */
export function heapGuard(
  maxPercent: number,
  ownShare: () => number = heapShare,
  collect: () => void = collectGarbage,
): (shareOf?: () => number, freed?: boolean) => boolean {
  /** Percent in use after the last collection. */
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
 * V8's own function, which is visible in contexts that are created while a flag is set. The flag is reset at once, since V8
 * rejects cached code that was compiled with other flags.
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
