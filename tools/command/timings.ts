import type { Output } from './output.js';

/** How long the phases of a start take, in milliseconds since the process began. */
export class Timings {
  readonly #ends: (readonly [phase: string, at: number])[] = [['process', performance.now()]];

  ended(phase: string): void {
    this.#ends.push([phase, performance.now()]);
  }

  /** A line for each phase, and the whole; on the error stream, which scripts do not read. */
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
