import type { JsonObject } from '../../engine/values/index.js';
import { type Begun, beginRun } from '../eval/run.js';
import { addressesOf } from '../eval/addresses.js';
import { type Trajectory } from '../eval/verdicts.js';
import type { Prepared } from '../eval/prepared.js';
import type { ReadTask } from '../eval/read-tasks.js';
import { WorldTools } from './mcp.js';

/** The request for a new episode. */
export interface EpisodeRequest {
  /** Name of a task; by default selected by the seed, or the first one. */
  readonly task?: string;
  /** Random seed of the world; by default the task's own. */
  readonly seed?: number;
  /** Name of the pack's seed data that is applied before the task's own setup. */
  readonly fixture?: string;
}

/** An episode in progress: a fork of its task's world. */
export interface Episode {
  readonly task: string;
  readonly seed: string;
  readonly fixture: string | null;
  readonly prompt: string;
  readonly vars: JsonObject;
  readonly begun: Begun;
  readonly tools: WorldTools;
  /** Scores the world. @param stopped the reason why it was stopped before the agent finished; null if it wasn't */
  readonly judge: (stopped: string | null) => Promise<Trajectory | null>;
}

/** Thrown if the requested task, seed or fixture doesn't exist. */
export class WrongEpisode extends Error {}

/** Maximum number of prepared worlds kept for further forks: the most recently used ones. */
const KEPT_WORLDS = 64;

/** Creates the worlds of episodes: forks of a world that is set up once for its task, seed and fixture. */
export class Episodes {
  readonly #tasks: ReadonlyMap<string, ReadTask>;
  /** Prepared tasks in order of use, the most recent last. */
  readonly #prepared = new Map<string, Promise<Prepared>>();
  readonly #runs = new Map<string, number>();

  /** Creates episodes of these tasks. @param free a task without checks, for worlds with a fixture and no task; undefined if there is none */
  constructor(
    readonly tasks: readonly ReadTask[],
    private readonly free: ReadTask | undefined,
    private readonly prepare: (read: ReadTask) => Promise<Prepared>,
  ) {
    this.#tasks = new Map(tasks.map((read) => [read.task.task, read]));
  }

  /** Starts an episode. @throws WrongEpisode, TaskFailure */
  async begin({ task, seed, fixture }: EpisodeRequest): Promise<Episode> {
    const read = this.#find(task, seed, fixture);
    const isJudged = read !== this.free;
    const prepared = await this.#world(read, seed, fixture);
    const { task: name } = read.task;
    const run = (this.#runs.get(name) ?? 0) + 1;
    this.#runs.set(name, run);
    const begun = await beginRun(prepared, run, { worker: { kind: 'other' }, keep: false });
    return {
      task: name,
      seed: String(prepared.read.task.seed ?? name),
      fixture: fixture ?? null,
      prompt: prepared.prompt,
      vars: prepared.kept,
      begun,
      tools: new WorldTools(addressesOf(prepared, begun.place)),
      judge: async (stopped) => (isJudged ? (await begun.finish(stopped)).trajectory : null),
    };
  }

  async close(): Promise<void> {
    const all = [...this.#prepared.values()];
    this.#prepared.clear();
    for (const each of all) await each.then(({ world }) => world.drop()).catch(() => undefined);
  }

  #find(task: string | undefined, seed: number | undefined, fixture: string | undefined): ReadTask {
    if (task !== undefined) {
      const found = this.#tasks.get(task);
      if (!found) throw new WrongEpisode(`there is no task '${task}': ${[...this.#tasks.keys()].join(', ')}`);
      return found;
    }
    if (this.free && (fixture !== undefined || this.tasks.length === 0)) return this.free;
    return this.tasks[(seed ?? 0) % this.tasks.length];
  }

  #world(read: ReadTask, seed: number | undefined, fixture: string | undefined): Promise<Prepared> {
    const key = JSON.stringify([read.task.task, seed, fixture]);
    const known = this.#prepared.get(key);
    this.#prepared.delete(key);
    const made = known ?? this.prepare(changed(read, seed, fixture));
    this.#prepared.set(key, made);
    // Forgets a world whose setup failed, so that the next request retries it.
    made.catch(() => this.#prepared.delete(key));
    if (this.#prepared.size > KEPT_WORLDS) this.#dropOldest();
    return made;
  }

  #dropOldest(): void {
    const [oldest] = this.#prepared;
    const [key, made] = oldest;
    this.#prepared.delete(key);
    void made.then(({ world }) => world.drop()).catch(() => undefined);
  }
}

function changed(read: ReadTask, seed: number | undefined, fixture: string | undefined): ReadTask {
  const { task } = read;
  const setup = [...(fixture === undefined ? [] : [{ seed: fixture }]), ...(task.setup ?? [])];
  return { ...read, task: { ...task, ...(seed === undefined ? {} : { seed }), setup } };
}
