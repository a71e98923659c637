import type { Engine } from './index.js';
import type { Row } from '../world/index.js';

/** What moving the clock brought. */
export interface Advance {
  /** The first events that were emitted, in order. */
  readonly events: readonly Row[];
  /** How many were emitted. */
  readonly total: number;
  /** How many timers fired. */
  readonly fired: number;
  /** Why the clock did not get as far as it was told to. */
  readonly stopped: 'budget' | 'reset' | null;
}

/** How far a running advance has got, in world milliseconds. */
export interface Progress {
  readonly from: number;
  readonly to: number;
  readonly fired: number;
}

export interface ClockOptions {
  /** Most timers that one advance fires. */
  readonly budget?: number;
  /** Most events that an advance tells. */
  readonly tells?: number;
  /** Wall time in milliseconds. */
  readonly wallMs?: () => number;
  /** Told once a second how far a long advance has got. */
  readonly onProgress?: (progress: Progress & { readonly nowMs: number }) => void;
}

/** Milliseconds after which an advance lets others have their turn. */
const SLICE = 5;
/** Milliseconds between two steps of a clock that follows wall time. */
const TICK = 100;
/** Milliseconds between two reports of an advance. */
const REPORT = 1000;

/**
 * Moves a world's clock: timers fire in the order in which they fall due, each as a command of its own. A long advance
 * gives way to other requests between timers; a second one waits until the first is done.
 */
export class ClockControl {
  readonly budget: number;
  readonly tells: number;
  readonly #wallMs: () => number;
  readonly #onProgress: NonNullable<ClockOptions['onProgress']>;
  #last: Promise<unknown> = Promise.resolve();
  #progress: { from: number; to: number; fired: number } | null = null;
  #ticker: NodeJS.Timeout | null = null;

  /** @param outbox forgets its deliveries when the world is reset */
  constructor(
    private readonly engine: Engine,
    private readonly outbox: { reset(): void } | null = null,
    options: ClockOptions = {},
  ) {
    this.budget = options.budget ?? 5_000_000;
    this.tells = options.tells ?? 10_000;
    this.#wallMs = options.wallMs ?? Date.now;
    this.#onProgress = options.onProgress ?? (() => undefined);
  }

  get mode(): 'frozen' | 'realtime' {
    return this.#ticker === null ? 'frozen' : 'realtime';
  }

  /** The advance that is under way. */
  get progress(): Progress | null {
    return this.#progress;
  }

  /** Moves the clock to a time (world milliseconds). */
  advance(toMs: number): Promise<Advance> {
    return this.#inTurn(() => toMs);
  }

  /** Moves the clock on from where it stands when its turn comes. */
  advanceBy(ms: number): Promise<Advance> {
    return this.#inTurn((now) => now + ms);
  }

  /** Empties the world and rewinds its clock. An advance under way ends where it is. */
  reset(t0: number | undefined, keep: { readonly durations?: boolean }): void {
    this.engine.reset(t0, keep);
    this.outbox?.reset();
  }

  /** From now on the world's clock moves with wall time. */
  followWallTime(): void {
    if (this.#ticker !== null) return;
    let last = this.#wallMs();
    this.#ticker = setInterval(() => {
      const passed = this.#wallMs() - last;
      last += passed;
      if (passed > 0) void this.advanceBy(passed);
    }, TICK);
    this.#ticker.unref();
  }

  /** Stops following wall time. */
  close(): void {
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }

  #inTurn(target: (nowMs: number) => number): Promise<Advance> {
    const { timers } = this.engine.world;
    const turn = this.#last.then(() => this.#run(target, timers));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** @param timers those of the world that is meant: a reset world has others */
  async #run(target: (nowMs: number) => number, timers: Engine['world']['timers']): Promise<Advance> {
    const { engine } = this;
    const { world } = engine;
    const events: Row[] = [];
    let total = 0;
    const progress = { from: world.nowMs, to: target(world.nowMs), fired: 0 };
    const ended = (stopped: Advance['stopped']): Advance => ({ events, total, fired: progress.fired, stopped });
    if (world.timers !== timers) return ended('reset');
    this.#progress = progress;
    let reported = this.#wallMs();
    try {
      for (let slice = performance.now(); ;) {
        if (progress.fired >= this.budget && world.timers.next(progress.to)) return ended('budget');
        const emitted = engine.fireNext(progress.to);
        if (emitted === undefined) break;
        progress.fired++;
        total += emitted.length;
        for (const event of emitted) if (events.length < this.tells) events.push(event);
        if (performance.now() - slice < SLICE) continue;
        await new Promise(setImmediate);
        if (world.timers !== timers) return ended('reset');
        slice = performance.now();
        if (this.#wallMs() - reported < REPORT) continue;
        reported = this.#wallMs();
        this.#onProgress({ ...progress, nowMs: world.nowMs });
      }
      world.moveTo(progress.to);
      return ended(null);
    } finally {
      this.#progress = null;
    }
  }
}
