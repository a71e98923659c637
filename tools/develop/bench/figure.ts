/** Records a figure about a world. */
export type Note = (work: string, value: number, unit: string) => void;

/** Measures real time in milliseconds and processor time in seconds of a function. */
export async function timed(run: () => unknown): Promise<{ readonly ms: number; readonly cpu: number }> {
  const start = performance.now();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpu: (user + system) / 1e6 };
}

/** Bytes in use on the heap after a garbage collection; needs `--expose-gc`. */
export function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Returns the median; for an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Rounds to two decimals. */
export function round(value: number): number {
  return Number(value.toFixed(2));
}

/** Returns the quantile of some values; `share` 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];
}
