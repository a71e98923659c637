import { closeBudget, type Json } from '../values/index.js';
import { LIMITS } from '../limits.js';
import type { World } from '../world/index.js';
import { whileMemoryLasts } from './heap.js';
import type { CommandExecution } from './command-execution.js';

/** Callbacks for the end of work that runs in slices. */
interface Outcomes {
  /** Called when all steps are done. If it throws, the work as a whole fails. */
  readonly end?: () => void;
  /** Called after a step has thrown, to roll the work back. */
  readonly fail?: () => void;
}

/** Work in steps that can pause between two of them and continue later. */
export class Slices<T> {
  #over = false;
  #value: T | undefined;
  #error: unknown;
  #failed = false;

  constructor(
    private readonly steps: Generator<void, T>,
    private readonly outcomes: Outcomes = {},
  ) {}

  /** Runs steps for a time. @param ms Infinity: until the end @returns whether the work is finished */
  run(ms: number): boolean {
    if (this.#over) return true;
    const beganMs = performance.now();
    try {
      for (;;) {
        const { done, value } = this.steps.next();
        if (done === true) {
          this.#value = value;
          this.outcomes.end?.();
          return (this.#over = true);
        }
        if (ms === Infinity || performance.now() - beganMs < ms) continue;
        // Expressions that other code evaluates before the next slice don't count against this work's budget.
        closeBudget();
        return false;
      }
    } catch (error) {
      this.#failed = true;
      this.#error = error;
      this.outcomes.fail?.();
      return (this.#over = true);
    }
  }

  /** Continues to the end in slices of `ms`; other code runs between them. Never rejects. */
  async finish(ms: number): Promise<void> {
    do await new Promise(setImmediate);
    while (!this.run(ms));
  }

  /** Returns the result of the finished work, or throws its exception. */
  result(): T {
    if (this.#failed) throw this.#error;
    return this.#value as T;
  }
}

/** Runs steps to their end in slices, between which other code runs. Rejects if a step throws. */
export async function runSteps<T>(steps: Generator<void, T>): Promise<T> {
  const slices = new Slices(steps);
  if (!slices.run(LIMITS.slice.value)) await slices.finish(LIMITS.slice.value);
  return slices.result();
}

/**
 * Runs large commands of a world in slices. Meanwhile, calls of the world wait; work that can't wait finishes the command
 * first.
 */
export class SlicedCommands {
  /** Resolves once the command in progress is complete; null if there is none. Never rejects. */
  current: Promise<void> | null = null;

  constructor(
    private readonly world: World,
    private readonly publish: (command: CommandExecution) => void,
  ) {}

  /**
   * Runs steps in slices as one command. No other command may be in progress.
   * @param failed called after a rollback
   */
  async run<T>(
    name: string,
    command: CommandExecution,
    steps: Generator<void, T>,
    args: Json,
    failed: () => void = () => undefined,
  ): Promise<T> {
    const { world } = this;
    const slices = new Slices(this.#withEnd(command, whileMemoryLasts(steps)), {
      end: () => {
        world.commit({ command: name, origin: 'seed', args });
        this.publish(command);
      },
      fail: () => {
        world.unfinished = null;
        world.rollback();
        failed();
      },
    });
    if (!slices.run(LIMITS.slice.value)) {
      world.unfinished = () => void slices.run(Infinity);
      this.current = slices.finish(LIMITS.slice.value).finally(() => {
        world.unfinished = null;
        this.current = null;
      });
      await this.current;
    }
    return slices.result();
  }

  /** Runs the steps, then timers without a delay, then the encoding of the changes for the ledger entry. */
  *#withEnd<T>(command: CommandExecution, steps: Generator<void, T>): Generator<void, T> {
    const result = yield* steps;
    command.drain();
    yield* this.world.preparing();
    return result;
  }
}

/** Returns a function to await after each part of long work: once a slice of time is over, it lets other code run. */
export function turns(): () => Promise<void> {
  let beganMs = performance.now();
  return async () => {
    if (performance.now() - beganMs < LIMITS.slice.value) return;
    await new Promise(setImmediate);
    beganMs = performance.now();
  };
}
