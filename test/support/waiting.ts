const POLL_MS = 10;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/** Waits until a condition holds, without a time limit: if it never holds, the time limit of the test applies. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await pause();
}

/** Waits long enough for data sent to a server in this process to arrive. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await pause();
}
