import { LIMITS } from '../limits.js';
import { ByteStoreFull, type Json, type JsonObject, OutOfRange, TooMuchWork, toText } from '../values/index.js';
import { engineError, type Model, type RequestInfo } from '../model/index.js';
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
import type { CommandInfo, Row, World } from '../world/index.js';
import { EVENT_STREAM } from './content.js';
import type { Coverage } from './coverage.js';
import { type ApiCall, argsOf, type CallResult, type Invocations } from './invocation.js';
import { readPage } from './list.js';
import {
  effects,
  NO_EFFECTS,
  NO_HEADERS,
  NOTHING_YET,
  type OperationResponse,
  responseHeaders,
  ResponseWriter,
  statusOfResponse,
  writtenError,
  type WrittenResponse,
} from './operation-response.js';
import type { CommandOptions } from './read-context.js';
import type { Runtime } from './runtime.js';
import { searchPage } from './search.js';
import { CommandExecution, type InnerCalls } from './command-execution.js';

/** Size from which on a call that exceeds the budget of work may be the reason itself; for smaller calls, the pack is. */
const LARGE_CALL_CHARACTERS = 16 * 1024;

/** Callbacks and counters for all calls of operations. */
interface CallOptions {
  readonly coverage: Coverage;
  readonly onDefect: (error: unknown, what: string) => void;
  /** Reports the effects of a committed command to listeners. */
  readonly publish: (command: CommandExecution) => void;
}

/** Runs the operations of a pack: each call is one command, with one response. */
export class OperationCalls implements InnerCalls {
  /** Writes responses in the base version. */
  readonly writer: ResponseWriter;
  /** Response writers of versions other than the base version, cached. */
  readonly #writers = new Map<VersionShape, ResponseWriter>();
  #operations: ReadonlyMap<string, Operation> | null = null;
  private readonly pack: Program;
  private readonly model: Model;
  private readonly world: World;
  private readonly coverage: Coverage;

  constructor(
    private readonly runtime: Runtime,
    private readonly invocations: Invocations,
    private readonly options: CallOptions,
  ) {
    const { pack, model, world } = runtime;
    this.pack = pack;
    this.model = model;
    this.world = world;
    this.coverage = options.coverage;
    this.writer = new ResponseWriter(runtime);
  }

  /**
   * Runs a call within a command. Rolls back its changes if it is rejected. Keys, limits and the stages around calls don't
   * apply.
   */
  within(command: CommandExecution, key: string, given: JsonObject, headers: JsonObject | null): JsonObject {
    this.#operations ??= new Map(this.pack.operations.map((each) => [each.key, each]));
    const operation = this.#operations.get(key);
    if (operation === undefined) throw new Error(`there is no operation ${key}`);
    const { method, path: way, names } = operation.routes[0];
    const path = Object.fromEntries(names.map((name) => [name, toText(given[name] ?? '')]));
    const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
    const request: RequestInfo = {
      ...command.request,
      operation: key,
      method,
      path: names.reduce((made, name) => made.replace(`{${name}}`, () => path[name]), way),
      ...(headers === null ? {} : { headers: textsIn(headers) }),
    };
    const call: ApiCall = { operation, request, path, given: rest, text: false, expand: [], scenario: null };
    const writer = this.#writerOf();
    return command.during(request, () => {
      const takeBack = command.remembered();
      try {
        const invocation = this.invocations.of(command, call);
        const result = 'gone' in invocation ? invocation.gone : perform(command, operation.body(), invocation);
        const status =
          'gone' in invocation ? operation.status : statusOfResponse(command, operation, invocation, result);
        const text = writer.text(command, request, result, [], operation.shape);
        return { status, body: JSON.parse(text) as Json };
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        if (!error.keep) takeBack();
        this.coverage.errors.add(error.error);
        const { status, body } = engineError(this.model.errors, error.error).render(command, request, error.args);
        return { status, body: body ?? null };
      }
    });
  }

  /** Runs an operation: checks parameters, runs steps and timers without a delay, commits, and writes the response. */
  run(call: ApiCall): OperationResponse {
    const { operation, scenario, request, version } = call;
    const options: CommandOptions = {
      name: operation.key,
      origin: 'call',
      request,
      version,
      tenant: call.tenant,
      pins: scenario?.pins,
      scenarioValues: scenario?.provide,
      rates: call.rates,
    };
    const command = new CommandExecution(this.runtime, this, options);
    let executed = false;
    const writer = this.#writerOf(version);
    if (scenario) this.coverage.scenarios.add(scenario.name);
    try {
      if (scenario?.fail) throw new Rejection(scenario.fail.error, scenario.fail.args);
      const invocation = this.invocations.of(command, call);
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
      // The response is written before the commit, since a path that can't be expanded rejects the whole call, and since the
      // idempotency record contains the response.
      const { status, body, content, everyMs } = first ?? write();
      const headers =
        'gone' in invocation ? NO_HEADERS : responseHeaders(command, operation, invocation, result, content);
      for (const value of command.magicValues) this.coverage.magicValues.add(value);
      const said: CallResult = { status, body, error: null, executed, content };
      // If a test value filters a list, its object isn't stored: the list is empty.
      if (operation.reads && operation.kind !== 'retrieve' && command.magicValues.length > 0) {
        this.world.rollback();
        this.#conclude(call, said);
      } else {
        call.conclude?.(command.transaction, said);
        this.world.commit(() => this.#infoOf(call));
      }
      const { events, transitions, magicValues, ineffectivePins, subjects, decided, unsupported } = effects(
        command,
        result,
      );
      this.options.publish(command);
      const advance =
        command.advanceTo === null
          ? null
          : {
              to: command.advanceTo,
              of: command.advanceOf,
              body: () => (content === null ? (this.#textAgain(writer, call, result) ?? body ?? '') : (body ?? '')),
            };
      // Members are listed one by one, since V8 spreads an object slowly.
      return {
        status,
        body,
        headers,
        content,
        follow:
          content !== EVENT_STREAM || 'gone' in invocation ? null : this.#followOf(call, options, invocation, result),
        self: result.kind === 'row' ? result.row.id : null,
        everyMs,
        delayMs: command.delayMs,
        error: null,
        executed,
        advance,
        events,
        transitions,
        magicValues,
        ineffectivePins,
        subjects,
        decided,
        unsupported,
      };
    } catch (error) {
      return this.#failed(command, error, call, executed);
    }
  }

  /** Writes the text of a result again after the clock has advanced; undefined if the text exceeds the size limit. */
  #textAgain(
    writer: ResponseWriter,
    { request, expand, operation }: ApiCall,
    result: OperationResult,
  ): string | undefined {
    try {
      return writer.text(this.runtime.reader, request, result, expand, operation.shape);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return undefined;
    }
  }

  /** Returns a function that computes the events of an open stream after later commits; null if the stream ends at once. */
  #followOf(
    { operation: { stream } }: ApiCall,
    options: CommandOptions,
    invocation: Invocation,
    result: OperationResult,
  ): OperationResponse['follow'] {
    if (stream === null || stream.until === null) return null;
    const { until } = stream;
    return () => {
      const command = new CommandExecution(this.runtime, this, options);
      try {
        // Objects are looked up again, since a later commit may have changed them.
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

  /** Renders an error for a call that reached no operation. */
  error(name: string, args: JsonObject, request: RequestInfo): OperationResponse {
    this.coverage.errors.add(name);
    const { reader } = this.runtime;
    const rendered = reader.during(request, () => engineError(this.model.errors, name).render(reader, request, args));
    return {
      ...writtenError(rendered),
      error: name,
      executed: false,
      advance: null,
      ...NO_EFFECTS,
    };
  }

  /** Returns the shape of objects in a version (by default the account's); null: as stored. */
  #shapeOf(version?: Version | null): VersionShape | null {
    return (version ?? this.pack.versions?.current)?.shape ?? null;
  }

  /** Returns the response writer of a version (by default the account's). */
  #writerOf(version?: Version | null): ResponseWriter {
    const shape = this.#shapeOf(version);
    if (shape === null) return this.writer;
    let writer = this.#writers.get(shape);
    if (writer === undefined) this.#writers.set(shape, (writer = new ResponseWriter(this.runtime, shape)));
    return writer;
  }

  #failed(command: CommandExecution, error: unknown, call: ApiCall, executed: boolean): OperationResponse {
    const { operation, request } = call;
    // Numbers in this or an earlier call exceed the calendar or exact arithmetic.
    if (error instanceof OutOfRange) {
      const rejected = new Rejection('parameter_out_of_range', { param: null, reason: error.message });
      return this.#failed(command, rejected, call, executed);
    }
    if (error instanceof TooMuchWork && JSON.stringify(call.given).length > LARGE_CALL_CHARACTERS) {
      const reason = `${error.message}: send less, or ask for less`;
      const rejected = new Rejection('response_too_large', { limit: LIMITS.expressionSteps.value, reason });
      return this.#failed(command, rejected, call, executed);
    }
    if (error instanceof ByteStoreFull) {
      const rejected = new Rejection('body_too_large', { limit: operation.maxBodyBytes });
      return this.#failed(command, rejected, call, executed);
    }
    if (!(error instanceof Rejection)) {
      this.world.rollback();
      this.options.onDefect(error, operation.key);
      const response = { ...this.error('internal_error', { request_id: request.id }, request), executed: true };
      this.#conclude(call, response);
      return response;
    }
    this.coverage.errors.add(error.error);
    for (const value of command.magicValues) this.coverage.magicValues.add(value);
    let text: ReturnType<typeof writtenError>;
    try {
      text = this.#textOf(command, error, call);
    } catch (defect) {
      return this.#failed(command, asDefect(defect, 'an error'), call, executed);
    }
    const said: CallResult = { ...text, error: error.error, executed };
    if (!error.keep) {
      this.world.rollback();
      this.#conclude(call, said);
      return {
        ...said,
        headers: text.headers,
        advance: null,
        ...NO_EFFECTS,
        magicValues: command.magicValues,
        unsupported: command.unsupportedUses ?? NO_EFFECTS.unsupported,
        delayMs: command.delayMs,
      };
    }
    try {
      command.drain();
    } catch (defect) {
      return this.#failed(command, asDefect(defect, 'a timer'), call, executed);
    }
    call.conclude?.(command.transaction, said);
    this.world.commit(this.#infoOf(call));
    this.options.publish(command);
    return { ...said, headers: text.headers, advance: null, ...effects(command, null), delayMs: command.delayMs };
  }

  /** Writes the response to a rejected call. */
  #textOf(command: CommandExecution, { error, args }: Rejection, call: ApiCall): ReturnType<typeof writtenError> {
    const rendered = engineError(this.model.errors, error).render(command, call.request, args);
    const shape = this.#shapeOf(call.version);
    const { body } = rendered;
    return writtenError(
      shape === null || body === undefined ? rendered : { ...rendered, body: shape.embed(command, body) },
    );
  }

  /** Commits, for a call without changes, what it still stores, such as its idempotency record, as an entry of its own. */
  #conclude(call: ApiCall, said: CallResult): void {
    if (call.conclude === undefined) return;
    call.conclude(this.world.begin(), said);
    this.world.commit(this.#infoOf(call));
  }

  /** Builds the ledger's record of a call. */
  #infoOf({ operation, request, trace, given, text, expand, scenario, named = null, accepts }: ApiCall): CommandInfo {
    const called = { request, given, text, expand, scenario: scenario?.name ?? null, tenant: named, accepts };
    const args = argsOf(called, this.model.settings.versions?.current ?? null);
    return { command: operation.key, origin: 'call', request: request.id, trace, args };
  }
}

/** Converts header values to texts; leaves out null headers. */
function textsIn(headers: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, toText(value)] as const])),
  );
}

/** Converts a rejection to an error that is reported as a defect, for functions in which packs can't reject. */
function asDefect(thrown: unknown, of: string): unknown {
  return thrown instanceof Rejection ? new Error(`${of} failed with ${thrown.error}`) : thrown;
}

/** Runs the body of an operation, and returns its result. */
function perform(command: CommandExecution, body: OperationBody, invocation: Invocation): OperationResult {
  switch (body.kind) {
    case 'steps':
      return body.run(command, invocation);
    case 'list':
      return { kind: 'page', page: readPage(command, body.plan, invocation) };
    case 'search':
      return { kind: 'page', page: searchPage(command, body.plan, invocation) };
  }
}

/** Maximum time that a call waits for its operation's condition, in milliseconds. */
const MAX_WAIT_MS = 600_000;

/** Returns how long a call still waits for its operation's condition, in milliseconds; 0 if the condition holds. */
function waitOf(
  command: CommandExecution,
  { wait }: Operation,
  invocation: Invocation,
  result: OperationResult,
): number {
  if (wait === null || wait.until()(command, invocation, result) === true) return 0;
  const ms = wait.atMostMs()(command, invocation, result);
  return typeof ms === 'number' ? Math.min(Math.max(ms, 0), MAX_WAIT_MS) : 0;
}
