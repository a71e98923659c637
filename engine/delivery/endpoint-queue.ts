/** Number of jobs after which a queue yields to the event loop. */
const BATCH = 64;

interface Lane<T> {
  waiting: T[];
  next: number;
  held: boolean;
}

/** Runs jobs with the same key one after another, and those of different keys concurrently. */
export class Lanes<T> {
  #lanes = new Map<string, Lane<T>>();

  /** @param work runs one job; must not reject */
  constructor(private readonly work: (job: T) => Promise<void>) {}

  isHeld(key: string): boolean {
    return this.#lanes.get(key)?.held ?? false;
  }

  /** Adds a job; it starts in a later turn of the event loop. */
  push(key: string, job: T): void {
    const lane = this.#lanes.get(key);
    if (lane) lane.waiting.push(job);
    else this.#start(key, [job]);
  }

  /** Holds a queue: its jobs wait until it is resumed. @returns the waiting jobs */
  hold(key: string): readonly T[] {
    const lane = this.#lanes.get(key);
    if (lane) lane.held = true;
    else this.#lanes.set(key, { waiting: [], next: 0, held: true });
    return lane === undefined ? [] : lane.waiting.slice(lane.next);
  }

  /** The held queues with their jobs. */
  held(): [key: string, jobs: readonly T[]][] {
    return [...this.#lanes].flatMap(([key, lane]) =>
      lane.held ? [[key, lane.waiting.slice(lane.next)] as [string, readonly T[]]] : [],
    );
  }

  /** Continues a held queue, with these jobs. */
  resume(key: string, jobs: readonly T[]): void {
    this.#lanes.delete(key);
    if (jobs.length > 0) this.#start(key, [...jobs]);
  }

  /** Drops the jobs that haven't started. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
    this.#lanes = new Map();
  }

  #start(key: string, waiting: T[]): void {
    const lane: Lane<T> = { waiting, next: 0, held: false };
    this.#lanes.set(key, lane);
    // Starts two turns later, since the response to the causing call is sent at the end of this turn.
    setImmediate(setImmediate, () => void this.#run(key, lane));
  }

  async #run(key: string, lane: Lane<T>): Promise<void> {
    while (!lane.held && lane.next < lane.waiting.length) {
      await this.work(lane.waiting[lane.next++]);
      if (lane.next % BATCH !== 0) continue;
      lane.waiting.splice(0, lane.next);
      lane.next = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!lane.held && this.#lanes.get(key) === lane) this.#lanes.delete(key);
  }
}
