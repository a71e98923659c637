import { packErrorName } from '../codes.js';
import { busyWith } from './activity.js';
import { endOf, type Json, type JsonObject, member, useByteStore } from '../values/index.js';
import { engineError, type Model, NO_REQUEST, type RequestInfo } from '../model/index.js';
import {
  type CommandInfo,
  type Fork,
  type StoredWorld,
  type JournalRecord,
  type RetentionKind,
  type EntryOrigin,
  Past,
  type Row,
  type Timer,
  type Trace,
  type UnsupportedUse,
  World,
  type WorldConfig,
  type WorldKeeper,
} from '../world/index.js';
import { pressingSweep, sweepBytes } from './bytes-in-use.js';
import type { Addressed, RowTransition } from './command.js';
import { CommandExecution } from './command-execution.js';
import { Rejection, type Program } from '../program/index.js';
import { type OperationResponse } from './operation-response.js';
import { Coverage } from './coverage.js';
import { type ApiCall, Invocations } from './invocation.js';
import { journalUntil } from './moment.js';
import { type ExogenousValue, exogenousOf } from './pins.js';
import { Runtime } from './runtime.js';
import { NO_SURROUNDINGS, type Surroundings } from './surroundings.js';
import { SeedRejected } from './seed-check.js';
import { seed, seeding, type SeedObjects } from './seed.js';
import { makeSingleton } from './singletons.js';
import { requireMemory, whileMemoryLasts } from './heap.js';
import { SlicedCommands } from './slices.js';
import { OperationCalls } from './calls.js';
import {
  reasonOf,
  shownFailure,
  TIMER_FAILED,
  type TimerFailure,
  TimerFailures,
  traceFailure,
} from './timer-failure.js';
import { hasBegun, worldOf } from './world-of.js';
import { CauseRejected, type PossibleEvent, type PossibleFilter, WorldEvents } from './world-events.js';

export interface EngineOptions {
  readonly seed: string;
  /** Simulated time at which the world starts, in milliseconds. */
  readonly t0: number;
  /** Minimum number of ledger entries to keep; Infinity: all. */
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Receives every ledger entry, and every record of the journal. */
  readonly keeper?: WorldKeeper;
  /** The stored world to continue from; by default the world is new. */
  readonly kept?: Omit<StoredWorld, 'header'>;
  /** The fork of another world from which this world starts. */
  readonly fork?: Fork;
  /** Number of the last ledger entry of the world that the new one replaces, after which numbering continues. */
  readonly after?: number;
  /** The company that this pack joins: its world, which exists already, and the engines of its other packs. */
  readonly member?: {
    readonly world: World;
    readonly company: Engine[];
    /** Whether the company's world continues from a store or a fork. */
    readonly continues: boolean;
  };
  /** Coverage to continue, of the world that the new one replaces. */
  readonly coverage?: Coverage;
  /** Whether an unknown API version is served as the nearest version; otherwise the call is rejected. */
  readonly lenientVersions?: boolean;
  /** Called once for each unknown API version that is served as the nearest one. */
  readonly onNearVersion?: (asked: string, served: string) => void;
  /** Whether calls that use something documented but not emulated are rejected; otherwise they are reported. */
  readonly strict?: boolean;
  /** Called once per operation and feature, when a call first uses something that the pack doesn't emulate. */
  readonly onUnsupported?: (use: UnsupportedUse, what: string) => void;
  /** Called with each defect of the pack or the engine: the error, and the work in which it occurred. */
  readonly onDefect: (error: unknown, what: string) => void;
  /** The world's address, deliveries and files; by default the world can't be called and sends nothing. */
  readonly surroundings?: Surroundings;
}

/** The result of firing a timer. */
export interface Fired {
  readonly events: readonly Row[];
  /** The engine of the timer's pack. */
  readonly engine: Engine;
  /** Why the timer's steps had no effect; null: they ran. */
  readonly failure: TimerFailure | null;
}

/** Transitions and events of a committed command, for listeners. */
export interface CompletedCommand {
  readonly transitions: readonly RowTransition[];
  readonly events: readonly Row[];
}

/** A pack on a world: runs operations, external events, timers and seed data, each as one command. */
export class Engine {
  readonly world: World;
  readonly runtime: Runtime;
  readonly model: Model;
  /** The parts of the pack that calls have used. */
  readonly coverage: Coverage;
  /** All engines of the engine's company, in order; without a company, only this engine. */
  readonly company: readonly Engine[];
  /** Restores the world's states at earlier moments. */
  readonly past: Past;
  readonly #calls: OperationCalls;
  readonly #worldEvents: WorldEvents;
  readonly #failures: TimerFailures;
  readonly #sliced: SlicedCommands;
  readonly #listeners: ((events: readonly Row[]) => void)[] = [];
  readonly #addressees: ((addressed: readonly Addressed[]) => void)[] = [];
  readonly #commandListeners = new Set<(did: CompletedCommand) => void>();
  /** The options that are read after construction. Keeping the others would keep the stored world in memory. */
  readonly options: Pick<EngineOptions, 'onDefect' | 'onNearVersion' | 'onUnsupported'>;
  readonly lenientVersions: boolean;
  readonly #nearVersions = new Set<string>();

  constructor(
    readonly pack: Program,
    options: EngineOptions,
  ) {
    const { onDefect, onNearVersion, onUnsupported } = options;
    this.options = { onDefect, onNearVersion, onUnsupported };
    this.lenientVersions = options.lenientVersions ?? false;
    this.coverage = options.coverage ?? new Coverage();
    this.model = pack.model;
    const { seed, t0, ledgerLimit, traceLimit, keeper, after, fork, kept } = options;
    const config: WorldConfig = {
      collections: pack.resources.map(({ collection }) => collection),
      timeFormat: this.model.settings.time,
      seed,
      t0,
      ledgerLimit,
      traceLimit,
      keeper,
      after,
    };
    const continued = kept && hasBegun(kept) ? kept : null;
    const { member } = options;
    member?.company.push(this);
    this.company = member?.company ?? [this];
    this.world = member?.world ?? worldOf(config, kept, fork);
    const stored = fork ? { entries: fork.source.ledger.since(0, fork.past.ledger.count), journal: [] } : kept;
    this.#failures = new TimerFailures(stored);
    this.world.remarks = () => this.#failures.shown();
    // A fork's journal was restored when the fork was created.
    if (kept && !fork && !member) this.world.restore(kept.journal, kept.moments);
    this.past = new Past(this.world);
    this.runtime = new Runtime(pack, this.world, options.surroundings ?? NO_SURROUNDINGS, options.strict);
    const { files } = this.runtime.surroundings;
    if (files !== null) {
      files.onFull = pressingSweep(this);
      // The secret may be set already: packs of a company share one store, and a reloaded pack keeps it.
      files.secret ??= this.world.config.seed;
    }
    const invocations = new Invocations(pack);
    const publish = (command: CommandExecution): void => this.#publish(command);
    this.#calls = new OperationCalls(this.runtime, invocations, {
      coverage: this.coverage,
      onDefect: this.options.onDefect,
      publish,
    });
    this.#sliced = new SlicedCommands(this.world, publish);
    this.#worldEvents = new WorldEvents(pack, invocations);
    if (!continued && !fork && !member?.continues) this.#start();
  }

  /** Creates the pack's initial objects in this world. */
  #start(name = 'begin', args: Json = null): void {
    if (this.#makesObjects) this.command(name, 'seed', (command) => this.#begin(command), args);
  }

  /** Calls the listener with the events of every committed command. */
  onEvents(listener: (events: readonly Row[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listener with the events of each committed command that are for a single endpoint. */
  onAddressed(listener: (addressed: readonly Addressed[]) => void): void {
    this.#addressees.push(listener);
  }

  /**
   * Calls a listener with every committed command, right after its ledger entry.
   * @returns a function that removes the listener
   */
  subscribe(listener: (did: CompletedCommand) => void): () => void {
    this.#commandListeners.add(listener);
    return () => void this.#commandListeners.delete(listener);
  }

  /** Runs an operation: checks parameters, runs steps and timers without a delay, commits once, and writes the response. */
  call(call: ApiCall): OperationResponse {
    return this.#calls.run(call);
  }

  /** Renders an error for a call that reached no operation. */
  error(name: string, args: JsonObject, request: RequestInfo): OperationResponse {
    return this.#calls.error(name, args, request);
  }

  /** Reports an unknown API version that is served as the nearest one; each version only once. */
  reportNearVersion(asked: string, served: string): void {
    if (this.#nearVersions.has(asked) || this.#nearVersions.size >= MOST_NEAR) return;
    this.#nearVersions.add(asked);
    this.options.onNearVersion?.(asked, served);
  }

  /**
   * Counts uses of features that the pack doesn't emulate, and reports the first of each kind.
   * @param what the call: its operation, or method and path
   */
  noteUnsupported(uses: readonly UnsupportedUse[], operation: string | null, what: string): void {
    for (const use of uses) if (this.coverage.unsupported.note(use, operation)) this.options.onUnsupported?.(use, what);
  }

  /**
   * Fires an external event.
   * @param text whether parameters are texts, as forms send them
   * @param args for the ledger entry
   * @param origin the request or rule that causes the event
   * @throws CauseRejected for an unknown event, wrong parameters, or a precondition that doesn't hold
   */
  cause(
    name: string,
    given: JsonObject,
    text = false,
    args: Json = given,
    origin: 'cause' | 'rule' = 'cause',
  ): { readonly events: readonly Row[]; readonly changed: readonly string[] } {
    const fire = (fired: CommandExecution) => this.#worldEvents.fire(fired, name, given, text);
    const command = this.command(`cause ${name}`, origin, fire, args);
    this.coverage.causes.add(name);
    const events = new Set(command.events.map((row) => row.id));
    const changed = new Set<string>();
    for (const id of command.transaction.touched()) if (!events.has(id)) changed.add(id);
    return { events: command.events, changed: [...changed] };
  }

  /** Lists the external events whose preconditions hold now, with the parameters that name their subjects. */
  possible(filter: PossibleFilter): PossibleEvent[] {
    const command = this.#open('world next', 'control');
    try {
      return this.#worldEvents.possible(command, filter);
    } finally {
      this.world.rollback();
    }
  }

  /**
   * Inserts objects without events.
   * @param args for the ledger entry, which contains the objects as changes
   * @param more restores other parts of a world's state
   * @throws SeedRejected
   */
  seed(
    resources: SeedObjects['resources'],
    args: Json = null,
    more: Omit<SeedObjects, 'resources'> = {},
  ): Record<string, number> {
    let counts: Record<string, number> = {};
    const run = (command: CommandExecution): void => void (counts = seed(this.pack, command, { resources, ...more }));
    this.command('seed', 'seed', run, args);
    return counts;
  }

  /**
   * Like `seed`, but in slices, so that other worlds, and calls that need no world, can run between them. It is still one
   * command: calls of this world wait for its end (`seeding`), and work that can't wait finishes it first.
   */
  async seedInSlices(
    resources: SeedObjects['resources'],
    args: Json,
    more: Omit<SeedObjects, 'resources'>,
  ): Promise<Record<string, number>> {
    while (this.#sliced.current !== null) await this.#sliced.current;
    const command = this.#open('seed', 'seed');
    const steps = seeding(this.pack, command, { resources, ...more });
    return this.#sliced.run('seed', command, steps, args);
  }

  /**
   * Like `reset`, but inserts seed data in slices, like `seedInSlices`. The world is empty at once.
   * @param refill adds objects to the empty world first; if the seed data is rejected, only these remain
   * @throws SeedRejected
   */
  async resetInSlices(
    t0: number | undefined,
    keep: readonly RetentionKind[],
    refill: (command: CommandExecution) => void,
    seeds: SeedObjects,
    args: Json,
  ): Promise<void> {
    this.#empty(t0, keep, args);
    const command = this.#open('reset', 'seed');
    this.#begin(command);
    refill(command);
    const steps = seeding(this.pack, command, seeds);
    await this.#sliced.run('reset', command, steps, args, () => this.reset(t0, keep, refill, args));
    sweepBytes(this, true);
  }

  /** Work outside of the world that must finish before the next call of the vendor API runs; null: none. Never rejects. */
  between: Promise<void> | null = null;

  /** Deletes objects whose retention has ended, by the earliest of the world's and the time owners' clocks. */
  expire(): void {
    const { clocks, collections, tenants, nowMs } = this.world;
    const now = Math.min(nowMs, ...[...clocks.entries()].map(([, ms]) => ms)) / 1000;
    this.command('expire', 'clock', ({ transaction }) => {
      for (const collection of [...collections, ...tenants.collections()])
        for (const row of collection.expired(now)) transaction.expire(collection, row);
    });
  }

  /** Resolves once the seed data in progress is complete; null if there is none. Never rejects. */
  get seeding(): Promise<void> | null {
    return this.#sliced.current;
  }

  /** The newest timers whose steps failed since the last reset, newest last. */
  get failures(): readonly TimerFailure[] {
    return this.#failures.all;
  }

  /**
   * Fires the next timer that is due, and advances the clock to its time. Undefined if no timer is due.
   * @param untilMs end of the advance
   * @param mover origin of the advance, for the ledger
   * @param line the clock, by its name; null: the world's
   */
  fireNext(untilMs: number, mover?: CommandInfo, line: string | null = null): Fired | undefined {
    this.world.settle();
    if (line !== null) {
      const timer = this.world.timers.next(untilMs, line);
      return timer && this.#fire(timer, line);
    }
    const { timeline } = this.world;
    const next = timeline.next(untilMs);
    if (next === undefined) return undefined;
    this.world.moveTo(next.timer.due, mover);
    return this.company[timeline.worlds.indexOf(next.world)].#fire(next.timer, null);
  }

  #fire(timer: Timer, line: string | null): Fired {
    const { row, trigger } = timer;
    busyWith(`timer ${trigger} of`, row.id);
    const args = { object: row.id, trigger };
    try {
      const { events } = this.command(
        'timer',
        'clock',
        (command) => {
          if (line !== null) {
            command.transaction.write(this.world.clocks, line, timer.due);
            command.enterLine(line);
          }
          command.fire(timer);
        },
        args,
      );
      return { events, engine: this, failure: null };
    } catch (error) {
      // The timer is removed although its steps failed, since a defect of the pack must not stop the clock.
      const collection = this.world.collectionOf(row);
      const failure: TimerFailure = {
        object: row.id,
        collection: collection.config.name,
        timer: trigger,
        at: this.model.env.fromMs(timer.due),
        error: reasonOf(error),
      };
      const spend = ({ transaction }: CommandExecution): void => {
        if (line !== null) transaction.write(this.world.clocks, line, timer.due);
        transaction.disarm(timer);
      };
      this.#failures.add(failure);
      this.command(TIMER_FAILED, 'clock', spend, shownFailure(failure));
      traceFailure(failure, this.world);
      this.options.onDefect(error, `timer ${trigger} of ${row.id}`);
      return { events: [], engine: this, failure };
    }
  }

  /**
   * Converts a rejection by an external event's steps. The message is the error's argument `message`, else that of the rendered
   * error.
   */
  #rejection({ error, args }: Rejection): CauseRejected {
    const rendered = engineError(this.model.errors, error).render(this.runtime.reader, NO_REQUEST, args).error;
    const message = args['message'] ?? member(rendered, 'message');
    return new CauseRejected(
      409,
      packErrorName(error),
      typeof message === 'string' ? message : `the pack rejects it: ${error} ${JSON.stringify(rendered)}`,
    );
  }

  /** Begins a command that no call of the vendor API causes. */
  #open(name: string, origin: EntryOrigin): CommandExecution {
    return new CommandExecution(this.runtime, this.#calls, { name, origin, request: NO_REQUEST });
  }

  /**
   * Runs a function as one command that isn't a call of the vendor API; an exception rolls back its changes.
   * @param args the reason, for the ledger entry
   * @param from the call that causes the command
   */
  command(
    name: string,
    origin: EntryOrigin,
    run: (command: CommandExecution) => void,
    args: Json = null,
    from: Pick<CommandInfo, 'request' | 'trace'> = {},
  ): CommandExecution {
    const command = this.#open(name, origin);
    try {
      run(command);
      command.drain();
    } catch (error) {
      if (!(error instanceof Rejection && error.keep)) {
        this.world.rollback();
        throw error instanceof Rejection ? this.#rejection(error) : error;
      }
      command.drain();
    }
    this.world.commit({ command: name, origin, args, ...from });
    this.#publish(command);
    return command;
  }

  /** Resets the world. @param refill adds objects to the empty world, in the same command */
  reset(
    t0: number | undefined,
    keep: readonly RetentionKind[] = [],
    refill: (command: CommandExecution) => void = () => undefined,
    args: Json = null,
  ): void {
    this.#empty(t0, keep, args);
    const run = (command: CommandExecution): void => {
      this.#begin(command);
      refill(command);
    };
    this.command('reset', 'seed', run, args);
    sweepBytes(this, true);
  }

  /** Resets the worlds of all packs of the company, and recreates the initial objects of the other packs. */
  #empty(t0: number | undefined, keep: readonly RetentionKind[], args: Json): void {
    this.world.reset(t0, keep);
    for (const engine of this.company) {
      engine.#failures.clear();
      if (engine !== this) engine.#start('reset', args);
    }
  }

  /**
   * Rewinds the world to an earlier moment, as a ledger entry of its own.
   * @returns the journal up to that moment, for the outbox
   * @throws BeyondLedger
   * @throws MemoryShort since a long rewind needs two worlds in memory
   */
  rewind(n: number, args: Json = null): readonly JournalRecord[] {
    const { timeline } = this.world;
    const entries = timeline.ledger.upTo(n);
    const last = entries?.at(-1);
    if (last !== undefined) {
      const journal = journalUntil(this.world, n, last.after);
      if (this.world.stepBack(last, journal, { command: 'rewind', origin: 'control', args })) {
        this.#failures.clear();
        return journal;
      }
    }
    const then = endOf(whileMemoryLasts(this.past.steps(n, entries)));
    requireMemory();
    const { worlds } = then.timeline;
    const journal = timeline.worlds.flatMap((world, at) => journalUntil(world, n, worlds[at].positions));
    for (const engine of this.company) engine.#failures.clear();
    this.world.rewind(then, journal, { command: 'rewind', origin: 'control', args });
    return journal;
  }

  /** Returns the JSON text of an object's response. */
  text(row: Row): string {
    useByteStore(this.runtime.surroundings.files);
    return this.#calls.writer.row(this.runtime.reader, row);
  }

  /** Returns an object as the vendor API returns it. */
  responseOf(row: Row): JsonObject {
    useByteStore(this.runtime.surroundings.files);
    return this.runtime.resources[row.resource].response().value(this.runtime.reader, row.value);
  }

  /** Lists a trace's values from outside that a run may override, with their origins. */
  exogenous(trace: Trace): ExogenousValue[] {
    return exogenousOf(this.runtime, trace.subjects, trace.decided);
  }

  /** Number of the first ledger entry after which all initial objects exist; 0 if no pack has initial objects. */
  get firstMoment(): number {
    const beginners = this.company.filter((each) => each.#makesObjects);
    return beginners.length;
  }

  get #makesObjects(): boolean {
    return this.#singletons.length > 0 || this.pack.initial !== null;
  }

  get #singletons(): Program['resources'] {
    return this.pack.resources.filter(({ def }) => def.singleton);
  }

  /** Creates the pack's initial objects, within a command. */
  #begin(command: CommandExecution): void {
    for (const resource of this.#singletons) makeSingleton(command, resource);
    const { initial } = this.pack;
    if (initial === null) return;
    try {
      seed(this.pack, command, { resources: initial(command) });
    } catch (error) {
      if (!(error instanceof SeedRejected)) throw error;
      throw new Error(`'initial' of the pack: ${error.message}`, { cause: error });
    }
  }

  #publish({ events, addressed, ways, eventNames, transitions }: CommandExecution): void {
    this.coverage.note({ ways, events: eventNames });
    if (this.#commandListeners.size > 0)
      for (const listener of this.#commandListeners) listener({ transitions, events });
    const ofAll = addressed.length === 0 ? events : events.filter((each) => !addressed.some(({ row }) => row === each));
    if (ofAll.length > 0) for (const listener of this.#listeners) listener(ofAll);
    if (addressed.length > 0) for (const listener of this.#addressees) listener(addressed);
  }
}

/** Maximum number of unknown versions that are reported, since callers choose the names. */
const MOST_NEAR = 100;
