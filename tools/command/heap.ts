/** Share of a container's memory for the heap of the server; the rest is for buffers, code and other threads. */
const SHARE = 0.7;
const MIB = 2 ** 20;

/**
 * Megabytes of heap that fit a container: Node by itself takes half of its memory at most.
 * @param limitBytes bytes that the process may use; 0 or more than `total`: it is not limited
 * @param totalBytes bytes of the machine
 * @param given options that Node was started with
 * @returns undefined: Node has an option for it, or decides
 */
export function heapOfContainer(limitBytes: number, totalBytes: number, given: string): number | undefined {
  if (/--max[-_]old[-_]space[-_]size/.test(given) || limitBytes <= 0 || limitBytes >= totalBytes) return undefined;
  return Math.floor((limitBytes / MIB) * SHARE);
}
