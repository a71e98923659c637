import { spawn } from 'node:child_process';
import { ControlClient, ControlError } from '../../engine/index.js';
import type { TaskCheck } from '../../engine/model/index.js';
import type { Json, JsonObject } from '../../engine/values/index.js';
import { control, decoded, messageOf, type Prepared, TaskFailure } from './prepared.js';
import type { TaskWorld } from './task-world.js';
import { type Addresses, addressesOf, agentEnvironment } from './addresses.js';

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
  /** The reason why the run was stopped before the agent finished; null if it wasn't. */
  readonly stopped: string | null;
  readonly checks: readonly CheckVerdict[];
  readonly calls: readonly JsonObject[];
}

export function verdictOf(
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

/** Scores the end of a run, and later states in forks of it. */
export async function judgeRun(prepared: Prepared, ended: Ended, shown: JsonObject): Promise<CheckVerdict[]> {
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

/** Scores a run with the task's own command, which gets the run on standard input and the addresses of its world in the environment. */
function byCommand(
  command: string,
  shown: JsonObject,
  addresses: Addresses,
): Promise<{ holds: boolean; score: number; found: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...agentEnvironment(addresses) };
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
