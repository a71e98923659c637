/** Jobs that are done between two turns of the event loop, when nothing else gives way. */
const BATCH = 64;

interface Lane<T> {
  waiting: T[];
  next: number;
  held: boolean;
}

/** Does jobs of one key one after another, and those of different keys side by side. */
export class Lanes<T> {
  #lanes = new Map<string, Lane<T>>();

  /** @param work does one job; must not reject */
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

  /**
   * Lets the jobs of a lane wait that have not started, until it is released.
   * @returns those jobs
   */
  hold(key: string): readonly T[] {
    const lane = this.#lanes.get(key);
    if (lane) lane.held = true;
    else this.#lanes.set(key, { waiting: [], next: 0, held: true });
    return lane === undefined ? [] : lane.waiting.slice(lane.next);
  }

  /** The lanes that are held, with the jobs that wait in them. */
  held(): [key: string, jobs: readonly T[]][] {
    return [...this.#lanes].flatMap(([key, lane]) =>
      lane.held ? [[key, lane.waiting.slice(lane.next)] as [string, readonly T[]]] : [],
    );
  }

  /** Lets a lane continue that was held, with these jobs. */
  resume(key: string, jobs: readonly T[]): void {
    this.#lanes.delete(key);
    if (jobs.length > 0) this.#start(key, [...jobs]);
  }

  /** Forgets the jobs that have not started. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
    this.#lanes = new Map();
  }

  #start(key: string, waiting: T[]): void {
    const lane: Lane<T> = { waiting, next: 0, held: false };
    this.#lanes.set(key, lane);
    // A turn later than the response of the call that makes it, which goes out at the end of this one.
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
