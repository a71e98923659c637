const POLL_MS = 10;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/** Waits until something holds, as long as it takes: a test that waits in vain ends by its own limit. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await pause();
}

/** Waits for some turns of the event loop: what was sent to a server in this process has arrived. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await pause();
}
