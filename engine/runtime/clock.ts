import { setTimeout as wait } from 'node:timers/promises';
import type { Engine } from './engine.js';
import type { Json } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { isHeapFull } from './heap.js';
import type { TimerFailure } from './timer-failure.js';
import type { CommandInfo, JournalRecord, RetentionKind, Row } from '../world/index.js';
import type { CommandExecution } from './command-execution.js';

/** The result of an advance of the clock. */
export interface Advance {
  /** The first emitted events, in order; at most `reported`. */
  readonly events: readonly AdvancedEvent[];
  /** Number of events that were emitted. */
  readonly total: number;
  /** Number of timers that fired. */
  readonly fired: number;
  /** The first timers whose steps failed, in order; at most a limited number. */
  readonly failed: readonly TimerFailure[];
  /** Number of timers whose steps failed. */
  readonly failedTotal: number;
  /** Why the clock stopped early; null if it didn't. `beyond`: it didn't advance, since the target isn't in the calendar. */
  readonly stopped: 'budget' | 'reset' | 'beyond' | null;
  /** Which budget the advance has used up; null: none. */
  readonly exceeded: 'timers' | 'events' | 'memory' | null;
  /** The event at which the advance stopped, by `until`; null: none. */
  readonly untilEvent: Row | null;
}

/** An event that was emitted during an advance, and the engine of its pack. */
export interface AdvancedEvent {
  readonly row: Row;
  readonly engine: Engine;
}

/** Condition on an emitted event that stops an advance. */
export type AdvanceLimit = (event: Row, engine: Engine) => boolean;

/** The request, trace and arguments that caused an advance, for the ledger. */
export type AdvanceCause = Pick<CommandInfo, 'request' | 'trace' | 'args'>;

/** The outbox of deliveries, as the clock uses it: deliveries run in real time, outside of the world. */
export interface Outside {
  /** Attempts all due deliveries, and records their outcomes in the world. */
  flush(): Promise<unknown>;
  /** Records the known outcomes of deliveries in the world. */
  recordOutcomes(): void;
  /** Pauses repeated attempts of deliveries, while the clock advances. */
  hold(): void;
  /** Resumes repeated attempts, including those that became due during the pause. */
  release(): void;
  /** Called when the world was reset. */
  reset(): void;
  /** Called when the world was rewound. @param journal the records of deliveries up to the restored moment */
  restore(journal: readonly JournalRecord[]): void;
}

/** The state of a running advance: start and target (ms of simulated time), and number of fired timers. */
export interface Progress {
  readonly from: number;
  readonly to: number;
  readonly fired: number;
}

export interface ClockOptions {
  /** Maximum number of timers that one advance fires. */
  readonly timerBudget?: number;
  /** Maximum number of events that one advance emits. */
  readonly eventBudget?: number;
  /** Whether memory is so short that an advance has to end. */
  readonly isMemoryShort?: () => boolean;
  /** Maximum number of events in the result of an advance. */
  readonly reported?: number;
  /** Returns the real time in milliseconds. */
  readonly wallMs?: () => number;
  /** Called once a second with the progress of a long advance. */
  readonly onProgress?: (progress: Progress & { readonly nowMs: number }) => void;
  /** The queue of advances of the clock that all packs of a company share. */
  readonly turns?: ClockTurns;
  /** Applies a company's rules to committed changes. @returns the events that they emitted */
  readonly follow?: () => readonly AdvancedEvent[];
}

/** The queue of a clock's advances: each waits for the previous one. */
export class ClockTurns {
  last: Promise<unknown> = Promise.resolve();
  progress: { from: number; to: number; fired: number } | null = null;
  ticker: NodeJS.Timeout | null = null;
  /** Number of advances that are waiting or in progress. */
  count = 0;
}

/** The clocks that an advance moves by the same span, by time owner; null is the world's clock. */
type Lines = 'all' | readonly (string | null)[];

/** Makes an advance wait for the application's reactions to events. */
export interface Pace {
  /** Milliseconds of real time without an API call after which the application counts as finished. */
  readonly quietMs: number;
}

/** Options of an advance. */
export interface AdvanceOptions {
  /** The request, trace and arguments that cause the advance, for the ledger. */
  readonly why?: AdvanceCause;
  /** Condition on an emitted event; the advance stops right after the command that emits the event. */
  readonly until?: AdvanceLimit;
  readonly lines?: Lines;
  /** After each moment with events, the advance waits for responses to their deliveries. Null: no waiting. */
  readonly pace?: Pace | null;
}

/** Milliseconds after which an advance lets other requests run. */
const SLICE_MS = LIMITS.slice.value;
/** Milliseconds between steps of a clock that follows real time. */
const TICK_MS = 100;
/** Milliseconds between progress reports of an advance. */
const REPORT_INTERVAL_MS = 1000;

/**
 * Advances a world's clock: timers fire in the order in which they become due, each as a command of its own. A long advance
 * lets other requests run between timers; a second advance waits for the first.
 */
export class ClockControl {
  readonly timerBudget: number;
  readonly eventBudget: number;
  readonly reported: number;
  readonly #isMemoryShort: () => boolean;
  readonly #wallMs: () => number;
  readonly #onProgress: NonNullable<ClockOptions['onProgress']>;
  readonly #turns: ClockTurns;
  readonly #follow: NonNullable<ClockOptions['follow']>;

  constructor(
    private readonly engine: Engine,
    private readonly outside: Outside | null = null,
    options: ClockOptions = {},
  ) {
    this.timerBudget = options.timerBudget ?? LIMITS.advanceTimers.value;
    this.eventBudget = options.eventBudget ?? LIMITS.advanceEvents.value;
    this.#isMemoryShort = options.isMemoryShort ?? (() => isHeapFull());
    this.reported = options.reported ?? LIMITS.advanceTold.value;
    this.#wallMs = options.wallMs ?? Date.now;
    this.#onProgress = options.onProgress ?? (() => undefined);
    this.#turns = options.turns ?? new ClockTurns();
    this.#follow = options.follow ?? (() => []);
  }

  get mode(): 'frozen' | 'realtime' {
    return this.#turns.ticker === null ? 'frozen' : 'realtime';
  }

  /** Whether the clock doesn't follow real time, and no advance is waiting or in progress. */
  get isAtRest(): boolean {
    return this.#turns.ticker === null && this.#turns.count === 0;
  }

  /** The state of the advance in progress; null: none. */
  get progress(): Progress | null {
    return this.#turns.progress;
  }

  /** Advances the clock to a simulated time, in milliseconds. */
  advance(toMs: number, options?: AdvanceOptions): Promise<Advance> {
    return this.#inTurn(() => toMs, options);
  }

  /** Advances the clock by a span (ms), counted from the time after earlier advances; less if `until` stops it. */
  advanceBy(ms: number, options?: AdvanceOptions): Promise<Advance> {
    return this.#inTurn((now) => now + ms, options);
  }

  /**
   * Resets the world and its clock. A running advance stops.
   * @param refill adds objects to the empty world, in the same command
   */
  reset(
    t0: number | undefined,
    keep: readonly RetentionKind[] = [],
    refill?: (command: CommandExecution) => void,
    args: Json = null,
  ): void {
    this.engine.reset(t0, keep, refill, args);
    this.outside?.reset();
  }

  /** Resets the world and its clock; inserts seed data in slices, between which other code runs. @throws SeedRejected */
  async resetInSlices(...how: Parameters<Engine['resetInSlices']>): Promise<void> {
    while (this.engine.seeding !== null) await this.engine.seeding;
    const done = this.engine.resetInSlices(...how);
    this.outside?.reset();
    await done;
  }

  /**
   * Rewinds the world, including deliveries, to an earlier moment. A running advance stops.
   * @param n number of the ledger entry that the moment follows; 0: before the first
   * @throws BeyondLedger
   */
  rewind(n: number, args: Json = null): void {
    const journal = this.engine.rewind(n, args);
    this.outside?.reset();
    this.outside?.restore(journal);
  }

  /** Makes the world's clock follow real time from now on. */
  followWallTime(): void {
    if (this.#turns.ticker !== null) return;
    let last = this.#wallMs();
    this.#turns.ticker = setInterval(() => {
      const passed = this.#wallMs() - last;
      last += passed;
      if (passed > 0) void this.#inTurn((now) => now + passed, { lines: [null] }, false);
    }, TICK_MS);
    this.#turns.ticker.unref();
  }

  /** Stops the clock from following real time. */
  close(): void {
    if (this.#turns.ticker !== null) clearInterval(this.#turns.ticker);
    this.#turns.ticker = null;
  }

  /**
   * Advances the clock after earlier advances are finished.
   * @param waits whether due attempts of deliveries are awaited first, so that the ledger doesn't depend on their duration;
   * false if the clock follows real time
   */
  #inTurn(target: (nowMs: number) => number, options: AdvanceOptions = {}, waits = true): Promise<Advance> {
    const { epoch } = this.engine.world;
    const turn = this.#turns.last.then(async () => {
      if (waits) await this.outside?.flush();
      else this.outside?.recordOutcomes();
      this.outside?.hold();
      try {
        return await this.#run(target, epoch, options);
      } finally {
        this.outside?.release();
      }
    });
    this.#turns.count++;
    const over = (): void => {
      this.#turns.count--;
    };
    this.#turns.last = turn.then(over, over);
    return turn;
  }

  /** Waits, with the clock stopped, until due deliveries have responses and the application makes no more calls. */
  async #settle({ quietMs }: Pace): Promise<void> {
    const calls = (): number => this.engine.company.reduce((sum, each) => sum + each.world.requestStream.position, 0);
    const until = performance.now() + LIMITS.flush.value;
    for (let seen = -1; seen !== calls() && performance.now() < until;) {
      seen = calls();
      this.outside?.release();
      await this.outside?.flush();
      this.outside?.hold();
      if (quietMs > 0) await wait(quietMs);
    }
  }

  #spent(fired: number, events: number): 'timers' | 'events' | null {
    if (fired >= this.timerBudget) return 'timers';
    return events >= this.eventBudget ? 'events' : null;
  }

  /** Fires timers until the target is reached. @param epoch at the start; a reset changes it, which ends the advance */
  async #run(
    target: (nowMs: number) => number,
    epoch: number,
    { why, until, lines: which = 'all', pace = null }: AdvanceOptions,
  ): Promise<Advance> {
    const { engine } = this;
    const { world } = engine;
    const mover: CommandInfo = { command: 'clock', origin: 'clock', ...why };
    const events: AdvancedEvent[] = [];
    const failed: TimerFailure[] = [];
    let total = 0;
    let failedTotal = 0;
    let untilEvent: Row | null = null;
    let passed = 0;
    // Of timers that are due at the same time, the world's fire first, then those of time owners by name.
    const clocks: readonly { readonly line: string | null; readonly engine: Engine }[] =
      which === 'all'
        ? [{ line: null, engine }, ...engine.company.flatMap(ownClocks)]
        : which
            .filter((line) => line === null || world.clocks.get(line) !== undefined)
            .map((line) => ({ line, engine }));
    const start = ({ line, engine: { runtime } }: (typeof clocks)[number]): number => runtime.times.msOf(line);
    const [first = { line: null, engine }] = clocks;
    const progress = { from: start(first), to: target(start(first)), fired: 0 };
    const span = progress.to - progress.from;
    const lines = clocks.map((each) => ({ ...each, from: start(each), to: start(each) + span }));
    /** Returns the clock whose timer is due next, with the timer's distance from the start of the advance (ms). */
    const nextLine = (): { readonly each: (typeof lines)[number]; readonly after: number } | undefined => {
      let best: (typeof lines)[number] | undefined;
      let least = Infinity;
      for (const each of lines) {
        const timer =
          each.line === null ? world.timeline.next(each.to)?.timer : each.engine.world.timers.next(each.to, each.line);
        if (timer !== undefined && timer.due - each.from < least) [best, least] = [each, timer.due - each.from];
      }
      return best && { each: best, after: least };
    };
    /** Advances every clock by a part of the span (ms); the clocks of time owners in one command. */
    const arrive = (after: number): void => {
      const { args = null, ...caller } = why ?? {};
      for (const each of engine.company) {
        const { clocks } = each.world;
        const own = lines.flatMap(({ line, from, engine: whose }) => {
          const now = line === null || whose !== each ? undefined : clocks.get(line);
          return line !== null && now !== undefined && now < from + after ? [[line, from + after] as const] : [];
        });
        const write = ({ transaction }: CommandExecution): void => {
          for (const [line, ms] of own) transaction.write(clocks, line, ms);
        };
        if (own.length > 0) each.command('clock', 'clock', write, args, caller);
      }
    };
    /** Distance (ms) from the start at which the newest events occurred whose deliveries have no responses yet; null: none. */
    let emittedAfter: number | null = null;
    /** Ends the advance before its target: moves all clocks by the same part, and waits for reactions to the newest events. */
    const stop = async (stopped: Advance['stopped'], exceeded: Advance['exceeded'] = null): Promise<Advance> => {
      arrive(passed);
      if (lines.some(({ line }) => line === null) && progress.from + passed > world.nowMs)
        world.moveTo(progress.from + passed, mover);
      if (pace !== null && emittedAfter !== null) await this.#settle(pace);
      return ended(world.epoch === epoch ? stopped : 'reset', exceeded);
    };
    const ended = (stopped: Advance['stopped'], exceeded: Advance['exceeded'] = null): Advance => ({
      events,
      total,
      fired: progress.fired,
      failed,
      failedTotal,
      stopped,
      exceeded,
      untilEvent,
    });
    if (world.epoch !== epoch) return ended('reset');
    // The start time is known only now, after earlier advances.
    if (progress.to > LIMITS.latest.value) return ended('beyond');
    this.#turns.progress = progress;
    let reported = this.#wallMs();
    try {
      for (let slice = performance.now(); ;) {
        const spent = this.#spent(progress.fired, total);
        if (spent && nextLine()) return await stop('budget', spent);
        const next = nextLine();
        if (pace !== null && emittedAfter !== null && (next === undefined || next.after > emittedAfter)) {
          emittedAfter = null;
          await this.#settle(pace);
          if (world.epoch !== epoch) return ended('reset');
          continue;
        }
        if (next === undefined) break;
        const fired = next.each.engine.fireNext(next.each.to, mover, next.each.line);
        if (fired === undefined) break;
        progress.fired++;
        passed = next.after;
        const emitted = [...fired.events.map((row) => ({ row, engine: fired.engine })), ...this.#follow()];
        total += emitted.length;
        if (emitted.length > 0) emittedAfter = next.after;
        for (const each of emitted) if (events.length < this.reported) events.push(each);
        if (fired.failure !== null && failedTotal++ < LIMITS.failuresTold.value) failed.push(fired.failure);
        untilEvent = (until && emitted.find((each) => until(each.row, each.engine))?.row) ?? null;
        if (untilEvent) return await stop(null);
        if (performance.now() - slice < SLICE_MS) continue;
        if (nextLine() && this.#isMemoryShort()) return await stop('budget', 'memory');
        await new Promise(setImmediate);
        if (engine.seeding !== null) await engine.seeding;
        await world.keeper?.room?.();
        if (world.epoch !== epoch) return ended('reset');
        slice = performance.now();
        if (this.#wallMs() - reported < REPORT_INTERVAL_MS) continue;
        reported = this.#wallMs();
        this.#onProgress({ ...progress, nowMs: world.nowMs });
      }
      arrive(span);
      if (lines.some(({ line }) => line === null)) world.moveTo(progress.to, mover);
      return ended(null);
    } finally {
      this.#turns.progress = null;
    }
  }
}

/** Lists the clocks of a pack's time owners. */
function ownClocks(engine: Engine): readonly { readonly line: string; readonly engine: Engine }[] {
  return [...engine.world.clocks.entries()]
    .map(([line]) => line)
    .sort()
    .map((line) => ({ line, engine }));
}
