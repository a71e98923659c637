/** One figure about a world. */
export interface Figure {
  readonly work: string;
  readonly value: number;
  readonly unit: string;
  readonly target: string;
}

/** Takes down a figure. */
export type Note = (figure: Figure) => void;

/** Wall milliseconds and processor seconds of some work. */
export async function timed(run: () => unknown): Promise<{ readonly ms: number; readonly cpu: number }> {
  const start = performance.now();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpu: (user + system) / 1e6 };
}

/** Bytes in use on the heap after a collection (with --expose-gc). */
export function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** With two digits behind the point. */
export function round(value: number): number {
  return Number(value.toFixed(2));
}

/** The value below which a share of the values is, such as 0.5. */
export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];
}
