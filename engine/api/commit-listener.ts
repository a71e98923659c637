import type { Engine } from '../runtime/index.js';

/** What responses that are open do when their world changes. */
interface CommitActions {
  /** Something was committed. Commits of one turn come together, once no seed is in progress. */
  readonly look: () => void;
  /** The world was emptied. */
  readonly end: () => void;
}

/** Listens to the commits of a world while a response is open that they may concern. */
export class CommitListener {
  #isScheduled = false;
  #unsubscribe: (() => void) | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly actions: CommitActions,
  ) {}

  /** Begins, unless it listens already. */
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
