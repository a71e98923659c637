import { closeBudget, type Json } from '../values/index.js';
import { LIMITS } from '../limits.js';
import type { World } from '../world/index.js';
import { whileMemoryLasts } from './heap.js';
import type { CommandExecution } from './command-execution.js';

/** What happens when work that is done in slices is over. */
interface Outcomes {
  /** All of it is done. What it throws is as if the work had thrown it. */
  readonly end?: () => void;
  /** The work threw: what it did is taken back. */
  readonly fail?: () => void;
}

/** Work that can be left between two steps and gone on with later. */
export class Slices<T> {
  #over = false;
  #value: T | undefined;
  #error: unknown;
  #failed = false;

  constructor(
    private readonly steps: Generator<void, T>,
    private readonly outcomes: Outcomes = {},
  ) {}

  /**
   * Continues for a time.
   * @param ms Infinity: to the end
   * @returns whether it is over
   */
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
        // What is evaluated until it continues is not part of it.
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

  /** Continues to the end, with others having their turn after each time. Never rejects. */
  async finish(ms: number): Promise<void> {
    do await new Promise(setImmediate);
    while (!this.run(ms));
  }

  /** What came of it: its value, or what it threw. */
  result(): T {
    if (this.#failed) throw this.#error;
    return this.#value as T;
  }
}

/** Runs steps to their end, with others having their turn after each slice of time. What they throw it throws. */
export async function runSteps<T>(steps: Generator<void, T>): Promise<T> {
  const slices = new Slices(steps);
  if (!slices.run(LIMITS.slice.value)) await slices.finish(LIMITS.slice.value);
  return slices.result();
}

/** Runs large commands of a world in slices: calls of the world wait meanwhile, and whatever cannot wait finishes it first. */
export class SlicedCommands {
  /** The command that is in progress, over when nothing of it is half done; null: none. Never rejects. */
  current: Promise<void> | null = null;

  constructor(
    private readonly world: World,
    private readonly publish: (command: CommandExecution) => void,
  ) {}

  /**
   * Runs steps as one command. None may be in progress.
   * @param failed comes after everything was taken back
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

  /** Steps, then what they have set off, and what is written of it. */
  *#withEnd<T>(command: CommandExecution, steps: Generator<void, T>): Generator<void, T> {
    const result = yield* steps;
    command.drain();
    yield* this.world.preparing();
    return result;
  }
}

/** @returns what long work calls after each piece: once a slice of time is over, others have their turn */
export function turns(): () => Promise<void> {
  let beganMs = performance.now();
  return async () => {
    if (performance.now() - beganMs < LIMITS.slice.value) return;
    await new Promise(setImmediate);
    beganMs = performance.now();
  };
}
