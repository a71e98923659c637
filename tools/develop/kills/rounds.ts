/**
 * Takes the rounds of a campaign, numbered from 1, until all are over or the process is interrupted; prints progress.
 * @returns the number of rounds, and how long they took
 */
export async function takeRounds(
  times: number,
  round: (number: number) => Promise<void>,
  progress: () => string,
): Promise<{ readonly rounds: number; readonly seconds: number }> {
  const startedMs = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedMs) / 1000);
  let isEnough = false;
  process.once('SIGINT', () => {
    isEnough = true;
  });
  let rounds = 0;
  while (rounds < times && !isEnough) {
    await round(++rounds);
    if (rounds % 10 === 0) console.error(`${rounds} of ${times} in ${seconds()} s: ${progress()}`);
  }
  return { rounds, seconds: seconds() };
}
