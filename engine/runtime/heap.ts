import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIMITS } from '../limits.js';
import { lazy } from '../values/index.js';

/** Between two collections that are asked for, so many times what the last one took passes, */
const PAUSE_FACTOR = 4;
/** or so many percent of the heap come into use. */
const GROWTH = 10;

/** Bytes that no share counts: one response of 10,000 events and the garbage of a moment. */
const RESERVE_BYTES = 100 * 2 ** 20;
/** The most of a small heap that is kept in reserve. */
const MOST_RESERVED = 0.3;

/**
 * The share of the heap without its reserve that is in use, in percent; garbage counts.
 * @param part that of the reserve which is left out
 */
function heapShare(part = 1): number {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  const reserve = Math.min(RESERVE_BYTES, heap_size_limit * MOST_RESERVED) * part;
  return (used_heap_size / (heap_size_limit - reserve)) * 100;
}

/**
 * Whether so much of the heap is in use that work must stop which makes objects.
 * @param shareOf the share that is in use now, in percent
 */
export const isHeapFull = heapGuard(LIMITS.advanceMemory.value);

/** Whether a call that makes much must not begin. There is more room than for an advance: what that left can be read. */
export const isMemoryShort = heapGuard(LIMITS.heavyMemory.value);

/** Whether half of the reserve is in use too: what makes a long response must end it, however far it has got. */
export const isReserveShort = heapGuard(100, () => heapShare(0.5));

/** The memory of the process would not hold what was asked for. */
export class MemoryShort extends Error {}

/** @throws MemoryShort */
export function requireMemory(isShort: () => boolean = isMemoryShort): void {
  if (isShort()) throw new MemoryShort();
}

/** Steps between two looks at the heap. */
const LOOK_EVERY = 64;

/**
 * What is iterated, while the heap has room for what is kept of it.
 * @throws MemoryShort
 */
export function* eachWhileMemoryLasts<T>(items: Iterable<T>, isShort?: () => boolean): Generator<T> {
  let n = 0;
  for (const item of items) {
    if (++n % LOOK_EVERY === 0) requireMemory(isShort);
    yield item;
  }
}

/**
 * Runs steps while the heap has room for them.
 * @throws MemoryShort
 */
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
 * Garbage is collected before it counts: V8 by itself waits until the heap is nearly full. Between two collections the last one's
 * outcome holds.
 * @param maxPercent percent of `ownShare`
 * @returns whether more is in use; `freed`: something was let go since the last look
 */
export function heapGuard(
  maxPercent: number,
  ownShare: () => number = heapShare,
): (shareOf?: () => number, freed?: boolean) => boolean {
  /** Percent that were in use behind the last collection. */
  let left = 0;
  let again = -Infinity;
  return (shareOf = ownShare, freed = false) => {
    const share = shareOf();
    if (share <= maxPercent) return false;
    const began = performance.now();
    if (freed || began >= again || share > left + GROWTH) {
      collectGarbage();
      left = shareOf();
      const ended = performance.now();
      again = ended + (ended - began) * PAUSE_FACTOR;
    }
    return left > maxPercent;
  };
}

/** V8's own function. It's shown to contexts that are made while a flag says so. The flag must not stay: with another one V8 rejects all code that was kept. */
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

/** Collects what was made lately and isn't used any more. */
export function collectYoung(): void {
  collector()({ type: 'minor' });
}
