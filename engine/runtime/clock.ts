import { setTimeout as wait } from 'node:timers/promises';
import type { Engine } from './engine.js';
import type { Json } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { isHeapFull } from './heap.js';
import type { TimerFailure } from './timer-failure.js';
import type { CommandInfo, JournalRecord, RetentionKind, Row } from '../world/index.js';
import type { CommandExecution } from './command-execution.js';

/** What advancing the clock brought. */
export interface Advance {
  /** The first events that were emitted, in order. */
  readonly events: readonly AdvancedEvent[];
  /** How many were emitted. */
  readonly total: number;
  /** How many timers fired. */
  readonly fired: number;
  /** The first timers whose steps failed, in order. */
  readonly failed: readonly TimerFailure[];
  /** How many failed. */
  readonly failedTotal: number;
  /** Why the clock did not get as far as it should: `beyond`, it would have left the calendar and did not move. */
  readonly stopped: 'budget' | 'reset' | 'beyond' | null;
  /** Which budget was used up. */
  readonly exceeded: 'timers' | 'events' | 'memory' | null;
  /** The event that it was to stop at, when it has come. */
  readonly untilEvent: Row | null;
}

/** An event, and the pack that emitted it. */
export interface AdvancedEvent {
  readonly row: Row;
  readonly engine: Engine;
}

/** Whether an event is the one that the clock is to stop at. */
export type AdvanceLimit = (event: Row, engine: Engine) => boolean;

/** Who advances the clock, for the ledger. */
export type AdvanceCause = Pick<CommandInfo, 'request' | 'trace' | 'args'>;

/** What happens outside while the world's clock is frozen or moves: deliveries. */
export interface Outside {
  /** Makes every attempt that is due, and records its outcome in the world. */
  flush(): Promise<unknown>;
  /** Records the outcomes of attempts so far in the world. */
  recordOutcomes(): void;
  /** From now on no attempt is repeated: the clock advances. */
  hold(): void;
  /** The clock is frozen: what has fallen due is repeated. */
  release(): void;
  /** The world was emptied. */
  reset(): void;
  /** The world, emptied before, is at a moment until which the outside had done this. */
  restore(journal: readonly JournalRecord[]): void;
}

/** How far a running advance has got, in world milliseconds. */
export interface Progress {
  readonly from: number;
  readonly to: number;
  readonly fired: number;
}

export interface ClockOptions {
  /** Most timers that one advance fires. */
  readonly timerBudget?: number;
  /** Most events that one advance causes. */
  readonly eventBudget?: number;
  /** Whether memory is so short that an advance must end. */
  readonly isMemoryShort?: () => boolean;
  /** Most events that an advance returns. */
  readonly reported?: number;
  /** Real time in milliseconds. */
  readonly wallMs?: () => number;
  /** Emitted once a second how far a long advance has got. */
  readonly onProgress?: (progress: Progress & { readonly nowMs: number }) => void;
  /** Those of its company, whose packs have a control of the same clock each. */
  readonly turns?: ClockTurns;
  /** Lets happen what follows from what was committed, and gives its events: rules of its company. */
  readonly follow?: () => readonly AdvancedEvent[];
}

/** Whose turn it is to move a clock. */
export class ClockTurns {
  last: Promise<unknown> = Promise.resolve();
  progress: { from: number; to: number; fired: number } | null = null;
  ticker: NodeJS.Timeout | null = null;
  /** Moves that wait for their turn or are in progress. */
  count = 0;
}

/** Whose clocks an advance moves, all by the same span: null is the world's. */
type Lines = 'all' | readonly (string | null)[];

/** Lets an application act at the times of what it is notified of, while the clock advances. */
export interface Pace {
  /** Real milliseconds without a call of an API after which the application is taken to have done what it does. */
  readonly quietMs: number;
}

/** How a clock is advanced. */
export interface AdvanceOptions {
  /** Who advances it, for the ledger. */
  readonly why?: AdvanceCause;
  /** Stops right after the command that emits such an event. */
  readonly until?: AdvanceLimit;
  readonly lines?: Lines;
  /** After each moment with events the clock is frozen until their deliveries were responded to. Null: it does not wait. */
  readonly pace?: Pace | null;
}

/** Milliseconds after which an advance lets others have their turn. */
const SLICE_MS = LIMITS.slice.value;
/** Milliseconds between two steps of a clock that follows real time. */
const TICK_MS = 100;
/** Milliseconds between two reports of an advance. */
const REPORT_INTERVAL_MS = 1000;

/**
 * Moves a world's clock: timers fire in the order in which they become due, each as a command of its own. A long advance
 * gives way to other requests between timers; a second one waits until the first is done.
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

  /** It is frozen and is not being advanced. */
  get isAtRest(): boolean {
    return this.#turns.ticker === null && this.#turns.count === 0;
  }

  /** The advance that is in progress. */
  get progress(): Progress | null {
    return this.#turns.progress;
  }

  /** Advances the clock to a time (world milliseconds). */
  advance(toMs: number, options?: AdvanceOptions): Promise<Advance> {
    return this.#inTurn(() => toMs, options);
  }

  /** Advances the clock on from where it is when its turn comes; with `until` at most that far. */
  advanceBy(ms: number, options?: AdvanceOptions): Promise<Advance> {
    return this.#inTurn((now) => now + ms, options);
  }

  /**
   * Empties the world and rewinds its clock. An advance in progress ends where it is.
   * @param refill puts something into the empty world, in the same command
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

  /** As `reset`, with a seed that lets others have their turn (`Engine.resetInSlices`). @throws SeedRejected */
  async resetInSlices(...how: Parameters<Engine['resetInSlices']>): Promise<void> {
    while (this.engine.seeding !== null) await this.engine.seeding;
    const done = this.engine.resetInSlices(...how);
    this.outside?.reset();
    await done;
  }

  /**
   * Makes an earlier moment the present, deliveries included. An advance in progress ends where it is.
   * @param n number of the ledger entry after which it was; 0: before the first
   * @throws BeyondLedger
   */
  rewind(n: number, args: Json = null): void {
    const journal = this.engine.rewind(n, args);
    this.outside?.reset();
    this.outside?.restore(journal);
  }

  /** From now on the world's clock advances with real time. */
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

  /** Stops following real time. */
  close(): void {
    if (this.#turns.ticker !== null) clearInterval(this.#turns.ticker);
    this.#turns.ticker = null;
  }

  /** @param waits for attempts that are due, so that the world's record does not depend on when they end; real time does not wait */
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

  /** Lets the outside respond to what has happened, at the time at which it happened. */
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

  /** @param epoch that of the world that is meant: a reset ends what was in flight */
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
    // At one time the world comes first, then owners by their names.
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
    /** The line whose timer comes next, and after how much of the way. */
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
    /** Sets every clock to where so much of the way has passed: those of owners in one command. */
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
    /** How far on the way there were events whose receivers have not been waited for. */
    let emittedAfter: number | null = null;
    /** It stops on the way: the clocks have all gone equally far, and the outside responds to the last moment too. */
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
    // Only now is it known from where the clock advances.
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

/** The clocks of the objects of a pack. */
function ownClocks(engine: Engine): readonly { readonly line: string; readonly engine: Engine }[] {
  return [...engine.world.clocks.entries()]
    .map(([line]) => line)
    .sort()
    .map((line) => ({ line, engine }));
}
