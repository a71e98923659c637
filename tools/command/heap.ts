/** Share of a container's memory for the heap of the server; the rest is for buffers, code and other threads. */
const SHARE = 0.7;
const MIB = 2 ** 20;

/**
 * Megabytes of heap that fit a container: Node by itself takes half of its memory at most.
 * @param limit bytes that the process may use; 0 or more than `total`: it is not limited
 * @param total bytes of the machine
 * @param given options that Node was started with
 * @returns undefined: Node was told, or decides
 */
export function heapOfContainer(limit: number, total: number, given: string): number | undefined {
  if (/--max[-_]old[-_]space[-_]size/.test(given) || limit <= 0 || limit >= total) return undefined;
  return Math.floor((limit / MIB) * SHARE);
}
