import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { ControlClient } from '../../engine/index.js';
import type { TaskAgent, TaskCheck } from '../../engine/model/index.js';
import { parseDuration } from '../../engine/world/index.js';
import { RELEASE_MS } from '../chaos/delivered.js';
import { callOperation, KeptValues, type Prepared } from './prepared.js';
import { ONLY, type TaskWorld } from './task-world.js';
import { addressesOf, agentEnvironment } from './addresses.js';
import { type Trajectory, judgeRun, verdictOf } from './verdicts.js';
import { OutsideEvents, callsOf } from './outside-events.js';

/** A model or a program that works on a task. */
export type TaskWorker =
  | { readonly kind: 'command'; readonly command: readonly string[] }
  | { readonly kind: 'script'; readonly name: string; readonly agent: TaskAgent }
  | {
      readonly kind: 'played';
      readonly name: string;
      /** Makes recorded calls. @returns the reason why it stopped before the last call; null if it didn't */
      readonly play: (prepared: Prepared, begun: Begun) => Promise<string | null>;
    };

/** An external program that works on a task, and reports when it is done. */
export type RunWorker = TaskWorker | { readonly kind: 'other' };

export interface Ran {
  readonly trajectory: Trajectory;
  /** The exported world as text, for `sandbox replay`; null if it wasn't exported. */
  readonly bug: string | null;
  /** Key of the run's world, which encrypted the secrets in the exported file. */
  readonly key: string;
  readonly realMs: number;
}

interface RunOptions {
  readonly worker: TaskWorker;
  /** File for the command's output; undefined if the output is discarded. */
  readonly log: string | undefined;
  /** Whether the world is exported after the run. */
  readonly keep: boolean;
  /** Signal that stops running commands when it is aborted. */
  readonly signal: AbortSignal;
  /** Called with the world before the first call, and after each. */
  readonly observe?: (world: TaskWorld, calls: number) => Promise<void>;
}

const REAL_MS = 10 * 60_000;

/** A run in progress, with its world. */
export interface Begun {
  readonly world: TaskWorld;
  /** Addresses that the agent calls. */
  readonly place: TaskWorld;
  readonly events: OutsideEvents;
  /** Scores the final world. @param stopped the reason why the run was stopped before the agent finished; null if it wasn't */
  readonly finish: (stopped: string | null) => Promise<Ran>;
  /** Deletes the world of the run. */
  readonly end: () => Promise<void>;
}

/** Runs a task once, in a fork of its world, and scores the result. */
export async function runTask(prepared: Prepared, run: number, options: RunOptions): Promise<Ran> {
  const begun = await beginRun(prepared, run, options);
  try {
    return await begun.finish(await work(prepared, run, begun, options));
  } finally {
    await begun.end();
  }
}

/** Runs the agent. @returns the reason why it was stopped before it finished; null if it wasn't */
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
      const checks = await judgeRun(prepared, ended, { ...about, prompt, calls });
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

/** Returns the addresses for the agent. If it has its own key, which exists in many worlds, the path names the world. */
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
    ...agentEnvironment(addressesOf(prepared, place)),
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
      // Kills the command and its child processes.
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The command has exited already.
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
