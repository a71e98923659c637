/** Jobs that are done between two turns of the event loop, when nothing else gives way. */
const BATCH = 64;

interface Lane<T> {
  readonly waiting: T[];
  next: number;
}

/** Does jobs of one key one after another, and those of different keys side by side. */
export class Lanes<T> {
  #lanes = new Map<string, Lane<T>>();

  /**
   * @param work does one job; must not reject
   * @param idle called when no job is left
   */
  constructor(
    private readonly work: (job: T) => Promise<void>,
    private readonly idle: () => void,
  ) {}

  get isIdle(): boolean {
    return this.#lanes.size === 0;
  }

  /** Adds a job; it starts in a later turn of the event loop. */
  push(key: string, job: T): void {
    const lane = this.#lanes.get(key);
    if (lane) lane.waiting.push(job);
    else {
      const fresh: Lane<T> = { waiting: [job], next: 0 };
      this.#lanes.set(key, fresh);
      setImmediate(() => void this.#run(key, fresh));
    }
  }

  /** Forgets the jobs that have not started. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
    this.#lanes = new Map();
    this.idle();
  }

  async #run(key: string, lane: Lane<T>): Promise<void> {
    while (lane.next < lane.waiting.length) {
      await this.work(lane.waiting[lane.next++]);
      if (lane.next % BATCH !== 0) continue;
      lane.waiting.splice(0, lane.next);
      lane.next = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#lanes.get(key) !== lane) return;
    this.#lanes.delete(key);
    if (this.isIdle) this.idle();
  }
}
