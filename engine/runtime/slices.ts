import { closeBudget, type Json } from '../values/index.js';
import { LIMITS } from '../limits.js';
import type { World } from '../world/index.js';
import { whileMemoryLasts } from './heap.js';
import type { CommandExecution } from './command-execution.js';

/** Callbacks for the end of sliced work. */
interface Outcomes {
  /** Called when all work is done. An exception counts as one of the work. */
  readonly end?: () => void;
  /** Called when the work threw: rolls it back. */
  readonly fail?: () => void;
}

/** Work that can pause between two steps and continue later. */
export class Slices<T> {
  #over = false;
  #value: T | undefined;
  #error: unknown;
  #failed = false;

  constructor(
    private readonly steps: Generator<void, T>,
    private readonly outcomes: Outcomes = {},
  ) {}

  /** Runs for some time. @param ms Infinity: to the end @returns whether it is finished */
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
        // Evaluations between two slices don't count for its budget.
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

  /** Continues to the end; others run after each slice. Never rejects. */
  async finish(ms: number): Promise<void> {
    do await new Promise(setImmediate);
    while (!this.run(ms));
  }

  /** The result: its value, or its exception. */
  result(): T {
    if (this.#failed) throw this.#error;
    return this.#value as T;
  }
}

/** Runs steps to their end; others run after each slice. Exceptions of the steps are passed on. */
export async function runSteps<T>(steps: Generator<void, T>): Promise<T> {
  const slices = new Slices(steps);
  if (!slices.run(LIMITS.slice.value)) await slices.finish(LIMITS.slice.value);
  return slices.result();
}

/**
 * Runs large commands of a world in slices: calls of the world wait meanwhile, and work that can't wait finishes the command
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
   * Runs steps, in slices, as one command; no other command may be in progress.
   * @param failed called after everything was rolled back
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

  /** The steps, then the timers that they fire, then the writing of the entry. */
  *#withEnd<T>(command: CommandExecution, steps: Generator<void, T>): Generator<void, T> {
    const result = yield* steps;
    command.drain();
    yield* this.world.preparing();
    return result;
  }
}

/** Divides long work into slices. @returns a function that the work awaits after each part: others run once a slice of time is over */
export function turns(): () => Promise<void> {
  let beganMs = performance.now();
  return async () => {
    if (performance.now() - beganMs < LIMITS.slice.value) return;
    await new Promise(setImmediate);
    beganMs = performance.now();
  };
}
