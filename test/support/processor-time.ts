/**
 * Milliseconds that the processor works for this process while `run` does, however many others share the machine. For bounds of hostile input: what
 * would take minutes or years has to take no more than so much work.
 */
export async function processorTime(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return process.cpuUsage(before).user / 1000;
}
