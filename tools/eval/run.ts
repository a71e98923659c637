import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { type CallReport, ControlClient, type Sandbox } from '../../engine/index.js';
import type { TaskAgent, TaskCheck, TaskEvent } from '../../engine/model/index.js';
import type { Json, JsonObject } from '../../engine/values/index.js';
import { parseDuration, parseInstant } from '../../engine/world/index.js';
import {
  argumentsOf,
  type Callable,
  callOperation,
  control,
  decoded,
  engineOf,
  KeptValues,
  type Prepared,
} from './prepared.js';

/** Who works on a task. */
export type TaskWorker =
  | { readonly kind: 'command'; readonly command: readonly string[] }
  | { readonly kind: 'script'; readonly name: string; readonly agent: TaskAgent };

interface CheckVerdict {
  readonly check: number;
  readonly kind: string;
  readonly holds: boolean;
  readonly weight: number;
  readonly score: number;
  readonly found: string;
}

/** A run as `trajectories.jsonl` has it: what depends on real time is not in it. */
export interface Trajectory {
  readonly task: string;
  readonly run: number;
  readonly agent: string;
  readonly seed: string;
  readonly prompt: string;
  readonly reward: number;
  readonly pass: boolean;
  /** What ended it before the agent did; null: nothing. */
  readonly stopped: string | null;
  readonly checks: readonly CheckVerdict[];
  readonly calls: readonly JsonObject[];
}

export interface Ran {
  readonly trajectory: Trajectory;
  /** The whole world, for `sandbox replay`. */
  readonly bug: string | null;
  readonly realMs: number;
}

interface RunOptions {
  readonly sandbox: Sandbox;
  /** Receives the calls of worlds, by their names. */
  readonly listeners: Map<string, (call: CallReport) => void>;
  readonly worker: TaskWorker;
  /** Where the output of the command goes; nowhere unless given. */
  readonly log: string | undefined;
  /** Whether the world is exported. */
  readonly keep: boolean;
  /** Ends commands that run. */
  readonly signal: AbortSignal;
}

const REAL_MS = 10 * 60_000;

/** Runs a task once, in a fork of its world, and judges what became of it. */
export async function runTask(prepared: Prepared, run: number, options: RunOptions): Promise<Ran> {
  const { sandbox, listeners, worker } = options;
  const fork = await sandbox.worlds.create({
    from: { world: prepared.world.id, same_ids: true, send_webhooks: true },
  });
  const began = performance.now();
  try {
    const engine = await engineOf(sandbox, fork.id);
    const world: Callable = { url: sandbox.url, key: fork.key, engine };
    const since = engine.world.ledger.count;
    const events = new OutsideEvents(prepared, world);
    listeners.set(fork.name, (call) => events.called(call));
    const stopped =
      worker.kind === 'script'
        ? await runScript(prepared, worker.agent, world, events)
        : await runCommand(prepared, run, worker.command, world, events, options);
    await engine.between;
    listeners.delete(fork.name);
    if (events.failure !== null) throw events.failure;
    const realMs = performance.now() - began;
    const calls = await callsOf(events, world);
    const about = {
      task: prepared.read.task.task,
      run,
      agent: workerName(worker),
      seed: prepared.world.id === '' ? '' : String(prepared.read.task.seed ?? prepared.read.task.task),
    };
    const checks = await judge(
      prepared,
      { sandbox, world, id: fork.id, since, outside: [...events.entries] },
      { ...about, prompt: prepared.prompt, calls },
    );
    const weights = checks.reduce((sum, { weight }) => sum + weight, 0);
    const reward = checks.reduce((sum, { weight, score }) => sum + weight * score, 0) / weights;
    const pass = stopped === null && checks.every(({ holds }) => holds);
    const trajectory = {
      ...about,
      prompt: prepared.prompt,
      reward: Math.round(reward * 1_000) / 1_000,
      pass,
      stopped,
      checks,
      calls,
    };
    const bug = options.keep ? JSON.stringify(await new ControlClient(world.url, world.key).export()) : null;
    return { trajectory, bug, realMs };
  } finally {
    listeners.delete(fork.name);
    await sandbox.worlds.delete(fork.id);
  }
}

export function workerName(worker: TaskWorker): string {
  return worker.kind === 'script' ? worker.name : worker.command.join(' ');
}

/** What happens outside while an agent works: each step between two calls. */
class OutsideEvents {
  readonly calls: CallReport['trace'][] = [];
  /** What happened after a call, by its number. */
  readonly after = new Map<number, TaskEvent[]>();
  /** Numbers of the ledger entries that it made. */
  readonly entries = new Set<number>();
  failure: Error | null = null;
  onLimit: (() => void) | null = null;
  #left: readonly (readonly [TaskEvent, number])[];

  constructor(
    private readonly prepared: Prepared,
    private readonly world: Callable,
  ) {
    this.#left = prepared.script.map((event, index) => [event, index] as const);
  }

  get isOver(): boolean {
    const { calls } = this.prepared.read.task.limits ?? {};
    return calls !== undefined && this.calls.length > calls;
  }

  called({ trace }: CallReport): void {
    this.calls.push(trace);
    if (this.isOver) this.onLimit?.();
    const due = this.#take();
    if (due.length === 0) return;
    const { engine } = this.world;
    engine.between = this.#run(due).finally(() => (engine.between = null));
  }

  /** The steps whose time has come. */
  #take(): readonly (readonly [TaskEvent, number])[] {
    const due = this.#left.filter(([event]) => this.#isDue(event));
    this.#left = this.#left.filter((each) => !due.includes(each));
    return due;
  }

  #isDue({ after_calls, after, at }: TaskEvent): boolean {
    if (after_calls !== undefined) return this.calls.length >= after_calls;
    if (after) return this.calls.filter(({ operation }) => operation === after.operation).length >= (after.n ?? 1);
    const ms = at === undefined ? undefined : parseInstant(at);
    return ms !== undefined && ms <= this.world.engine.world.nowMs;
  }

  async #run(steps: readonly (readonly [TaskEvent, number])[]): Promise<void> {
    const { ledger } = this.world.engine.world;
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
    // The clock may have come to further ones.
    const more = this.#take();
    if (more.length > 0) await this.#run(more);
  }
}

async function runScript(
  prepared: Prepared,
  agent: TaskAgent,
  world: Callable,
  events: OutsideEvents,
): Promise<string | null> {
  const kept = new KeptValues(world.engine, prepared.kept);
  for (const [index, call] of agent.calls.entries()) {
    const { body } = await callOperation(kept.fill(call, ['agents']), world, ['agents', index]);
    if (call.as !== undefined) kept.keep(call.as, body);
    if (events.isOver) return 'limit of calls';
  }
  return null;
}

function runCommand(
  { read, prompt, kept }: Prepared,
  run: number,
  [file, ...args]: readonly string[],
  { url, key }: Callable,
  events: OutsideEvents,
  { log, signal }: RunOptions,
): Promise<string | null> {
  const { task, tools = {}, limits = {} } = read.task;
  const query = new URLSearchParams(
    Object.entries(tools).map(([name, value]): [string, string] => [name, shownParameter(value)]),
  );
  const env = {
    ...process.env,
    SANDBOX_URL: url,
    SANDBOX_KEY: key,
    SANDBOX_API_KEY: key,
    SANDBOX_MCP_URL: `${url}/mcp${query.size === 0 ? '' : `?${query.toString()}`}`,
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
      // The command and all that it started.
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const output = log === undefined ? null : createWriteStream(log);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => output?.write(text));
    const timer = setTimeout(() => stop('limit of real time'), parseDuration(limits.real ?? '') ?? REAL_MS);
    const abort = (): void => stop('interrupted');
    signal.addEventListener('abort', abort);
    events.onLimit = () => stop('limit of calls');
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      output?.end();
      resolve(stopped ?? (code === 0 ? null : `exit code ${code ?? 'none'}`));
    });
  });
}

function shownParameter(value: Json): string {
  return Array.isArray(value) ? value.join(',') : value === true ? '1' : String(value);
}

/** The calls of a run as its trajectory has them: without addresses and keys, which differ from run to run. */
async function callsOf({ calls, after }: OutsideEvents, { url, key, engine }: Callable): Promise<JsonObject[]> {
  const client = new ControlClient(url, key);
  const { origin } = engine.runtime.surroundings.address;
  const withoutAddress = (text: string): string => text.replaceAll(origin, '${address}').replaceAll(url, '${address}');
  const entries = new Map(engine.world.ledger.since(0).map(({ trace, n }) => [trace, n]));
  const shown: JsonObject[] = [];
  for (const [index, trace] of calls.entries()) {
    const exchange = await client.call('GET', `/trace/${trace.id}/exchange`).catch(() => null);
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
      operation: trace.operation,
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
      entry: entries.get(trace.id) ?? null,
      fault: trace.fault,
      ...(outside ? { outside } : {}),
    });
  }
  return shown;
}

interface Ended {
  readonly sandbox: Sandbox;
  readonly world: Callable;
  readonly id: string;
  readonly since: number;
  readonly outside: readonly number[];
}

type Results = readonly {
  readonly kind: string;
  readonly holds: boolean;
  readonly weight: number;
  readonly found: string;
}[];

/** Judges the end of a run, and forks of it that are later. */
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
      results.push({ check: index, kind: 'command', weight, ...(await byCommand(check.command, shown)) });
    else {
      const [later] = await atLater(prepared, ended, check);
      results.push({ check: index, ...later, score: later.holds ? 1 : 0 });
    }
  }
  return results;
}

async function ask(world: Callable, checks: readonly TaskCheck[], { kept }: Prepared, ended: Ended): Promise<Results> {
  const { since, outside } = ended;
  const wanted = checks.map(({ later: _, ...check }) => check);
  const verdict = await new ControlClient(world.url, world.key).call('POST', '/judge', {
    since,
    checks: wanted,
    names: kept,
    outside,
  });
  return verdict['results'] as Results;
}

async function atLater(prepared: Prepared, ended: Ended, check: TaskCheck): Promise<Results> {
  const { sandbox, id } = ended;
  const fork = await sandbox.worlds.create({ from: { world: id, same_ids: true } });
  try {
    const world = { url: sandbox.url, key: fork.key, engine: await engineOf(sandbox, fork.id) };
    await control({ advance: check.later }, world, ['checks']);
    return await ask(world, [check], prepared, ended);
  } finally {
    await sandbox.worlds.delete(fork.id);
  }
}

/** A command that judges gets the run on its standard input. */
function byCommand(command: string, shown: JsonObject): Promise<{ holds: boolean; score: number; found: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
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
