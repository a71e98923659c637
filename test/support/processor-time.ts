/**
 * Measures the processor time of this process while `run` is in progress, in milliseconds. Unlike real time, it doesn't depend on other processes, so
 * tests can limit the work that hostile input causes.
 */
export async function processorTime(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return process.cpuUsage(before).user / 1000;
}
