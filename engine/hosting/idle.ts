import v8 from 'node:v8';
import type { IdleWorld } from './address.js';
import type { IdleClock } from './calls.js';
import type { HeldWorld } from './ownership.js';

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
