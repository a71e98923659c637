import { LIMITS } from '../limits.js';
import { type Row, Timer } from '../world/index.js';
import type { ResourceProgram, WaitProgram } from '../program/index.js';
import type { ReadContext } from './read-context.js';

/** Sets and cancels timers within one command. */
export class Waits {
  #immediate: Timer[] = [];

  constructor(private readonly command: ReadContext) {}

  /** Timers without a delay that are set but haven't fired yet, in order. */
  get immediate(): readonly Timer[] {
    return this.#immediate;
  }

  /** Restores an earlier list of timers without a delay. */
  restore(immediate: readonly Timer[]): void {
    this.#immediate = [...immediate];
  }

  /** Removes and returns the next timer without a delay; undefined: none. */
  takeImmediate(): Timer | undefined {
    return this.#immediate.shift();
  }

  /** Sets the timers of a state that an object just entered. */
  arm(
    resource: ResourceProgram,
    row: Row,
    timers: readonly { readonly delay: string; readonly trigger: string }[],
  ): void {
    for (const { delay, trigger } of timers) {
      const wait = this.#delayMs(resource, row, delay);
      if (wait === null) continue;
      const timer = this.#add(row, trigger, this.command.nowMs + wait);
      if (timer.due <= this.command.nowMs) this.#immediate.push(timer);
    }
  }

  /** Starts waits of an object, and restarts running ones. */
  begin(resource: ResourceProgram, row: Row, waits: readonly WaitProgram[]): void {
    for (const wait of waits)
      if (row.alive && (wait.when === null || wait.when()(this.command, row, null) === true))
        this.arm(resource, row, [wait]);
  }

  /** Sets the timers that an object's state requires, counted from `sinceMs`, without firing any (for seed data). */
  armSilently(resource: ResourceProgram, row: Row, sinceMs: number): void {
    const { machine, status } = resource.def;
    const { command } = this;
    const ofState = machine && status !== null ? machine.timersOf(String(row.value[status])) : [];
    const states = status === null ? [] : (resource.waitsOnEnter.get(String(row.value[status])) ?? []);
    const waits = [...new Set([...resource.waitsOnCreated, ...states])];
    if (ofState.length + waits.length === 0) return;
    const { nowMs, now } = command;
    command.nowMs = sinceMs;
    command.now = command.runtime.model.env.fromMs(sinceMs);
    const begun = waits.filter(({ when }) => when === null || when()(command, row, null) === true);
    for (const { delay, trigger } of [...ofState, ...begun]) {
      const wait = this.#delayMs(resource, row, delay);
      if (wait !== null) this.#add(row, trigger, sinceMs + wait);
    }
    command.nowMs = nowMs;
    command.now = now;
  }

  /** Sets a timer for a time (ms), without firing it. */
  armAt(row: Row, trigger: string, dueMs: number): void {
    this.#add(row, trigger, dueMs);
  }

  disarm(row: Row, triggers: readonly string[]): void {
    const { transaction } = this.command;
    for (const trigger of triggers) {
      const timer = row.timerOf(trigger);
      if (timer) transaction.disarm(timer);
    }
  }

  /** Returns the length of a named delay in milliseconds; null: it never ends. */
  #delayMs(resource: ResourceProgram, row: Row, name: string): number | null {
    const own = resource.delays.get(name);
    if (!own) return this.command.durationMs(name);
    const wait = own()(this.command, row, null);
    return typeof wait === 'number' ? Math.max(0, wait) : null;
  }

  #add(row: Row, trigger: string, due: number): Timer {
    const { world, transaction } = this.command;
    const running = row.timerOf(trigger);
    if (running) transaction.disarm(running);
    const timer = new Timer(row, trigger, due, world.nextSeq(), this.command.line);
    // A timer that would be due after the end of the calendar is never set.
    if (due <= LIMITS.latest.value) transaction.arm(timer);
    return timer;
  }
}
