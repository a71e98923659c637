import type { Engine } from '../runtime/index.js';

/** Callbacks of open responses for changes of their world. */
interface CommitActions {
  /** Called once for all commits of a turn, when no seed is in progress. */
  readonly look: () => void;
  /** Called when a reset ends the world in which the call waits. */
  readonly end: () => void;
}

/** Listens to a world's commits while a response is open that depends on them. */
export class CommitListener {
  #isScheduled = false;
  #unsubscribe: (() => void) | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly actions: CommitActions,
  ) {}

  /** Starts listening. Has no effect if the listener has already started. */
  start(): void {
    this.#unsubscribe ??= this.engine.world.subscribe({
      entry: () => this.#schedule(),
      record: ({ kind }) => {
        if (kind === 'reset') this.actions.end();
      },
    });
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      const { seeding } = this.engine;
      if (seeding === null) this.#look();
      else void seeding.finally(() => this.#look());
    });
  }

  #look(): void {
    this.#isScheduled = false;
    this.actions.look();
  }
}
