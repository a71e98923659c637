import type { Output } from './output.js';

/** The durations of a start's phases, in milliseconds since the process began. */
export class Timings {
  readonly #ends: (readonly [phase: string, at: number])[] = [['process', performance.now()]];

  ended(phase: string): void {
    this.#ends.push([phase, performance.now()]);
  }

  /** Prints a line for each phase, and the total, to the error stream. */
  print(output: Output): void {
    let before = 0;
    for (const [phase, at] of this.#ends) {
      output.error(line(phase, at - before));
      before = at;
    }
    output.error(line('in all', before));
  }
}

function line(phase: string, ms: number): string {
  return `${phase.padEnd(9)}${ms.toFixed(1).padStart(8)} ms`;
}
