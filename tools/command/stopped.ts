/** Resolves when the process is asked to stop. */
export function stopped(signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
}
