import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { collectYoung } from '../../engine/runtime/index.js';

/** Bytes between two collections: the same as V8's own with Node 20's small semi-spaces. */
const BYTES = 14 * 2 ** 20;
/** Responses between two checks of the heap: a check takes half a microsecond. */
const LOOK_EVERY = 16;

/** Node's performance entry for a collection, or for the start of marking. */
interface CollectionEntry extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}

/**
 * Collects young objects behind every 14 MiB that responses of this process made. By itself V8 waits on Node 24 until 40 are there, and then stops
 * calls for 12 to 30 ms: a collection takes as long as what it keeps, so that several short ones cost about as much as a long one.
 * @returns ends it
 */
export function collectOften(): () => void {
  let [responses, usedBytes, isMarking] = [0, getHeapStatistics().used_heap_size, false];
  // During marking, a collection would make V8 finish marking at once.
  const collections = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as CollectionEntry).detail;
      if (kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL) isMarking = true;
      else if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) isMarking = false;
    }
  });
  const look = (): void => {
    if (++responses % LOOK_EVERY !== 0) return;
    const { used_heap_size } = getHeapStatistics();
    if (used_heap_size < usedBytes) usedBytes = used_heap_size;
    else if (used_heap_size - usedBytes >= BYTES && !isMarking) {
      collectYoung();
      usedBytes = getHeapStatistics().used_heap_size;
    }
  };
  collections.observe({ entryTypes: ['gc'] });
  subscribe('http.server.response.finish', look);
  return () => {
    collections.disconnect();
    unsubscribe('http.server.response.finish', look);
  };
}
