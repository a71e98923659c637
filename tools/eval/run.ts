import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { ControlClient, ControlError } from '../../engine/index.js';
import type { TaskAgent, TaskCheck, TaskEvent } from '../../engine/model/index.js';
import type { Json, JsonObject } from '../../engine/values/index.js';
import { parseDuration, parseInstant, type Trace } from '../../engine/world/index.js';
import { RELEASE_MS } from '../chaos/delivered.js';
import { envOfWorld, variableOf } from '../command/world-env.js';
import {
  argumentsOf,
  callOperation,
  control,
  decoded,
  KeptValues,
  messageOf,
  type Prepared,
  TaskFailure,
} from './prepared.js';
import { ONLY, type TaskWorld } from './task-world.js';

/** Who works on a task. */
export type TaskWorker =
  | { readonly kind: 'command'; readonly command: readonly string[] }
  | { readonly kind: 'script'; readonly name: string; readonly agent: TaskAgent }
  | {
      readonly kind: 'played';
      readonly name: string;
      /** Makes recorded calls. @returns why it stopped before the last call; null: it didn't */
      readonly play: (prepared: Prepared, begun: Begun) => Promise<string | null>;
    };

/** Or an external program, which reports when it is done. */
export type RunWorker = TaskWorker | { readonly kind: 'other' };

interface CheckVerdict {
  readonly check: number;
  readonly kind: string;
  readonly holds: boolean;
  readonly weight: number;
  readonly score: number;
  readonly found: string;
}

/** A run in `trajectories.jsonl`, without anything that depends on real time. */
export interface Trajectory {
  readonly task: string;
  readonly run: number;
  readonly agent: string;
  readonly seed: string;
  readonly prompt: string;
  readonly reward: number;
  readonly pass: boolean;
  /** Why it was stopped before the agent finished; null: it wasn't. */
  readonly stopped: string | null;
  readonly checks: readonly CheckVerdict[];
  readonly calls: readonly JsonObject[];
}

export interface Ran {
  readonly trajectory: Trajectory;
  /** The exported world, for `sandbox replay`. */
  readonly bug: string | null;
  /** The world's key, which encrypted the secrets in that file. */
  readonly key: string;
  readonly realMs: number;
}

interface RunOptions {
  readonly worker: TaskWorker;
  /** File for the command's output; null output by default. */
  readonly log: string | undefined;
  /** Whether the world is exported. */
  readonly keep: boolean;
  /** Aborts running commands. */
  readonly signal: AbortSignal;
  /** Called with the world before the first call, and after each. */
  readonly observe?: (world: TaskWorld, calls: number) => Promise<void>;
}

const REAL_MS = 10 * 60_000;

/** A run in progress, with its world. */
export interface Begun {
  readonly world: TaskWorld;
  /** The addresses for the agent's calls. */
  readonly place: TaskWorld;
  readonly events: OutsideEvents;
  /** Judges the final world. @param stopped why the run was stopped before the agent finished; null: it wasn't */
  readonly finish: (stopped: string | null) => Promise<Ran>;
  /** Deletes the world. */
  readonly end: () => Promise<void>;
}

/** Runs a task once, in a fork of its world, and judges the result. */
export async function runTask(prepared: Prepared, run: number, options: RunOptions): Promise<Ran> {
  const begun = await beginRun(prepared, run, options);
  try {
    return await begun.finish(await work(prepared, run, begun, options));
  } finally {
    await begun.end();
  }
}

/** Runs the agent. @returns why it was stopped before it finished; null: it wasn't */
function work(prepared: Prepared, run: number, begun: Begun, options: RunOptions): Promise<string | null> {
  const { worker } = options;
  switch (worker.kind) {
    case 'script':
      return runScript(prepared, worker.agent, begun);
    case 'played':
      return worker.play(prepared, begun);
    case 'command':
      return runCommand(prepared, run, worker.command, begun, options);
  }
}

/** Creates the world of a run. */
export async function beginRun(
  prepared: Prepared,
  run: number,
  { worker, keep, observe }: Pick<RunOptions, 'keep' | 'observe'> & { readonly worker: RunWorker },
): Promise<Begun> {
  const world = await prepared.world.fork(true);
  const end = async (): Promise<void> => {
    clearInterval(release);
    await world.drop();
  };
  let release: NodeJS.Timeout | undefined;
  try {
    const began = performance.now();
    const since = world.lead.world.ledger.count;
    const events = new OutsideEvents(prepared, world, observe);
    await events.begin();
    if (events.delays) {
      const client = new ControlClient(world.url, world.key);
      release = setInterval(() => void client.flush().catch(() => undefined), RELEASE_MS);
    }
    for (const [vendor, { engine }] of world.vendors)
      engine.world.traces.onCall = (trace) => events.called(vendor, trace);
    const finish = async (stopped: string | null): Promise<Ran> => {
      await world.lead.between;
      clearInterval(release);
      for (const { engine } of world.vendors.values()) engine.world.traces.onCall = null;
      if (events.failure !== null) throw events.failure;
      const realMs = performance.now() - began;
      const { task } = prepared.read;
      const about = { task: task.task, run, agent: workerName(worker), seed: String(task.seed ?? task.task) };
      const { prompt } = prepared;
      const calls = await callsOf(events, world);
      const ended = { world, since, outside: [...events.entries] };
      const checks = await judge(prepared, ended, { ...about, prompt, calls });
      const over = stopped ?? events.limit;
      const trajectory = { ...about, prompt, ...verdictOf(checks, over), checks, calls };
      const bug = keep ? await fileOf(world, { ...trajectory, since }, prepared) : null;
      return { trajectory, bug, key: world.key, realMs };
    };
    return { world, place: agentPlace(prepared, world), events, finish, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Exports the world, with the run's data for the inspector. */
async function fileOf(world: TaskWorld, ran: Trajectory & { readonly since: number }, of: Prepared): Promise<string> {
  const { task, agent, run, prompt, since, reward, pass } = ran;
  const checks = ran.checks.map(({ check, kind, holds, weight, found }) => {
    const { weight: _, about, ...wanted } = of.checks[check] as TaskCheck & Readonly<Record<string, unknown>>;
    return { about: about ?? JSON.stringify(wanted[kind]), kind, holds, weight, found };
  });
  const calls = ran.calls.map(({ operation, tool, status, trace, outside = [] }) => ({
    operation,
    tool,
    status,
    trace,
    outside,
  }));
  const shown = {
    task,
    agent,
    run,
    prompt,
    since,
    reward,
    pass,
    checks,
    calls,
    ...(ran.stopped === null ? {} : { stopped: ran.stopped }),
  };
  return JSON.stringify({ ...(await new ControlClient(world.url, world.key).export()), run: shown });
}

function verdictOf(
  checks: readonly CheckVerdict[],
  stopped: string | null,
): Pick<Trajectory, 'reward' | 'pass' | 'stopped'> {
  const weights = checks.reduce((sum, { weight }) => sum + weight, 0);
  const reward = checks.reduce((sum, { weight, score }) => sum + weight * score, 0) / weights;
  return {
    reward: Math.round(reward * 1_000) / 1_000,
    pass: stopped === null && checks.every(({ holds }) => holds),
    stopped,
  };
}

/** The agent's addresses: each pack with its tools. */
export interface Addresses {
  readonly url: string;
  readonly key: string;
  readonly mcp_url?: string;
  readonly vendors?: Readonly<Record<string, { readonly url: string; readonly key: string; readonly mcp_url: string }>>;
}

export function addressesOf({ read: { task } }: Prepared, { url, key, vendors }: TaskWorld): Addresses {
  const { tools = {} } = task;
  const [[name, { url: first }]] = vendors;
  if (name === ONLY) return { url, key, mcp_url: mcpAddress(first, tools) };
  const own = [...vendors].map(([vendor, each]) => {
    const mcp_url = mcpAddress(each.url, (tools[vendor] ?? {}) as JsonObject);
    return [vendor, { url: each.url, key: each.key, mcp_url }] as const;
  });
  return { url, key, vendors: Object.fromEntries(own) };
}

function mcpAddress(url: string, tools: JsonObject): string {
  const query = new URLSearchParams(
    Object.entries(tools).map(([name, value]): [string, string] => [name, shownParameter(value)]),
  );
  return `${url}/mcp${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** The agent's address: with a key of its own, which exists in many worlds, the path has to name the world. */
function agentPlace({ read, kept }: Prepared, world: TaskWorld): TaskWorld {
  const { key: given } = read.task;
  const only = world.vendors.get(ONLY);
  if (given === undefined || !only) return world;
  const place = {
    url: `${world.url}/w/${encodeURIComponent(world.id)}`,
    key: new KeptValues(world.lead, kept).fill(given, ['key']),
  };
  return { ...world, ...place, vendors: new Map([[ONLY, { ...only, ...place }]]) };
}

export function workerName(worker: RunWorker): string {
  if (worker.kind === 'other') return 'agent';
  return worker.kind === 'command' ? worker.command.join(' ') : worker.name;
}

/** A call of the agent. */
interface AgentCall {
  /** The called pack. */
  readonly vendor: string;
  readonly operation: string | null;
  readonly trace: Trace;
}

/** The steps of a task's script, which happen between two calls of the agent. */
class OutsideEvents {
  readonly calls: AgentCall[] = [];
  /** Steps after a call, by the call's number. */
  readonly after = new Map<number, TaskEvent[]>();
  /** Numbers of the ledger entries that the steps made. */
  readonly entries = new Set<number>();
  failure: Error | null = null;
  onLimit: ((limit: string) => void) | null = null;
  #left: readonly (readonly [TaskEvent, number])[];
  readonly #startMs: number;

  constructor(
    private readonly prepared: Prepared,
    private readonly world: TaskWorld,
    private readonly observe: RunOptions['observe'],
  ) {
    this.#left = prepared.script.map((event, index) => [event, index] as const);
    this.#startMs = world.lead.world.nowMs;
  }

  /** Whether deliveries may be late: then they arrive while the agent works, not after it. */
  get delays(): boolean {
    const { setup = [] } = this.prepared.read.task;
    return [...setup, ...this.prepared.script].some(({ delivery_fault }) => delivery_fault !== undefined);
  }

  /** Runs the steps before the first call. */
  begin(): Promise<void> {
    return this.#next();
  }

  /** The limit that the agent has exceeded; null: none. */
  get limit(): string | null {
    const { calls = Infinity, simulated } = this.prepared.read.task.limits ?? {};
    if (this.calls.length > calls) return 'limit of calls';
    const passedMs = this.world.lead.world.nowMs - this.#startMs;
    return passedMs > (parseDuration(simulated ?? '') ?? Infinity) ? 'limit of simulated time' : null;
  }

  called(vendor: string, trace: Trace): void {
    const operation = trace.operation === null || vendor === ONLY ? trace.operation : `${vendor}/${trace.operation}`;
    this.calls.push({ vendor, operation, trace });
    const { limit } = this;
    if (limit !== null) this.onLimit?.(limit);
    if (this.#left.length === 0 && !this.observe) return;
    const engines = [...this.world.vendors.values()].map(({ engine }) => engine);
    const between = this.#next().finally(() => {
      for (const engine of engines) engine.between = null;
    });
    for (const engine of engines) engine.between = between;
  }

  async #next(): Promise<void> {
    const due = this.#take();
    if (due.length > 0) await this.#run(due);
    await this.observe?.(this.world, this.calls.length);
  }

  /** Removes and returns the steps that are due. */
  #take(): readonly (readonly [TaskEvent, number])[] {
    const due = this.#left.filter(([event]) => this.#isDue(event));
    this.#left = this.#left.filter((each) => !due.includes(each));
    return due;
  }

  #isDue({ after_calls, after, at }: TaskEvent): boolean {
    if (after_calls !== undefined) return this.calls.length >= after_calls;
    if (after) return this.calls.filter(({ operation }) => operation === after.operation).length >= (after.n ?? 1);
    const ms = at === undefined ? undefined : parseInstant(at);
    return ms !== undefined && ms <= this.world.lead.world.nowMs;
  }

  async #run(steps: readonly (readonly [TaskEvent, number])[]): Promise<void> {
    const { ledger } = this.world.lead.world;
    for (const [{ after_calls: _, after: __, at: ___, ...step }, index] of steps) {
      const before = ledger.count;
      try {
        await control(step, this.world, ['script', index]);
      } catch (error) {
        this.failure ??= error instanceof Error ? error : new Error(String(error));
      }
      for (let n = before + 1; n <= ledger.count; n++) this.entries.add(n);
      const happened = this.after.get(this.calls.length) ?? [];
      this.after.set(this.calls.length, [...happened, step]);
    }
    // The advance may have made further steps due.
    const more = this.#take();
    if (more.length > 0) await this.#run(more);
  }
}

async function runScript(prepared: Prepared, agent: TaskAgent, { place, events }: Begun): Promise<string | null> {
  const kept = new KeptValues(place.lead, prepared.kept);
  for (const [index, call] of agent.calls.entries()) {
    const { body } = await callOperation(kept.fill(call, ['agents']), place, ['agents', index]);
    if (call.as !== undefined) kept.keep(call.as, body);
    if (events.limit !== null) return events.limit;
  }
  return null;
}

function runCommand(
  prepared: Prepared,
  run: number,
  [file, ...args]: readonly string[],
  { place, events }: Begun,
  { log, signal }: RunOptions,
): Promise<string | null> {
  const { read, prompt, kept } = prepared;
  const { task, limits = {} } = read.task;
  const env = {
    ...process.env,
    ...environmentOf(addressesOf(prepared, place)),
    TASK_NAME: task,
    TASK_PROMPT: prompt,
    TASK_RUN: String(run),
    TASK_VARS: JSON.stringify(kept),
  };
  return new Promise((resolve, reject) => {
    let stopped: string | null = null;
    const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const stop = (why: string): void => {
      stopped ??= why;
      // The command and its child processes.
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has exited already.
      }
    };
    const output = log === undefined ? null : createWriteStream(log);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => output?.write(text));
    const timer = setTimeout(() => stop('limit of real time'), parseDuration(limits.real ?? '') ?? REAL_MS);
    const abort = (): void => stop('interrupted');
    signal.addEventListener('abort', abort);
    events.onLimit = stop;
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      output?.end();
      resolve(stopped ?? (code === 0 ? null : `exit code ${code ?? 'none'}`));
    });
  });
}

/** The environment variables of a command. */
function environmentOf(place: Addresses): Record<string, string> {
  const tools = Object.entries(place.vendors ?? {}).map(([name, each]) => [variableOf(name, 'MCP_URL'), each.mcp_url]);
  return {
    ...envOfWorld(place),
    SANDBOX_API_KEY: place.key,
    ...(place.mcp_url === undefined ? {} : { [variableOf(undefined, 'MCP_URL')]: place.mcp_url }),
    ...(Object.fromEntries(tools) as Record<string, string>),
  };
}

function shownParameter(value: Json): string {
  return Array.isArray(value) ? value.join(',') : value === true ? '1' : String(value);
}

/** The calls of a run for its trajectory: without addresses and keys, which differ between runs. */
async function callsOf({ calls, after }: OutsideEvents, world: TaskWorld): Promise<JsonObject[]> {
  const members = new Map(
    [...world.vendors].map(([name, { url, key, engine }]) => [
      name,
      {
        client: new ControlClient(url, key),
        origins: [engine.runtime.surroundings.address.origin, url],
        address: name === ONLY ? '${address}' : `\${address.${name}}`,
        entries: new Map(engine.world.ledger.since(0).map(({ trace, n }) => [trace, n])),
      },
    ]),
  );
  const withoutAddress = (text: string): string =>
    [...members.values()].reduce(
      (left, { origins, address }) => origins.reduce((rest, origin) => rest.replaceAll(origin, address), left),
      text,
    );
  const shown: JsonObject[] = [];
  for (const [index, { vendor, operation, trace }] of calls.entries()) {
    const member = members.get(vendor);
    const exchange = await member?.client.call('GET', `/trace/${trace.id}/exchange`).catch(() => null);
    const {
      url: asked = '',
      request,
      response,
    } = (exchange ?? {}) as {
      readonly url?: string;
      readonly request?: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null };
      readonly response?: { readonly body: string | null };
    };
    const outside = after.get(index + 1);
    shown.push({
      n: index + 1,
      at: trace.at,
      operation,
      tool: request?.headers['x-sandbox-tool'] ?? null,
      call: `${trace.request.method} ${trace.request.path}`,
      arguments: argumentsOf(
        withoutAddress(asked),
        request?.headers['content-type'] ?? '',
        withoutAddress(request?.body ?? ''),
      ),
      status: trace.status,
      response: decoded(withoutAddress(response?.body ?? '')),
      trace: trace.id,
      entry: member?.entries.get(trace.id) ?? null,
      fault: trace.fault,
      ...(outside ? { outside } : {}),
    });
  }
  return shown;
}

interface Ended {
  readonly world: TaskWorld;
  readonly since: number;
  readonly outside: readonly number[];
}

type Results = readonly {
  readonly kind: string;
  readonly holds: boolean;
  readonly weight: number;
  readonly found: string;
}[];

/** Judges the end of a run, and later states in forks of it. */
async function judge(prepared: Prepared, ended: Ended, shown: JsonObject): Promise<CheckVerdict[]> {
  const { checks } = prepared;
  const now = checks.filter((check) => check.later === undefined && check.command === undefined);
  const judged = now.length === 0 ? [] : await ask(ended.world, now, prepared, ended);
  const results: CheckVerdict[] = [];
  for (const [index, check] of checks.entries()) {
    const at = now.indexOf(check);
    const { weight = 1 } = check;
    if (at >= 0) results.push({ check: index, ...judged[at], score: judged[at].holds ? 1 : 0 });
    else if (check.command !== undefined)
      results.push({
        check: index,
        kind: 'command',
        weight,
        ...(await byCommand(check.command, shown, addressesOf(prepared, ended.world))),
      });
    else {
      const [later] = await atLater(prepared, ended, check);
      results.push({ check: index, ...later, score: later.holds ? 1 : 0 });
    }
  }
  return results;
}

async function ask(world: TaskWorld, checks: readonly TaskCheck[], { kept }: Prepared, ended: Ended): Promise<Results> {
  const { since, outside } = ended;
  const wanted = checks.map(({ later: _, ...check }) => check);
  const order = { since, checks: wanted, names: kept, outside };
  try {
    const verdict = await new ControlClient(world.url, world.key).call('POST', '/judge', order);
    return verdict['results'] as Results;
  } catch (error) {
    if (error instanceof ControlError) throw new TaskFailure(['checks'], messageOf(error));
    throw error;
  }
}

async function atLater(prepared: Prepared, ended: Ended, check: TaskCheck): Promise<Results> {
  const fork = await ended.world.fork(false);
  try {
    await control({ advance: check.later }, fork, ['checks']);
    return await ask(fork, [check], prepared, ended);
  } finally {
    await fork.drop();
  }
}

/** A judging command gets the run on standard input, and the addresses of its world, which it may call. */
function byCommand(
  command: string,
  shown: JsonObject,
  addresses: Addresses,
): Promise<{ holds: boolean; score: number; found: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environmentOf(addresses) };
    const child = spawn(command, { shell: true, env, stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.stdin.on('error', () => undefined);
    child.once('error', reject);
    child.once('close', (code) => {
      const verdict = decoded(text.trim()) as { readonly score?: Json; readonly note?: Json } | null;
      const given = verdict?.score ?? null;
      const score = code === 0 && typeof given === 'number' ? Math.min(1, Math.max(0, given)) : 0;
      const note = verdict?.note ?? null;
      resolve({
        holds: score === 1,
        score,
        found: typeof note === 'string' ? note : `exit code ${code}, score ${score}`,
      });
    });
    child.stdin.end(JSON.stringify(shown));
  });
}
