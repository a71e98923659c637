import { packErrorName } from '../codes.js';
import { busyWith } from './activity.js';
import { type Json, type JsonObject, member } from '../values/index.js';
import { collectionConfig, engineError, type Model, NO_REQUEST, type RequestInfo } from '../model/index.js';
import { LIMITS } from '../limits.js';
import {
  type CommandInfo,
  type Folding,
  foldLedger,
  type Fork,
  forkWorld,
  type StoredWorld,
  type JournalRecord,
  type RetentionKind,
  type EntryOrigin,
  Past,
  type Row,
  type Timer,
  type Trace,
  World,
  type WorldConfig,
  type WorldKeeper,
} from '../world/index.js';
import type { Addressed } from './events.js';
import { type RowTransition, UnitOfWork } from './unit-of-work.js';
import {
  Rejection,
  type Invocation,
  type Operation,
  type OperationBody,
  type OperationResult,
  type Program,
  type Version,
  type VersionShape,
} from '../program/index.js';
import { EVENT_STREAM } from './content.js';
import {
  effects,
  responseHeaders,
  NO_EFFECTS,
  NO_HEADERS,
  type OperationResponse,
  ResponseWriter,
  writtenError,
  type WrittenResponse,
} from './operation-response.js';
import { Coverage } from './coverage.js';
import { type ApiCall, argsOf, Invocations, type CallResult } from './invocation.js';
import { readPage } from './list.js';
import { journalUntil } from './moment.js';
import { type ExogenousValue, exogenousOf } from './pins.js';
import type { CommandOptions } from './read-context.js';
import { whileMemoryLasts } from './heap.js';
import { NO_SURROUNDINGS, Runtime, type Surroundings } from './runtime.js';
import { searchPage } from './search.js';
import { SeedRejected } from './seed-check.js';
import { seed, seeding, type SeedObjects } from './seed.js';
import { makeSingleton } from './singletons.js';
import { Slices } from './slices.js';
import {
  reasonOf,
  shownFailure,
  TIMER_FAILED,
  type TimerFailure,
  TimerFailures,
  traceFailure,
} from './timer-failure.js';
import { CauseRejected, type PossibleEvent, type PossibleFilter, WorldEvents } from './world-events.js';

export interface EngineOptions {
  readonly seed: string;
  /** Simulated time at the start, in milliseconds. */
  readonly t0: number;
  /** Newest ledger entries that are kept; Infinity: all. */
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Told of every ledger entry, and of what the outside did. */
  readonly keeper?: WorldKeeper;
  /** The world goes on from what was kept; empty unless given. */
  readonly kept?: Omit<StoredWorld, 'header'>;
  /** The world branches off from another one. */
  readonly fork?: Fork;
  /** Number of the last entry of the world's earlier life, where a new one takes its place. */
  readonly after?: number;
  /** It is one pack of a company: its world, made already, and the engines of all, which it joins. */
  readonly member?: {
    readonly world: World;
    readonly company: Engine[];
    /** Something had happened in it already. */
    readonly goesOn: boolean;
  };
  /** What its calls have met already. */
  readonly coverage?: Coverage;
  /** Versions of the vendor's API that the pack does not have are answered in the nearest; else they are rejected. */
  readonly lenientVersions?: boolean;
  /** Told of each such version once. */
  readonly onNearVersion?: (asked: string, served: string) => void;
  /** Told of defects of a pack or the engine: what went wrong, and where. */
  readonly onDefect: (error: unknown, what: string) => void;
  /** None unless given: nobody can call the world, and it sends nothing. */
  readonly surroundings?: Surroundings;
}

/** What came of a timer that fired. */
export interface Fired {
  readonly events: readonly Row[];
  /** Whose timer it was. */
  readonly engine: Engine;
  /** Why nothing came of it. */
  readonly failure: TimerFailure | null;
}

/** What a committed command did, as those who look on are told. */
export interface CompletedCommand {
  readonly transitions: readonly RowTransition[];
  readonly events: readonly Row[];
}

/** A pack at work in a world: runs operations, world events, timers and seeds, each as one command. */
export class Engine {
  readonly world: World;
  readonly runtime: Runtime;
  readonly model: Model;
  /** What of the pack its calls have met. */
  readonly coverage: Coverage;
  /** All packs of its company, in their order; itself alone where there is none. */
  readonly company: readonly Engine[];
  /** Its world at earlier moments. */
  readonly past: Past;
  readonly #writer: ResponseWriter;
  /** Those of versions other than the base. */
  readonly #writers = new Map<VersionShape, ResponseWriter>();
  readonly #invocations: Invocations;
  readonly #worldEvents: WorldEvents;
  readonly #failures: TimerFailures;
  #seeding: Promise<void> | null = null;
  readonly #listeners: ((events: readonly Row[]) => void)[] = [];
  readonly #addressees: ((addressed: readonly Addressed[]) => void)[] = [];
  readonly #commandListeners = new Set<(did: CompletedCommand) => void>();
  /** Only these: to hold all options would hold the stored world that one of them has. */
  readonly options: Pick<EngineOptions, 'onDefect' | 'onNearVersion'>;
  readonly lenientVersions: boolean;
  readonly #nearVersions = new Set<string>();

  constructor(
    readonly pack: Program,
    options: EngineOptions,
  ) {
    this.options = { onDefect: options.onDefect, onNearVersion: options.onNearVersion };
    this.lenientVersions = options.lenientVersions ?? false;
    this.coverage = options.coverage ?? new Coverage();
    this.model = pack.model;
    const { seed, t0, ledgerLimit, traceLimit, keeper, after, fork, kept } = options;
    const config: WorldConfig = {
      collections: this.model.resources.map(collectionConfig),
      timeFormat: this.model.settings.time,
      seed,
      t0,
      ledgerLimit,
      traceLimit,
      keeper,
      after,
    };
    const goesOn = kept && hasBegun(kept) ? kept : null;
    const { member } = options;
    member?.company.push(this);
    this.company = member?.company ?? [this];
    this.world = member?.world ?? worldOf(config, kept, fork);
    const stored = fork ? { entries: fork.source.ledger.since(0, fork.past.ledger.count), journal: [] } : kept;
    this.#failures = new TimerFailures(stored);
    this.world.remarks = () => this.#failures.shown();
    // A fork's world has taken its journal in already.
    if (kept && !fork && !member) this.world.restore(kept.journal, kept.moments);
    this.past = new Past(this.world);
    this.runtime = new Runtime(pack, this.world, options.surroundings ?? NO_SURROUNDINGS);
    this.#writer = new ResponseWriter(this.runtime);
    this.#invocations = new Invocations(pack);
    this.#worldEvents = new WorldEvents(pack, this.#invocations);
    if (!goesOn && !fork && !member?.goesOn) this.#start();
  }

  /** Makes what a world of the pack begins with. */
  #start(name = 'begin', args: Json = null): void {
    if (this.#makesObjects) this.command(name, 'seed', (command) => this.#begin(command), args);
  }

  /** Calls the listener with the events of every committed command. */
  onEvents(listener: (events: readonly Row[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listener with the events of every committed command that are for one endpoint alone. */
  onAddressed(listener: (addressed: readonly Addressed[]) => void): void {
    this.#addressees.push(listener);
  }

  /**
   * Tells somebody of every committed command, right after its ledger entry, until they have seen enough.
   * @returns ends it
   */
  subscribe(listener: (did: CompletedCommand) => void): () => void {
    this.#commandListeners.add(listener);
    return () => void this.#commandListeners.delete(listener);
  }

  /** Runs an operation: parameters, steps, zero timers, one commit, and the response's text. */
  call(call: ApiCall): OperationResponse {
    const { operation, scenario, request, version } = call;
    const options: CommandOptions = {
      name: operation.key,
      origin: 'call',
      request,
      version,
      tenant: call.tenant,
      pins: scenario?.pins,
      scenarioValues: scenario?.provide,
    };
    const command = new UnitOfWork(this.runtime, options);
    let executed = false;
    const writer = this.#writerOf(version);
    if (scenario) this.coverage.scenarios.add(scenario.name);
    try {
      if (scenario?.fail) throw new Rejection(scenario.fail.error, scenario.fail.args);
      const invocation = this.#invocations.of(command, call);
      executed = true;
      const result = 'gone' in invocation ? invocation.gone : perform(command, operation.body(), invocation);
      const waitMs =
        call.mayWait === true && !('gone' in invocation) ? waitOf(command, operation, invocation, result) : 0;
      if (waitMs > 0) {
        this.world.rollback();
        return { ...NOTHING_YET, waitMs };
      }
      const write = (): WrittenResponse =>
        'gone' in invocation
          ? {
              status: operation.status,
              body: writer.text(command, request, result, call.expand, operation.shape),
              content: null,
            }
          : writer.response(command, call, invocation, result);
      const first = operation.immediate ? write() : undefined;
      command.drain();
      // Before the commit: a path that cannot be expanded rejects the whole call, and what the call leaves includes its response.
      const { status, body, content } = first ?? write();
      const headers =
        'gone' in invocation ? NO_HEADERS : responseHeaders(command, operation, invocation, result, content);
      for (const value of command.magicValues) this.coverage.magicValues.add(value);
      const said: CallResult = { status, body, error: null, executed, content };
      // A list that is filtered by a magic value finds nothing, and leaves nothing behind.
      if (operation.reads && operation.kind !== 'retrieve' && command.magicValues.length > 0) {
        this.world.rollback();
        this.#conclude(call, said);
      } else {
        call.conclude?.(command.transaction, said);
        this.world.commit(() => this.#infoOf(call));
      }
      this.#publish(command);
      const advance =
        command.advanceTo === null
          ? null
          : {
              to: command.advanceTo,
              of: command.advanceOf,
              body: () =>
                content === null
                  ? writer.text(this.runtime.reader, request, result, call.expand, operation.shape)
                  : (body ?? ''),
            };
      return {
        status,
        body,
        headers,
        content,
        follow:
          content !== EVENT_STREAM || 'gone' in invocation ? null : this.#followOf(call, options, invocation, result),
        self: result.kind === 'row' ? result.row.id : null,
        error: null,
        executed,
        advance,
        ...effects(command, result),
      };
    } catch (error) {
      return this.#failed(command, error, call, executed);
    }
  }

  /** How the events of a stream that stays open are computed after later commits; null: it does not. */
  #followOf(
    { operation: { stream } }: ApiCall,
    options: CommandOptions,
    invocation: Invocation,
    result: OperationResult,
  ): OperationResponse['follow'] {
    if (stream === null || stream.until === null) return null;
    const { until } = stream;
    return () => {
      const command = new UnitOfWork(this.runtime, options);
      try {
        // Objects are looked up again: what they were is not what they are.
        const now = (row: Row): Row | null => command.row(row.resource, row.id) ?? null;
        const self = invocation.self && now(invocation.self);
        const row = result.kind === 'row' ? now(result.row) : null;
        if ((invocation.self !== null && self === null) || (result.kind === 'row' && row === null))
          return { text: '', isOver: true };
        const called = { ...invocation, self };
        const shown: OperationResult = row === null ? result : { kind: 'row', row };
        const text = stream.write()(command, called, shown) ?? '';
        return { text, isOver: until()(command, called, shown) === true };
      } finally {
        this.world.rollback();
      }
    };
  }

  /** Tells once that a version is answered in another one. */
  reportNearVersion(asked: string, served: string): void {
    if (this.#nearVersions.has(asked) || this.#nearVersions.size >= MOST_NEAR) return;
    this.#nearVersions.add(asked);
    this.options.onNearVersion?.(asked, served);
  }

  /** How objects look in a version; the account's unless given. Null: as they are kept. */
  #shapeOf(version?: Version | null): VersionShape | null {
    return (version ?? this.pack.versions?.current)?.shape ?? null;
  }

  /** Writes answers of a version; the account's unless given. */
  #writerOf(version?: Version | null): ResponseWriter {
    const shape = this.#shapeOf(version);
    if (shape === null) return this.#writer;
    let writer = this.#writers.get(shape);
    if (writer === undefined) this.#writers.set(shape, (writer = new ResponseWriter(this.runtime, shape)));
    return writer;
  }

  /** Renders an error that needs no operation. */
  error(name: string, args: JsonObject, request: RequestInfo): OperationResponse {
    this.coverage.errors.add(name);
    const rendered = engineError(this.model.errors, name).render(this.runtime.reader, request, args);
    return {
      ...writtenError(rendered),
      error: name,
      executed: false,
      content: null,
      advance: null,
      ...NO_EFFECTS,
    };
  }

  /**
   * Fires a world event.
   * @param text the parameters came as text, of a form
   * @param args what the ledger tells of it
   * @throws CauseRefused when it is unknown, its parameters are wrong or its precondition does not hold
   */
  cause(
    name: string,
    given: JsonObject,
    text = false,
    args: Json = given,
  ): { readonly events: readonly Row[]; readonly changed: readonly string[] } {
    const fire = (fired: UnitOfWork) => this.#worldEvents.fire(fired, name, given, text);
    const command = this.command(`cause ${name}`, 'cause', fire, args);
    this.coverage.causes.add(name);
    const events = new Set(command.events.map((row) => row.id));
    const changed = new Set<string>();
    for (const id of command.transaction.touched()) if (!events.has(id)) changed.add(id);
    return { events: command.events, changed: [...changed] };
  }

  /** World events whose preconditions hold now, with the parameters that name their subjects. */
  possible(filter: PossibleFilter): PossibleEvent[] {
    const command = new UnitOfWork(this.runtime, { name: 'world next', origin: 'control', request: NO_REQUEST });
    try {
      return this.#worldEvents.possible(command, filter);
    } finally {
      this.world.rollback();
    }
  }

  /**
   * Inserts history.
   * @param args what the ledger tells of it; the objects are in its changes
   * @param more what else of a world's state comes with them
   * @throws SeedRefused
   */
  seed(
    resources: SeedObjects['resources'],
    args: Json = null,
    more: Omit<SeedObjects, 'resources'> = {},
  ): Record<string, number> {
    let counts: Record<string, number> = {};
    this.command(
      'seed',
      'seed',
      (command) => {
        counts = seed(this.pack, command, { resources, ...more });
      },
      args,
    );
    return counts;
  }

  /**
   * As `seed`, but a large one gives way to other worlds, and to whatever needs none, between slices. It is one command all the
   * same: calls of this world wait until it is over (`seeding`), and whatever cannot wait lets it be finished first.
   */
  async seedInSlices(
    resources: SeedObjects['resources'],
    args: Json,
    more: Omit<SeedObjects, 'resources'>,
  ): Promise<Record<string, number>> {
    while (this.#seeding !== null) await this.#seeding;
    const command = new UnitOfWork(this.runtime, { name: 'seed', origin: 'seed', request: NO_REQUEST });
    const steps = seeding(this.pack, command, { resources, ...more });
    return this.#inSlices('seed', command, steps, args);
  }

  /**
   * As `reset`, with a seed that gives way as `seedInSlices`. The world is empty at once.
   * @param refill puts something into the empty world first; all that is in it when the seed is rejected
   * @throws SeedRefused
   */
  async resetInSlices(
    t0: number | undefined,
    keep: readonly RetentionKind[],
    refill: (command: UnitOfWork) => void,
    seeds: SeedObjects,
    args: Json,
  ): Promise<void> {
    this.#empty(t0, keep, args);
    const command = new UnitOfWork(this.runtime, { name: 'reset', origin: 'seed', request: NO_REQUEST });
    this.#begin(command);
    refill(command);
    const steps = seeding(this.pack, command, seeds);
    await this.#inSlices('reset', command, steps, args, () => this.reset(t0, keep, refill, args));
  }

  /**
   * Runs a seed as one command.
   * @param failed comes after everything was taken back
   */
  async #inSlices<T>(
    name: string,
    command: UnitOfWork,
    steps: Generator<void, T>,
    args: Json,
    failed: () => void = () => undefined,
  ): Promise<T> {
    const { world } = this;
    const slices = new Slices(this.#withEnd(command, whileMemoryLasts(steps)), {
      end: () => {
        world.commit({ command: name, origin: 'seed', args });
        this.#publish(command);
      },
      fail: () => {
        world.unfinished = null;
        world.rollback();
        failed();
      },
    });
    if (!slices.run(LIMITS.slice.value)) {
      world.unfinished = () => void slices.run(Infinity);
      this.#seeding = slices.finish(LIMITS.slice.value).finally(() => {
        world.unfinished = null;
        this.#seeding = null;
      });
      await this.#seeding;
    }
    return slices.result();
  }

  /** Steps, then what they have set off, and what is written of it. */
  *#withEnd<T>(command: UnitOfWork, steps: Generator<void, T>): Generator<void, T> {
    const result = yield* steps;
    command.drain();
    yield* this.world.preparing();
    return result;
  }

  /** What happens outside between two calls: calls of the vendor's API wait until it is over. Never rejects. */
  between: Promise<void> | null = null;

  /** The seed that is under way, over when nothing of it is half done; null: none. Never rejects. */
  get seeding(): Promise<void> | null {
    return this.#seeding;
  }

  /** Timers whose steps failed since the world was last emptied, newest last; the oldest are dropped beyond a limit. */
  get failures(): readonly TimerFailure[] {
    return this.#failures.all;
  }

  /**
   * Fires the next timer that is due until then, at its own time. Undefined when there is none.
   * @param mover who advances the clock, for the ledger
   */
  fireNext(until: number, mover?: CommandInfo, line: string | null = null): Fired | undefined {
    this.world.settle();
    if (line !== null) {
      const timer = this.world.timers.next(until, line);
      return timer && this.#fire(timer, line);
    }
    const { timeline } = this.world;
    const next = timeline.next(until);
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
      // The timer is spent all the same: a defect of the pack must not stop the clock.
      const collection = this.world.collectionOf(row);
      const failure: TimerFailure = {
        object: row.id,
        collection: collection.config.name,
        timer: trigger,
        at: this.model.env.fromMs(timer.due),
        error: reasonOf(error),
      };
      const spend = ({ transaction }: UnitOfWork): void => {
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

  /** What a pack's steps reject, in the words of the error's argument `message`, or of the error as callers get it. */
  #rejection({ error, args }: Rejection): CauseRejected {
    const rendered = engineError(this.model.errors, error).render(this.runtime.reader, NO_REQUEST, args).error;
    const message = args['message'] ?? member(rendered, 'message');
    return new CauseRejected(
      409,
      packErrorName(error),
      typeof message === 'string' ? message : `the pack rejects it: ${error} ${JSON.stringify(rendered)}`,
    );
  }

  /**
   * Runs something as one command that no call of the vendor's API caused. What it throws takes everything back.
   * @param args why it happened, as the ledger tells it
   * @param from the call that it belongs to
   */
  command(
    name: string,
    origin: EntryOrigin,
    run: (command: UnitOfWork) => void,
    args: Json = null,
    from: Pick<CommandInfo, 'request' | 'trace'> = {},
  ): UnitOfWork {
    const command = new UnitOfWork(this.runtime, { name, origin, request: NO_REQUEST });
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

  /**
   * Empties the world.
   * @param refill puts something into the empty world, in the same command
   */
  reset(
    t0: number | undefined,
    keep: readonly RetentionKind[] = [],
    refill: (command: UnitOfWork) => void = () => undefined,
    args: Json = null,
  ): void {
    this.#empty(t0, keep, args);
    const run = (command: UnitOfWork): void => {
      this.#begin(command);
      refill(command);
    };
    this.command('reset', 'seed', run, args);
  }

  /** Empties the worlds of all packs of the company, and begins those of the others again. */
  #empty(t0: number | undefined, keep: readonly RetentionKind[], args: Json): void {
    this.world.reset(t0, keep);
    for (const engine of this.company) {
      engine.#failures.clear();
      if (engine !== this) engine.#start('reset', args);
    }
  }

  /**
   * Makes an earlier moment the present: an entry of its own.
   * @returns what the outside had done until then, for those who deliver
   * @throws BeyondLedger
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
    const then = this.past.at(n, entries);
    const { worlds } = then.timeline;
    const journal = timeline.worlds.flatMap((world, at) => journalUntil(world, n, worlds[at].positions));
    for (const engine of this.company) engine.#failures.clear();
    this.world.rewind(then, journal, { command: 'rewind', origin: 'control', args });
    return journal;
  }

  /** The text of an object's answer. */
  text(row: Row): string {
    return this.#writer.row(this.runtime.reader, row);
  }

  /** The object as the vendor's API answers it. */
  responseOf(row: Row): JsonObject {
    return this.runtime.resources[row.resource].response().value(this.runtime.reader, row.value);
  }

  /** The exogenous values of a trace. */
  exogenous(trace: Trace): ExogenousValue[] {
    return exogenousOf(this.runtime, trace.subjects, trace.decided);
  }

  #failed(command: UnitOfWork, error: unknown, call: ApiCall, executed: boolean): OperationResponse {
    const { operation, request } = call;
    if (!(error instanceof Rejection)) {
      this.world.rollback();
      this.options.onDefect(error, operation.key);
      const response = { ...this.error('internal_error', { request_id: request.id }, request), executed: true };
      this.#conclude(call, response);
      return response;
    }
    this.coverage.errors.add(error.error);
    for (const value of command.magicValues) this.coverage.magicValues.add(value);
    const rendered = engineError(this.model.errors, error.error).render(command, request, error.args);
    const shape = this.#shapeOf(call.version);
    const { body } = rendered;
    const shown = shape === null || body === undefined ? rendered : { ...rendered, body: shape.embed(command, body) };
    const text = writtenError(shown);
    const said: CallResult = { ...text, error: error.error, executed, content: null };
    if (!error.keep) {
      this.world.rollback();
      this.#conclude(call, said);
      return {
        ...said,
        headers: text.headers,
        advance: null,
        ...NO_EFFECTS,
        magicValues: command.magicValues,
      };
    }
    try {
      command.drain();
    } catch (defect) {
      return this.#failed(
        command,
        defect instanceof Rejection ? new Error(`a timer failed with ${defect.error}`) : defect,
        call,
        executed,
      );
    }
    call.conclude?.(command.transaction, said);
    this.world.commit(this.#infoOf(call));
    this.#publish(command);
    return { ...said, headers: text.headers, advance: null, ...effects(command, null) };
  }

  /** What a call that changed nothing leaves all the same, as an entry of its own. */
  #conclude(call: ApiCall, said: CallResult): void {
    if (call.conclude === undefined) return;
    call.conclude(this.world.begin(), said);
    this.world.commit(this.#infoOf(call));
  }

  /** What the ledger tells of a call. */
  #infoOf({ operation, request, trace, given, text, expand, scenario, named = null, accepts }: ApiCall): CommandInfo {
    const called = { request, given, text, expand, scenario: scenario?.name ?? null, tenant: named, accepts };
    const args = argsOf(called, this.model.settings.versions?.current ?? null);
    return { command: operation.key, origin: 'call', request: request.id, trace, args };
  }

  /** The first moment that is a world of this pack: after the entry that makes what every world holds, if there is such. */
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

  /** Makes what every world of the pack holds. */
  #begin(command: UnitOfWork): void {
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

  #publish({ events, addressed, ways, eventNames, transitions }: UnitOfWork): void {
    this.coverage.note({ ways, events: eventNames });
    if (this.#commandListeners.size > 0)
      for (const listener of this.#commandListeners) listener({ transitions, events });
    const ofAll = addressed.length === 0 ? events : events.filter((each) => !addressed.some(({ row }) => row === each));
    if (ofAll.length > 0) for (const listener of this.#listeners) listener(ofAll);
    if (addressed.length > 0) for (const listener of this.#addressees) listener(addressed);
  }
}

/** How many versions are told of: names come from outside. */
const MOST_NEAR = 100;

/** The world of an engine, or the first one of its company: new, as it was kept, or as another one was. */
export function worldOf(config: WorldConfig, kept: EngineOptions['kept'], fork: Fork | undefined): World {
  if (fork) return forkWorld(fork, config);
  return kept && hasBegun(kept) ? foldLedger(kept.entries, config, foldingOf(kept)) : new World(config);
}

/** Whether anything had happened in a world that was kept. */
function hasBegun({ base, entries }: Omit<StoredWorld, 'header'>): boolean {
  return base !== undefined || entries.length > 0;
}

/** What a fold has to know besides the entries. */
function foldingOf({ base, journal }: Omit<StoredWorld, 'header'>): Folding {
  const names = new Map<string, number | null>();
  for (const record of journal) if (record.kind === 'moment') names.set(record.name, record.entry);
  return { base, named: new Set([...names.values()].filter((entry) => entry !== null)) };
}

/** Runs the body of an operation. */
function perform(command: UnitOfWork, body: OperationBody, invocation: Invocation): OperationResult {
  switch (body.kind) {
    case 'steps':
      return body.run(command, invocation);
    case 'list':
      return { kind: 'page', page: readPage(command, body.plan, invocation) };
    case 'search':
      return { kind: 'page', page: searchPage(command, body.plan, invocation) };
  }
}

/** What stands for the response of a call that waits. */
const NOTHING_YET: OperationResponse = {
  status: 200,
  body: undefined,
  headers: {},
  content: null,
  error: null,
  executed: true,
  advance: null,
  ...NO_EFFECTS,
};

/** Milliseconds. */
const LONGEST_WAIT = 600_000;

/** How long a call waits for what its operation waits for, in milliseconds; 0: that is there. */
function waitOf(command: UnitOfWork, { wait }: Operation, invocation: Invocation, result: OperationResult): number {
  if (wait === null || wait.until()(command, invocation, result) === true) return 0;
  const ms = wait.atMostMs()(command, invocation, result);
  return typeof ms === 'number' ? Math.min(Math.max(ms, 0), LONGEST_WAIT) : 0;
}
