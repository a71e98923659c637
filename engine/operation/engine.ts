import { type Json, type JsonObject } from '../expression/index.js';
import {
  collectionConfig,
  engineError,
  type Model,
  NO_REQUEST,
  type RenderedError,
  type RequestInfo,
} from '../model/index.js';
import { type Provenance, type Row, type Trace, type TraceSubject, World } from '../world/index.js';
import { type Addressed, Command, type Transition } from './command.js';
import type { Cause, CauseVariant } from './compile/causes.js';
import type { CompiledPack } from './compile/pack.js';
import type { Scenario } from './compile/scenarios.js';
import { Failure } from './failure.js';
import type { Invocation, Operation, OperationResult } from './operation.js';
import { decodeParams, type ParamContext, type ParamProblem } from './params.js';
import { exogenousOf } from './pins.js';
import type { CommandOptions } from './reading.js';
import { Runtime } from './runtime.js';
import { seed } from './seed.js';
import { Endpoints } from './endpoints.js';
import { Writer } from './write.js';

/** A call of an operation as it came in, decoded but not yet checked. */
export interface Call {
  readonly operation: Operation;
  readonly request: RequestInfo;
  /** Values of the names in the route. */
  readonly path: Readonly<Record<string, string>>;
  /** Parameters from query and body. */
  readonly given: JsonObject;
  /** Parameters came as text. */
  readonly text: boolean;
  /** The map that a list was written as, of forms. */
  readonly listAsMap?: ParamContext['listAsMap'];
  readonly expand: readonly string[];
  readonly scenario: Scenario | null;
}

/** What a command did, beside its answer. */
export interface Effects {
  readonly events: readonly Row[];
  readonly transitions: readonly Transition[];
  readonly magicValues: readonly string[];
  readonly subjects: readonly TraceSubject[];
  readonly decided: readonly Provenance[];
}

/** The answer to a call. `body` undefined: none. */
export interface Answer extends Effects {
  readonly status: number;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The catalogue's name of the error, null for success. */
  readonly error: string | null;
  /** The operation ran (its parameters were fine); an error came from what it does. */
  readonly executed: boolean;
  /** The clock moves to this time (ms) before the answer goes out; `body` is written anew then. */
  readonly advance: { readonly to: number; readonly body: () => string } | null;
}

export interface EngineOptions {
  readonly seed: string;
  /** World time at the start, in milliseconds. */
  readonly t0: number;
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Told of defects of a pack or the engine: what went wrong, and where. */
  readonly onDefect: (error: unknown, what: string) => void;
}

/** A condition of a world event that does not hold. */
export class CauseRefused extends Error {
  constructor(
    readonly status: 400 | 404 | 409,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const NO_EFFECTS: Effects = { events: [], transitions: [], magicValues: [], subjects: [], decided: [] };

/** A pack at work in a world: runs operations, world events, timers and seeds, each as one command. */
export class Engine {
  readonly world: World;
  readonly runtime: Runtime;
  readonly model: Model;
  readonly #writer: Writer;
  readonly #listeners: ((events: readonly Row[]) => void)[] = [];
  readonly #addressees: ((addressed: readonly Addressed[]) => void)[] = [];

  constructor(
    readonly pack: CompiledPack,
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
    this.runtime = new Runtime(this.model, this.world, pack.resources);
    this.runtime.maker = pack.eventMaker;
    this.#writer = new Writer(this.runtime);
    const { delivery } = this.model.settings;
    const packFile = this.model.source.one('pack');
    if (delivery && packFile)
      this.runtime.endpoints = new Endpoints(delivery, this.model, this.world, this.runtime, {
        file: packFile,
        path: ['delivery'],
      });
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
      const invocation = this.#invocation(command, call);
      executed = true;
      const result = 'gone' in invocation ? invocation.gone : operation.body()(command, invocation);
      command.drain();
      // A path that cannot be expanded refuses the whole call, so it is tried before the commit.
      const early = call.expand.length > 0 ? this.#writer.text(command, request, result, call.expand) : undefined;
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
  cause(name: string, given: JsonObject, text = false): Effects & { readonly changed: readonly string[] } {
    const cause = this.pack.causes.get(name);
    if (!cause)
      throw new CauseRefused(
        404,
        'unknown_cause',
        `there is no cause '${name}'${this.#near(name, this.pack.causes.keys())}`,
      );
    return this.command(`cause ${name}`, 'cause', (command) => {
      const { variant, self, params } = this.#variant(command, cause, given, text);
      if (!variant.holds(command, self, params)) {
        const about = self
          ? ` (${self.id} is ${String(self.value[this.model.resources[self.resource].status ?? ''] ?? 'not in the right state')})`
          : '';
        throw new CauseRefused(409, 'precondition_failed', `'${name}' cannot happen now${about}`);
      }
      command.internal++;
      variant.run(command, self, params);
    });
  }

  /** World events whose preconditions hold now, with the parameters that name their subjects. */
  possible(filter: { readonly cause?: string; readonly id?: string; readonly limit: number }): JsonObject[] {
    const found: JsonObject[] = [];
    const command = new Command(this.runtime, { name: 'world next', origin: 'control', request: NO_REQUEST });
    try {
      for (const cause of this.pack.causes.values()) {
        if (filter.cause !== undefined && cause.name !== filter.cause) continue;
        for (const variant of cause.variants) this.#possibleOf(command, cause, variant, filter, found);
      }
    } finally {
      this.world.rollback();
    }
    return found;
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
      this.options.onDefect(error, `timer ${timer.trigger} of ${timer.id}`);
      return [];
    }
  }

  /** Runs something as one command that nobody's request caused. What it throws takes everything back. */
  command(
    name: string,
    origin: CommandOptions['origin'],
    run: (command: Command) => void,
  ): Effects & { readonly changed: readonly string[] } {
    const command = new Command(this.runtime, { name, origin, request: NO_REQUEST });
    try {
      run(command);
      command.drain();
    } catch (error) {
      if (!(error instanceof Failure && error.keep)) {
        this.world.rollback();
        throw error instanceof Failure
          ? new CauseRefused(409, error.error, `the world refuses it: ${error.error} ${JSON.stringify(error.args)}`)
          : error;
      }
      command.drain();
    }
    const changed = [
      ...new Set(
        command.transaction.changes.flatMap((change) =>
          change.op === 'put' || change.op === 'delete' ? [change.id] : [],
        ),
      ),
    ];
    this.world.commit(name);
    this.#tell(command);
    const events = new Set(command.events.map((row) => row.id));
    return { ...effects(command, null), changed: changed.filter((id) => !events.has(id)) };
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

  #invocation(command: Command, call: Call): Invocation | { readonly gone: OperationResult } {
    const { operation, path, given } = call;
    const { resource } = operation;
    const context = this.#paramContext(command, call.text, call.listAsMap);
    const lenient = this.model.settings.lists.lenient && (operation.kind === 'list' || operation.kind === 'search');
    let self: Row | null = null;
    if (resource.singleton) self = command.world.row(resource.index, resource.name) ?? null;
    const { id } = path;
    if (id !== undefined) {
      const gone =
        operation.tombstone && !command.world.row(resource.index, id)
          ? command.world.collections[resource.index].deleted(id)
          : undefined;
      if (gone && operation.tombstone) return { gone: { kind: 'value', value: operation.tombstone()(command, gone) } };
      self = this.#self(command, operation, id);
    }
    let all = given;
    for (const name of Object.keys(path)) if (name !== 'id') all = { ...all, [name]: path[name] };
    const { params, problems } = decodeParams(operation.params, all, lenient ? this.#lenient(context, path) : context);
    const told = lenient
      ? problems.filter(({ error, args }) => !isUnreadable(error) || Object.hasOwn(path, String(args['param'])))
      : problems;
    if (told.length > 0) this.#refuse(command, told, call);
    return { params, self, path: call.request.path };
  }

  #self(command: Command, operation: Operation, id: string): Row {
    const { resource } = operation;
    const made = this.pack.magic.make(command, resource.index, id);
    if (made === 'unknown') throw new Failure('unrecognized_test_value', { value: id, param: 'id' });
    const row = command.world.row(resource.index, made?.id ?? id);
    if (!row) throw new Failure('not_found', { resource: resource.name, title: resource.title, id, param: 'id' });
    return row;
  }

  #paramContext(command: Command, text: boolean, listAsMap: ParamContext['listAsMap'] = () => undefined): ParamContext {
    const { model, pack } = this;
    return {
      text,
      listAsMap,
      time: model.settings.time,
      refuseUnknown: model.settings.refuseUnknown,
      suggest: model.env.suggest,
      resolve: (refs, id, param): string | ParamProblem => {
        for (const name of refs) {
          const def = model.byName.get(name);
          if (!def) continue;
          if (command.world.row(def.index, id)) return id;
          const made = pack.magic.make(command, def.index, id);
          if (made === 'unknown') return { error: 'unrecognized_test_value', args: { value: id, param } };
          if (made) return made.id;
        }
        const def = model.byName.get(refs[0]);
        return { error: 'not_found', args: { resource: refs[0], title: def?.title ?? refs[0], id, param } };
      },
    };
  }

  /** An id in the query that leads nowhere matches nothing; one in the path is not found. */
  #lenient(context: ParamContext, path: Call['path']): ParamContext {
    return {
      ...context,
      resolve: (refs, id, param) => (Object.hasOwn(path, param) ? context.resolve(refs, id, param) : id),
    };
  }

  #refuse(command: Command, problems: readonly ParamProblem[], call: Call): never {
    const { settings, errors } = this.model;
    const [first] = problems;
    const collectable = problems.filter(({ error }) => error.startsWith('parameter_'));
    if (!settings.collectProblems || collectable.length === 0) throw new Failure(first.error, first.args);
    const list = collectable.map(({ error, args }) => {
      const rendered = engineError(errors, error).render(command, call.request, args).error;
      const message =
        rendered !== null && typeof rendered === 'object' && !Array.isArray(rendered)
          ? (rendered as JsonObject)['message']
          : null;
      return { param: args['param'], message: message ?? 'is invalid', error };
    });
    throw new Failure('validation_failed', { problems: list });
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

  #variant(
    command: Command,
    cause: Cause,
    given: JsonObject,
    text: boolean,
  ): { variant: CauseVariant; self: Row | null; params: JsonObject } {
    const variant = cause.variants.find((each) => each.subject === null || Object.hasOwn(given, each.subject.param));
    if (!variant) {
      const names = cause.variants.map((each) => each.subject?.param).join(' or ');
      throw new CauseRefused(400, 'parameter_missing', `'${cause.name}' needs ${names}`);
    }
    const { subject } = variant;
    const rest = Object.fromEntries(Object.entries(given).filter(([name]) => name !== subject?.param));
    const { params, problems } = decodeParams(variant.params, rest, {
      ...this.#paramContext(command, text),
      refuseUnknown: true,
    });
    if (problems.length > 0) {
      const [{ error, args }] = problems;
      const status = error === 'not_found' ? 409 : 400;
      const detail =
        args['limit'] !== undefined
          ? ` (limit ${JSON.stringify(args['limit'])})`
          : args['values'] !== undefined
            ? ` (one of ${String(args['values'])})`
            : '';
      throw new CauseRefused(
        status,
        error,
        `parameter '${String(args['param'])}' of '${cause.name}': ${error.replaceAll('_', ' ')}${detail}`,
      );
    }
    if (subject === null) return { variant, self: null, params };
    const id = given[subject.param];
    if (typeof id !== 'string') throw new CauseRefused(400, 'parameter_invalid', `'${subject.param}' must be an id`);
    const self = command.world.row(subject.resource.index, id);
    if (!self) throw new CauseRefused(409, 'precondition_failed', `there is no ${subject.resource.name} '${id}'`);
    return { variant, self, params: { ...params, [subject.param]: id } };
  }

  #possibleOf(
    command: Command,
    cause: Cause,
    variant: CauseVariant,
    filter: { readonly id?: string; readonly limit: number },
    found: JsonObject[],
  ): void {
    const { subject } = variant;
    const needed = [...variant.params].filter(([, schema]) => schema.required).map(([name]) => name);
    const tell = (params: JsonObject) =>
      found.push({
        cause: cause.name,
        params,
        ...(needed.length > 0 ? { also_needs: needed } : {}),
        description: variant.description,
      });
    const defaults = Object.fromEntries(
      [...variant.params].flatMap(([name, schema]) => (schema.default === undefined ? [] : [[name, schema.default]])),
    );
    if (subject === null) {
      if (filter.id === undefined && variant.holds(command, null, defaults)) tell({});
      return;
    }
    const collection = this.world.collections[subject.resource.index];
    const rows = filter.id === undefined ? collection.ordered().all() : [collection.get(filter.id)];
    for (const row of rows) {
      if (found.length >= filter.limit) return;
      if (row && variant.holds(command, row, { ...defaults, [subject.param]: row.id }))
        tell({ [subject.param]: row.id });
    }
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

  #near(name: string, known: Iterable<string>): string {
    const near = this.model.env.suggest(name, known);
    return near === undefined ? '' : `; did you mean '${near}'?`;
  }
}

/** Whether a problem is that a value cannot be read: what a lenient list ignores. */
function isUnreadable(error: string): boolean {
  return error.startsWith('parameter_') && error !== 'parameter_missing' && error !== 'parameter_unknown';
}

function written(rendered: RenderedError): {
  status: number;
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
} {
  return {
    status: rendered.status,
    body: rendered.body === undefined ? undefined : JSON.stringify(rendered.body),
    headers: rendered.headers,
  };
}

function effects(command: Command, result: OperationResult | null): Effects {
  const rows = new Set<Row>(result?.kind === 'row' ? [result.row] : result?.kind === 'page' ? result.page.rows : []);
  for (const { row } of command.exogenous) if (row) rows.add(row);
  return {
    events: command.events,
    transitions: command.transitions,
    magicValues: command.magicValues,
    subjects: [...rows].map((row) => ({ resource: row.resource, value: row.value, provenance: row.provenance })),
    decided: command.exogenous.filter(({ row }) => row === null).map(({ value }) => value),
  };
}
