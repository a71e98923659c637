import type { ServerResponse } from 'node:http';
import v8 from 'node:v8';
import type { Address } from './address.js';
import type { Coverage } from '../runtime/index.js';
import type { HeldWorld } from './ownership.js';

/** What is left of a world that has left memory, or is about to. */
export interface IdleWorld {
  /** Where its calls wait. */
  readonly address: Address;
  /** What its calls have used of the pack since the process started: no store keeps it. */
  readonly coverage: Coverage;
  /** Resolves when the store has it back. */
  readonly ended: Promise<void>;
}

/** Real time as idling reads it. */
export interface IdleClock {
  /** Milliseconds since some instant; never less than before. */
  readonly nowMs: number;
  /**
   * Calls again and again, and never keeps the process alive.
   * @returns ends that
   */
  every(ms: number, look: () => void): () => void;
}

/** The clock of the process. */
export const processClock: IdleClock = {
  get nowMs() {
    return performance.now();
  },
  every: (ms, look) => {
    const timer = setInterval(look, ms).unref();
    return () => clearInterval(timer);
  },
};

/** The longest and the shortest time between two looks, in milliseconds. */
const [SELDOM, OFTEN] = [1_000, 10];

/** Percent of the heap from which on worlds leave memory before their time. */
const crowdedPercent = 70;

/** Whether so much of the heap is in use that worlds should leave memory: garbage counts, so this comes early rather than late. */
export function isCrowded(): boolean {
  const { used_heap_size, heap_size_limit } = v8.getHeapStatistics();
  return used_heap_size * 100 > heap_size_limit * crowdedPercent;
}

/**
 * Which worlds leave memory now: those without calls for so long, and while the heap is crowded a tenth more each time, those
 * first that were without calls the longest.
 * @param idleMs real time
 */
export function worldsToLeave<W extends HeldWorld>(
  held: Iterable<readonly [string, W]>,
  idleMs: number,
  crowded = isCrowded(),
): string[] {
  const quiet = [...held].filter(([, { world }]) => world.isQuiet(crowded ? 0 : idleMs));
  if (!crowded) return quiet.map(([id]) => id);
  const oldest = quiet.sort(([, a], [, b]) => b.world.unusedMs - a.world.unusedMs);
  const most = Math.ceil(oldest.length / 10);
  return oldest.filter(([, { world }], at) => at < most || world.isQuiet(idleMs)).map(([id]) => id);
}

/** Addresses of worlds that have left memory: a call that comes there brings its world back. */
export class IdleWorlds {
  readonly #idle = new Map<string, IdleWorld>();
  #stop: (() => void) | null = null;

  constructor(private readonly clock: IdleClock) {}

  /**
   * Looks from time to time for worlds that nothing uses.
   * @param idleMs milliseconds without use after which a world is released; Infinity: never
   */
  look(idleMs: number, look: () => void): void {
    if (idleMs === Infinity) return;
    this.#stop = this.clock.every(Math.min(Math.max(idleMs / 4, OFTEN), SELDOM), look);
  }

  lookNoMore(): void {
    this.#stop?.();
  }

  begin(id: string, rest: IdleWorld): void {
    this.#idle.set(id, rest);
    // The next call of the world gets the error.
    rest.ended.catch(() => undefined);
  }

  /**
   * What a world continues with that wakes; undefined: it does not rest.
   * @throws StoreError when it could not be kept
   */
  async of(id: string): Promise<IdleWorld | undefined> {
    const rest = this.#idle.get(id);
    await rest?.ended;
    return rest;
  }

  urlOf(id: string): string | null {
    return this.#idle.get(id)?.address.url ?? null;
  }

  /** The world is at work again. */
  end(id: string): void {
    this.#idle.delete(id);
  }

  /** The world is gone for good, and so is its address. */
  async leave(id: string): Promise<void> {
    const rest = this.#idle.get(id);
    this.#idle.delete(id);
    await rest?.ended.catch(() => undefined);
    await rest?.address.leave(0);
  }

  async leaveAll(): Promise<void> {
    await Promise.all([...this.#idle.keys()].map((id) => this.leave(id)));
  }
}

/** The calls of a world: whether one is in flight, and how long ago the last one ended. */
export class CallCounter {
  #open = 0;
  #last: number;

  constructor(private readonly clock: IdleClock = processClock) {
    this.#last = clock.nowMs;
  }

  /** A call has come; it is over when its response is. */
  begin(res: ServerResponse): void {
    this.#open++;
    res.once('close', () => {
      this.#open--;
      this.touch();
    });
  }

  /** The world was used without a call of its own. */
  touch(): void {
    this.#last = this.clock.nowMs;
  }

  /** Milliseconds of real time since the last call; 0 while there is one. */
  get unusedMs(): number {
    return this.#open === 0 ? this.clock.nowMs - this.#last : 0;
  }

  /**
   * Whether no calls came for so long.
   * @param ms real time
   */
  isQuiet(ms: number): boolean {
    return this.#open === 0 && this.unusedMs >= ms;
  }
}
