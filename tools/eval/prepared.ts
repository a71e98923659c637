import qs from 'qs';
import { ControlClient, ControlError } from '../../engine/index.js';
import { TemplateError } from '../../engine/expression/index.js';
import { MissingInPath, requestNamed, sendRequest } from '../../engine/mcp/index.js';
import type { TaskEvent, TaskFile, TaskStepFile } from '../../engine/model/index.js';
import { type DataPath, ProblemList } from '../../engine/pack/index.js';
import type { Engine } from '../../engine/runtime/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { parseInstant } from '../../engine/world/index.js';
import { SavedValues } from '../examples/values.js';
import type { ReadTask } from './read-tasks.js';
import { namedIn, ONLY, type TaskStart, type TaskWorld } from './task-world.js';

/** A task with its set-up world; each run begins in a fork of the world. */
export interface Prepared {
  readonly read: ReadTask;
  readonly world: TaskWorld;
  /** Values saved by the setup, by name. */
  readonly kept: JsonObject;
  readonly prompt: string;
  readonly script: readonly TaskEvent[];
  /** The task's checks, with values of the setup in place of references. */
  readonly checks: TaskFile['checks'];
}

/** The response to a call; status 0 if the connection was closed. */
interface CallOutcome {
  readonly status: number;
  readonly body: Json;
  /** The pack's error code, at any status; null if there is none. */
  readonly error: string | null;
}

/** Thrown for a part of a task that isn't possible, with its location. */
export class TaskFailure extends Error {
  constructor(
    readonly path: DataPath,
    message: string,
    readonly suggestion?: string,
  ) {
    super(message);
  }
}

/** Replaces references to saved values in templates. @throws TaskFailure for an unknown name */
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

/** Creates and sets up the world of a task. @throws TaskFailure */
export async function prepare(read: ReadTask, begin: (start: TaskStart) => Promise<TaskWorld>): Promise<Prepared> {
  const { t0: given, seed } = read.task;
  const t0 = given === undefined ? undefined : parseInstant(given);
  if (given !== undefined && t0 === undefined) throw new TaskFailure(['t0'], `'${given}' isn't a valid time`);
  const world = await begin({ seed: String(seed ?? read.task.task), t0 });
  try {
    return await setUp(read, world);
  } catch (error) {
    // Deletes the world after a failure, since an open listener would keep the process alive.
    await world.drop();
    throw error;
  }
}

/** Sets up a new world. @throws TaskFailure */
async function setUp(read: ReadTask, world: TaskWorld): Promise<Prepared> {
  const { setup = [], prompt, script = [], checks } = read.task;
  const kept = new KeptValues(world.lead);
  for (const [index, step] of setup.entries()) {
    const path = ['setup', index];
    const filled = kept.fill(step, path);
    if (filled.call === undefined) await control(filled, world, path);
    else {
      const { status, body, error } = await callOperation({ ...filled, call: filled.call }, world, path);
      if (status >= 400 || status === 0 || error !== null)
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

/** Makes a control API call. @throws TaskFailure if it is rejected */
export async function control(
  { event, advance, seed, fault, delivery_fault, pin }: Omit<TaskStepFile, 'call'>,
  world: TaskWorld,
  path: DataPath,
): Promise<void> {
  const client = new ControlClient(world.url, world.key);
  const isAlone = world.vendors.has(ONLY);
  const asked: [string, string, object | undefined][] = [
    ['event', '/world/events', event],
    // Doesn't wait for deliveries, as the clock of a company would by default: an agent doesn't respond to them.
    [
      'advance',
      '/clock/advance',
      advance === undefined ? undefined : { duration: advance, ...(isAlone ? {} : { pace: false }) },
    ],
    ...(seed === undefined ? [] : seedsOf(seed, world)),
    ['fault', '/faults', fault],
    ['delivery_fault', '/webhooks/faults', delivery_fault],
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

/** Creates control calls that seed the objects of each pack. */
function seedsOf(seed: JsonObject | string, world: TaskWorld): ['seed', string, JsonObject][] {
  const routeOf = (vendor: string): string => (vendor === ONLY ? '/seed' : `/vendors/${vendor}/seed`);
  if (typeof seed === 'string') {
    const [vendor, name] = namedIn(world, seed);
    return [['seed', routeOf(vendor), { name }]];
  }
  const byVendor = new Map<string, Record<string, Json>>();
  for (const [name, objects] of Object.entries(seed)) {
    const [vendor, collection] = namedIn(world, name);
    byVendor.set(vendor, { ...byVendor.get(vendor), [collection]: objects });
  }
  return [...byVendor].map(([vendor, resources]) => ['seed', routeOf(vendor), { resources }]);
}

/** Returns the message of a control API error. */
export function messageOf({ body, message }: ControlError): string {
  const { error = null } = body as { readonly error?: { readonly message: string } };
  return error?.message ?? message;
}

/** Calls an operation as an application does. @throws TaskFailure if a value in its path is missing */
export async function callOperation(
  { call, with: given = {}, headers = {} }: TaskStepFile & { readonly call: string },
  world: TaskWorld,
  path: DataPath,
): Promise<CallOutcome> {
  const [vendor, operation] = namedIn(world, call);
  const member = world.vendors.get(vendor);
  if (!member) throw new TaskFailure([...path, 'call'], `there is no pack '${vendor}'`);
  const { url, key, engine } = member;
  let request;
  try {
    request = requestNamed(engine.pack, operation, given, key, headers);
  } catch (error) {
    if (error instanceof MissingInPath) throw new TaskFailure([...path, 'with'], error.message);
    throw error;
  }
  if (!request) throw new TaskFailure([...path, 'call'], `there is no operation '${call}'`);
  try {
    const response = await sendRequest(url, request);
    const body = decoded(await response.text());
    // Reads the error code from the trace, since some vendors return errors with status 200.
    const [trace] = engine.world.traces.newest(1);
    return { status: response.status, body, error: trace?.error ?? null };
  } catch {
    // The connection was closed by a fault.
    return { status: 0, body: null, error: null };
  }
}

/** Parses a text as JSON; returns the text itself if it isn't valid JSON. */
export function decoded(text: string): Json {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Combines the query and the body of a call to its arguments. */
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

/** Reports a failure of a task's setup as a problem. */
export function report(problems: ProblemList, { file }: ReadTask, failure: TaskFailure): void {
  problems.add(file, failure.path, 'example-failed', failure.message, { suggestion: failure.suggestion });
}
