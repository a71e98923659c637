import v8 from 'node:v8';
import type { IdleWorld } from './address.js';
import type { IdleClock } from './calls.js';
import type { HeldWorld } from './ownership.js';

/** The maximum and the minimum of the time between checks, in milliseconds. */
const [SELDOM, OFTEN] = [1_000, 10];

/** Percentage of the heap above which worlds leave memory early. */
const crowdedPercent = 70;

/** Whether the heap is so full that worlds should leave memory. Garbage counts too, so that this is true early. */
export function isCrowded(): boolean {
  const { used_heap_size, heap_size_limit } = v8.getHeapStatistics();
  return used_heap_size * 100 > heap_size_limit * crowdedPercent;
}

/**
 * Selects worlds that should leave memory: those idle for the given time and, if the heap is full, also a tenth of all idle
 * ones, the longest idle first.
 * @param idleMs milliseconds of real time
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

/** Addresses of worlds that have left memory: a call to one restarts its world. */
export class IdleWorlds {
  readonly #idle = new Map<string, IdleWorld>();
  #stop: (() => void) | null = null;

  constructor(private readonly clock: IdleClock) {}

  /**
   * Starts regular checks for idle worlds.
   * @param idleMs idle time in milliseconds after which a world leaves memory; Infinity: never
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
    // The error isn't lost: the next call of the world gets it.
    rest.ended.catch(() => undefined);
  }

  /**
   * Returns the address and data of a world that has left memory; undefined if it hasn't left.
   * @throws StoreError if it couldn't be stored
   */
  async of(id: string): Promise<IdleWorld | undefined> {
    const rest = this.#idle.get(id);
    await rest?.ended;
    return rest;
  }

  urlOf(id: string): string | null {
    return this.#idle.get(id)?.address.url ?? null;
  }

  /** Removes a world that runs again. */
  end(id: string): void {
    this.#idle.delete(id);
  }

  /** Removes a deleted world, and closes its address. */
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
