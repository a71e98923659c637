import type { Json, JsonObject } from '../expression/index.js';
import { collectionConfig, engineError, type Model, NO_REQUEST, type RequestInfo } from '../model/index.js';
import { type Row, type Trace, World } from '../world/index.js';
import { type Addressed, Command } from './command.js';
import {
  Failure,
  type Invocation,
  type Operation,
  type OperationBody,
  type OperationResult,
  type Program,
} from '../program/index.js';
import { type Answer, effects, NO_EFFECTS, written } from './effects.js';
import { type Call, Invocations } from './invocation.js';
import { readPage } from './list.js';
import { exogenousOf } from './pins.js';
import type { CommandOptions } from './reading.js';
import { Runtime } from './runtime.js';
import { searchPage } from './search.js';
import { seed } from './seed.js';
import { CauseRefused, type PossibleFilter, WorldEvents } from './world-events.js';
import { Writer } from './write.js';

export interface EngineOptions {
  readonly seed: string;
  /** World time at the start, in milliseconds. */
  readonly t0: number;
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Told of defects of a pack or the engine: what went wrong, and where. */
  readonly onDefect: (error: unknown, what: string) => void;
}

/** A pack at work in a world: runs operations, world events, timers and seeds, each as one command. */
export class Engine {
  readonly world: World;
  readonly runtime: Runtime;
  readonly model: Model;
  readonly #writer: Writer;
  readonly #invocations: Invocations;
  readonly #worldEvents: WorldEvents;
  readonly #listeners: ((events: readonly Row[]) => void)[] = [];
  readonly #addressees: ((addressed: readonly Addressed[]) => void)[] = [];

  constructor(
    readonly pack: Program,
    readonly options: EngineOptions,
  ) {
    this.model = pack.model;
    this.world = new World({
      collections: this.model.resources.map(collectionConfig),
      timeFormat: this.model.settings.time,
      seed: options.seed,
      t0: options.t0,
      ledgerLimit: options.ledgerLimit,
      traceLimit: options.traceLimit,
    });
    this.runtime = new Runtime(pack, this.world);
    this.#writer = new Writer(this.runtime);
    this.#invocations = new Invocations(pack);
    this.#worldEvents = new WorldEvents(pack, this.#invocations);
    this.#makeSingletons();
  }

  /** Calls the listener with the events of every committed command. */
  onEvents(listener: (events: readonly Row[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listener with the events of every committed command that are for one endpoint alone. */
  onAddressed(listener: (addressed: readonly Addressed[]) => void): void {
    this.#addressees.push(listener);
  }

  /** Runs an operation: parameters, steps, zero timers, one commit, and the answer's text. */
  call(call: Call): Answer {
    const { operation, scenario, request } = call;
    const options: CommandOptions = {
      name: operation.key,
      origin: 'call',
      request,
      pins: scenario?.pins,
      scenarioValues: scenario?.provide,
    };
    const command = new Command(this.runtime, options);
    let executed = false;
    try {
      if (scenario?.fail) throw new Failure(scenario.fail.error, scenario.fail.args);
      const invocation = this.#invocations.of(command, call);
      executed = true;
      const result = 'gone' in invocation ? invocation.gone : perform(command, operation.body(), invocation);
      const write = () => this.#writer.text(command, request, result, call.expand);
      const first = operation.immediate ? write() : undefined;
      command.drain();
      // A path that cannot be expanded refuses the whole call, so it is tried before the commit.
      const early = first ?? (call.expand.length > 0 ? write() : undefined);
      // A list that is filtered by a magic value finds nothing, and leaves nothing behind.
      if (operation.reads && operation.kind !== 'retrieve' && command.magicValues.length > 0) this.world.rollback();
      else this.world.commit(operation.key);
      const body = early ?? this.#writer.text(command, request, result, []);
      this.#tell(command);
      const advance =
        command.advanceTo === null
          ? null
          : { to: command.advanceTo, body: () => this.#writer.text(this.runtime, request, result, call.expand) };
      return {
        status: operation.status,
        body,
        headers: {},
        error: null,
        executed,
        advance,
        ...effects(command, result),
      };
    } catch (error) {
      return this.#failed(command, error, operation, executed);
    }
  }

  /** Renders an error that needs no operation. */
  error(name: string, args: JsonObject, request: RequestInfo): Answer {
    const rendered = engineError(this.model.errors, name).render(this.runtime, request, args);
    return { ...written(rendered), error: name, executed: false, advance: null, ...NO_EFFECTS };
  }

  /**
   * Fires a world event.
   * @param text the parameters came as text, of a form
   * @throws CauseRefused when it is unknown, its parameters are wrong or its precondition does not hold
   */
  cause(
    name: string,
    given: JsonObject,
    text = false,
  ): { readonly events: readonly Row[]; readonly changed: readonly string[] } {
    const command = this.command(`cause ${name}`, 'cause', (fired) => this.#worldEvents.fire(fired, name, given, text));
    const events = new Set(command.events.map((row) => row.id));
    const changed = new Set<string>();
    for (const change of command.transaction.changes)
      if ((change.op === 'put' || change.op === 'delete') && !events.has(change.id)) changed.add(change.id);
    return { events: command.events, changed: [...changed] };
  }

  /** World events whose preconditions hold now, with the parameters that name their subjects. */
  possible(filter: PossibleFilter): JsonObject[] {
    const command = new Command(this.runtime, { name: 'world next', origin: 'control', request: NO_REQUEST });
    try {
      return this.#worldEvents.possible(command, filter);
    } finally {
      this.world.rollback();
    }
  }

  /**
   * Inserts history.
   * @throws SeedRefused
   */
  seed(resources: Readonly<Record<string, readonly Json[]>>): Record<string, number> {
    let counts: Record<string, number> = {};
    this.command('seed', 'seed', (command) => {
      counts = seed(this.pack, command, resources);
    });
    return counts;
  }

  /** Fires the next timer that is due until then, at its own time. False when there is none. */
  fireNext(until: number): readonly Row[] | undefined {
    const timer = this.world.timers.next(until);
    if (timer === undefined) return undefined;
    this.world.moveTo(timer.due);
    try {
      return this.command('timer', 'clock', (command) => command.fire(timer)).events;
    } catch (error) {
      // The timer is spent all the same: a defect of the pack must not stop the clock.
      this.world.timers.remove(timer);
      this.options.onDefect(error, `timer ${timer.trigger} of ${timer.row.id}`);
      return [];
    }
  }

  /** Runs something as one command that nobody's request caused. What it throws takes everything back. */
  command(name: string, origin: CommandOptions['origin'], run: (command: Command) => void): Command {
    const command = new Command(this.runtime, { name, origin, request: NO_REQUEST });
    try {
      run(command);
      command.drain();
    } catch (error) {
      if (!(error instanceof Failure && error.keep)) {
        this.world.rollback();
        throw error instanceof Failure ? refusal(error) : error;
      }
      command.drain();
    }
    this.world.commit(name);
    this.#tell(command);
    return command;
  }

  /** Empties the world. */
  reset(t0: number | undefined, keep: { readonly durations?: boolean } = {}): void {
    this.world.reset(t0, keep);
    this.#makeSingletons();
  }

  /** The text of an object's answer. */
  text(row: Row): string {
    return this.#writer.row(this.runtime, row);
  }

  /** The object as the vendor's API answers it. */
  answerOf(row: Row): JsonObject {
    return this.runtime.resources[row.resource].answer().value(this.runtime, row.value);
  }

  /** The exogenous values of a trace. */
  exogenous(trace: Trace): JsonObject[] {
    return exogenousOf(this.runtime, trace.subjects, trace.decided);
  }

  #failed(command: Command, error: unknown, operation: Operation, executed: boolean): Answer {
    const { request } = command.options;
    if (!(error instanceof Failure)) {
      this.world.rollback();
      this.options.onDefect(error, operation.key);
      return { ...this.error('internal_error', { request_id: request.id }, request), executed: true };
    }
    const rendered = engineError(this.model.errors, error.error).render(command, request, error.args);
    if (!error.keep) {
      this.world.rollback();
      return {
        ...written(rendered),
        error: error.error,
        executed,
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
        defect instanceof Failure ? new Error(`a timer failed with ${defect.error}`) : defect,
        operation,
        executed,
      );
    }
    this.world.commit(operation.key);
    this.#tell(command);
    return { ...written(rendered), error: error.error, executed, advance: null, ...effects(command, null) };
  }

  #makeSingletons(): void {
    for (const resource of this.pack.resources) {
      if (!resource.def.singleton) continue;
      this.seed({ [resource.def.collection]: [{ id: resource.def.name }] });
    }
  }

  #tell({ events, addressed }: Command): void {
    if (events.length > 0) for (const listener of this.#listeners) listener(events);
    if (addressed.length > 0) for (const listener of this.#addressees) listener(addressed);
  }
}

/** Runs the body of an operation. */
function perform(command: Command, body: OperationBody, invocation: Invocation): OperationResult {
  switch (body.kind) {
    case 'steps':
      return body.run(command, invocation);
    case 'list':
      return { kind: 'page', page: readPage(command, body.plan, invocation.params, invocation.path) };
    case 'search':
      return { kind: 'page', page: searchPage(command, body.plan, invocation.params, invocation.path) };
  }
}

/** What a pack's steps refuse, in the words of the error's argument `message` where it has one. */
function refusal({ error, args }: Failure): CauseRefused {
  const { message } = args;
  return new CauseRefused(
    409,
    error,
    typeof message === 'string' ? message : `the world refuses it: ${error} ${JSON.stringify(args)}`,
  );
}
