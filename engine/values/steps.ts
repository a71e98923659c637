/** Runs a generator to its end without pausing; returns its result. */
export function endOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
