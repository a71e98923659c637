import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { readInputFile } from '../command/input-file.js';
import { Exit, Failure } from '../command/output.js';
import { callOperation, type Prepared } from '../eval/prepared.js';
import { type Begun } from '../eval/run.js';
import { type Trajectory } from '../eval/verdicts.js';
import { addressesOf } from '../eval/addresses.js';
import type { TaskSummary } from '../eval/summary.js';
import { namedIn } from '../eval/task-world.js';
import { datasetCard } from './card.js';
import type { EvalConfig } from './eval-config.js';
import { WorldTools } from './mcp.js';

/** Names of the files in a folder of rollouts, as OpenEnv's collector names them. */
const RESULTS = 'results.jsonl';

/** A collected rollout: the calls of an agent. */
export interface Rollout {
  readonly episode: string;
  readonly task: string;
  readonly seed: number | string | undefined;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

/** Writes rollouts in the format of OpenEnv's collector, for trainers and data sets. */
export class RolloutFolder {
  constructor(private readonly folder: string) {
    if (existsSync(join(folder, RESULTS)))
      throw new Failure(Exit.cannotRun, 'results_exist', `${folder} has rollouts`, 'Name another folder.');
    mkdirSync(folder, { recursive: true });
  }

  add(run: Trajectory, prepared: Prepared): void {
    appendFileSync(join(this.folder, RESULTS), `${JSON.stringify(episodeRecord(run, prepared))}\n`);
  }

  /** Writes the results: `EvalResult`, the collector's metadata, and a card. */
  finish(config: EvalConfig, tasks: readonly TaskSummary[]): void {
    const runs = tasks.reduce((sum, each) => sum + each.runs, 0);
    const passed = tasks.reduce((sum, each) => sum + each.passed, 0);
    const reward = runs === 0 ? 0 : tasks.reduce((sum, each) => sum + each.reward * each.runs, 0) / runs;
    const scores = { reward, pass_rate: runs === 0 ? 0 : passed / runs, tasks: tasks as unknown as Json };
    const metadata = {
      ...{ env: config.dataset, num_collected: runs, avg_reward: reward, success_rate: scores.pass_rate },
      ...{ harness_name: config.harness_name, harness_version: config.harness_version },
    };
    const write = (name: string, text: string): void => writeFileSync(join(this.folder, name), text);
    write('eval-result.json', `${JSON.stringify({ config, scores }, null, 2)}\n`);
    write('metadata.json', `${JSON.stringify(metadata, null, 2)}\n`);
    write('README.md', datasetCard(config.dataset, runs, reward, scores.pass_rate));
  }
}

/** Converts a run to OpenEnv's `EpisodeRecord`: each call by operation, with all of its arguments. */
function episodeRecord(run: Trajectory, prepared: Prepared): JsonObject {
  const { task, agent, seed, prompt, reward, pass, stopped } = run;
  const id = `${task}-${agent.replace(/[^\w.-]+/g, '-').slice(0, 60)}-${run.run}`;
  const trace = run.calls.map((call) => ({
    tool_name: String(call['operation'] ?? call['call']),
    arguments: { ...pathOf(call, prepared), ...(isObject(call['arguments']) ? call['arguments'] : {}) },
    result: {
      data: call['response'] ?? null,
      done: false,
      metadata: { status: call['status'] ?? null, tool: call['tool'] ?? null, at: call['at'] ?? null },
      error: null,
    },
  }));
  const messages = trace.flatMap(({ tool_name, arguments: given, result: { data } }, at): JsonObject[] => [
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: `call_${at}`, type: 'function', function: { name: tool_name, arguments: JSON.stringify(given) } },
      ],
    },
    {
      role: 'tool',
      tool_call_id: `call_${at}`,
      name: tool_name,
      content: typeof data === 'string' ? data : JSON.stringify(data),
    },
  ]);
  return {
    episode_id: id,
    messages: [{ role: 'user', content: prompt }, ...messages],
    reward,
    done: true,
    tool_trace: trace,
    metrics: { turns: trace.length, tool_calls: trace.length },
    verify_metrics: { pass, stopped, checks: run.checks as unknown as Json },
    artifacts: {},
    task,
    extra: { agent, seed },
  };
}

/** Extracts the parameters in a call's path. */
function pathOf({ operation = null, call = null }: JsonObject, { world }: Prepared): JsonObject {
  if (typeof operation !== 'string' || typeof call !== 'string') return {};
  const [vendor] = namedIn(world, operation);
  const [method, path] = call.split(' ');
  const found = world.vendors.get(vendor)?.engine.pack.routes.match(method, path);
  return found?.kind === 'operation' || found?.kind === 'several' ? { ...found.path } : {};
}

/** Reads rollouts written by `RolloutFolder` or OpenEnv's collector. @throws Failure */
export function readRollouts(file: string): Rollout[] {
  const lines = readInputFile(file, 'rollouts_file').split('\n');
  return lines.flatMap((line, at): Rollout[] => {
    if (line.trim() === '') return [];
    const found = rolloutOf(line);
    if (!found)
      throw new Failure(
        Exit.wrongInput,
        'rollout_invalid',
        `${file}:${at + 1} is no rollout`,
        'A rollout has episode_id, task (a name, or an object with task and seed) and tool_trace.',
      );
    return [found];
  });
}

function rolloutOf(line: string): Rollout | undefined {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(record)) return undefined;
  const { episode_id = null, task: about = null, tool_trace = null, extra = {} } = record;
  const task = isObject(about) ? (about['task'] ?? null) : about;
  const seed = (isObject(about) ? about['seed'] : isObject(extra) ? extra['seed'] : undefined) ?? null;
  if (typeof episode_id !== 'string' || typeof task !== 'string' || !Array.isArray(tool_trace)) return undefined;
  const calls = (tool_trace as readonly Json[]).flatMap((entry) => {
    if (!isObject(entry) || typeof entry['tool_name'] !== 'string') return [];
    const { tool_name, arguments: given = {} } = entry;
    return [{ name: tool_name, arguments: isObject(given) ? given : {} }];
  });
  return {
    episode: episode_id,
    task,
    seed: typeof seed === 'number' || typeof seed === 'string' ? seed : undefined,
    calls,
  };
}

/** Makes the calls of a rollout, by operation or tool. @returns the reason why it stopped before the last call; null if it didn't */
export async function playRollout({ calls }: Rollout, prepared: Prepared, begun: Begun): Promise<string | null> {
  const { place, events } = begun;
  const tools = new WorldTools(addressesOf(prepared, place));
  for (const [index, { name, arguments: given }] of calls.entries()) {
    const [vendor, operation] = namedIn(place, name);
    const { pack } = place.vendors.get(vendor)?.engine ?? {};
    if (pack?.operations.some(({ key }) => key === operation))
      await callOperation({ call: name, with: given }, place, ['tool_trace', index]);
    else await tools.call(name, given);
    if (events.limit !== null) return events.limit;
  }
  return null;
}
