import qs from 'qs';
import { ControlClient, ControlError, type MadeWorld, type Sandbox } from '../../engine/index.js';
import { TemplateError } from '../../engine/expression/index.js';
import { MissingInPath, requestNamed, sendRequest } from '../../engine/mcp/index.js';
import type { TaskEvent, TaskFile, TaskStepFile } from '../../engine/model/index.js';
import { type DataPath, ProblemList } from '../../engine/pack/index.js';
import type { Engine } from '../../engine/runtime/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { parseInstant } from '../../engine/world/index.js';
import { SavedValues } from '../examples/values.js';
import type { ReadTask } from './read-tasks.js';

/** A task whose world is set up: each run begins in a fork of it. */
export interface Prepared {
  readonly read: ReadTask;
  readonly world: MadeWorld;
  /** What the setup has kept, by name. */
  readonly kept: JsonObject;
  readonly prompt: string;
  readonly script: readonly TaskEvent[];
  /** The checks, with what the setup has kept. */
  readonly checks: TaskFile['checks'];
}

/** A world that calls go to. */
export interface Callable {
  readonly url: string;
  readonly key: string;
  readonly engine: Engine;
}

/** The response to a call of an operation; status 0: the connection was lost. */
interface CallOutcome {
  readonly status: number;
  readonly body: Json;
}

/** Something of a task that cannot be done, at its place. */
export class TaskFailure extends Error {
  constructor(
    readonly path: DataPath,
    message: string,
    readonly suggestion?: string,
  ) {
    super(message);
  }
}

/** Values with what was kept put in. @throws TaskFailure */
export class KeptValues {
  readonly #values: SavedValues;
  readonly all: Record<string, Json> = {};

  constructor(engine: Engine, kept: JsonObject = {}) {
    this.#values = new SavedValues(engine);
    for (const [name, value] of Object.entries(kept)) this.keep(name, value);
  }

  keep(name: string, value: Json): void {
    this.#values.set(name, value);
    this.all[name] = value;
  }

  fill<T>(value: T, path: DataPath): T {
    try {
      return this.#values.fill(value as Json) as T;
    } catch (error) {
      const [where, message, suggestion] =
        error instanceof TemplateError
          ? [error.path, error.message, error.suggestion]
          : [[], error instanceof Error ? error.message : String(error), undefined];
      throw new TaskFailure([...path, ...where], message, suggestion);
    }
  }
}

/**
 * Makes the world of a task and sets it up.
 * @throws TaskFailure
 */
export async function prepare(read: ReadTask, sandbox: Sandbox, pack: string): Promise<Prepared> {
  const { t0, seed, setup = [], prompt, script = [], checks } = read.task;
  const ms = t0 === undefined ? undefined : parseInstant(t0);
  if (t0 !== undefined && ms === undefined) throw new TaskFailure(['t0'], `'${t0}' is no instant`);
  const world = await sandbox.worlds.create({
    pack,
    seed: String(seed ?? read.task.task),
    ...(ms === undefined ? {} : { t0: ms }),
  });
  const engine = await engineOf(sandbox, world.id);
  const kept = new KeptValues(engine);
  const callable = { url: sandbox.url, key: world.key, engine };
  for (const [index, step] of setup.entries()) {
    const path = ['setup', index];
    const filled = kept.fill(step, path);
    if (filled.call === undefined) await control(filled, callable, path);
    else {
      const { status, body } = await callOperation({ ...filled, call: filled.call }, callable, path);
      if (status >= 400 || status === 0)
        throw new TaskFailure([...path, 'call'], `${filled.call} returned ${status}: ${JSON.stringify(body)}`);
      if (filled.as !== undefined) kept.keep(filled.as, body);
    }
  }
  return {
    read,
    world,
    kept: kept.all,
    prompt: kept.fill(prompt, ['prompt']),
    script: kept.fill(script, ['script']),
    checks: checks.map(({ final, ...check }, index) => ({
      ...kept.fill(check, ['checks', index]),
      ...(final === undefined ? {} : { final }),
    })),
  };
}

export async function engineOf(sandbox: Sandbox, id: string): Promise<Engine> {
  const found = await sandbox.worlds.find(id);
  if (!found) throw new Error(`there is no world ${id}`);
  return found.engine;
}

/** What the control API is asked to do. @throws TaskFailure when it rejects it */
export async function control(
  { event, advance, seed, fault, pin }: Omit<TaskStepFile, 'call'>,
  { url, key }: Callable,
  path: DataPath,
): Promise<void> {
  const client = new ControlClient(url, key);
  const asked: [string, string, object | undefined][] = [
    ['event', '/world/events', event],
    ['advance', '/clock/advance', advance === undefined ? undefined : { duration: advance }],
    ['seed', '/seed', typeof seed === 'string' ? { name: seed } : seed && { resources: seed }],
    ['fault', '/faults', fault],
    ['pin', '/exogenous/pins', pin],
  ];
  for (const [name, route, body] of asked) {
    if (body === undefined) continue;
    await client.call('POST', route, body).catch((error: unknown) => {
      if (error instanceof ControlError) throw new TaskFailure([...path, name], messageOf(error));
      throw error;
    });
  }
}

function messageOf({ body, message }: ControlError): string {
  const { error = null } = body as { readonly error?: { readonly message: string } };
  return error?.message ?? message;
}

/** Calls an operation as an application does. @throws TaskFailure when nothing gives a value of its path */
export async function callOperation(
  { call, with: given = {}, headers = {} }: TaskStepFile & { readonly call: string },
  { url, key, engine }: Callable,
  path: DataPath,
): Promise<CallOutcome> {
  let request;
  try {
    request = requestNamed(engine.pack, call, given, key, headers);
  } catch (error) {
    if (error instanceof MissingInPath) throw new TaskFailure([...path, 'with'], error.message);
    throw error;
  }
  if (!request) throw new TaskFailure([...path, 'call'], `there is no operation '${call}'`);
  try {
    const response = await sendRequest(url, request, { redirect: 'manual' });
    return { status: response.status, body: decoded(await response.text()) };
  } catch {
    // What a fault cuts off.
    return { status: 0, body: null };
  }
}

/** JSON, or the text where it is none. */
export function decoded(text: string): Json {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** What a call brought: its query and body in one. */
export function argumentsOf(url: string, type: string, body: string): Json {
  const query = qs.parse(url.split('?')[1] ?? '', { depth: 20 }) as JsonObject;
  const sent = type.includes('json')
    ? decoded(body)
    : type.includes('urlencoded')
      ? (qs.parse(body, { depth: 20 }) as JsonObject)
      : body;
  if (sent === null || sent === '') return query;
  return isObject(sent) ? { ...query, ...sent } : { ...query, body: sent };
}

/** Problems of tasks, by what went wrong when they were set up. */
export function report(problems: ProblemList, { file }: ReadTask, failure: TaskFailure): void {
  problems.add(file, failure.path, 'example-failed', failure.message, { suggestion: failure.suggestion });
}
