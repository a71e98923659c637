import { ControlClient } from '../../engine/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { type Episode, type EpisodeRequest, type Episodes } from './episodes.js';
import type { EnvironmentTool } from './mcp.js';

/** An observation with its reward, in OpenEnv's format. */
interface Observed extends JsonObject {
  readonly observation: JsonObject;
  readonly reward: number | null;
  readonly done: boolean;
}

/** Thrown for a message that isn't in OpenEnv's format. */
export class WrongMessage extends Error {
  constructor(
    readonly path: readonly string[],
    message: string,
  ) {
    super(message);
  }
}

/** The tool that ends an episode. */
export const FINISH: EnvironmentTool = {
  name: 'finish',
  description: 'Ends the task: call it when everything that was asked for is done.',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
};

/** Maximum number of changes in `state`; the newest ones are kept. */
const MOST_CHANGES = 1_000;

/** The environment of one client: one episode at a time, whose calls run sequentially. */
export class EnvironmentSession {
  #episode: Episode | null = null;
  #hasFinish = true;
  #id: string | null = null;
  #steps = 0;
  #over: Observed | null = null;
  /** Number of the last ledger entry of the episode's setup. */
  #since = 0;
  #last: Promise<unknown> = Promise.resolve();
  usedAt = performance.now();

  constructor(private readonly episodes: Episodes) {}

  /** Starts an episode, and deletes the previous one's world. @throws WrongMessage, WrongEpisode, TaskFailure */
  reset(given: JsonObject): Promise<Observed> {
    return this.#inTurn(async () => {
      const { request, id, hasFinish } = readReset(given);
      const { prompt, task, seed, fixture, vars } = await this.#begin(request, id);
      this.#hasFinish = hasFinish;
      const about = { prompt, task, seed, fixture, episode_id: this.#id };
      return { observation: { ...about, metadata: { ...about, vars } }, reward: null, done: false };
    });
  }

  /** Lists the tools, calls one, or ends the episode. @throws WrongMessage */
  step(action: JsonObject): Promise<Observed> {
    return this.#inTurn(async () => {
      const { type = null, tool_name = null, arguments: given = {} } = action;
      if (type === 'list_tools') return this.#going({ tools: await this.#list() });
      if (type === 'finish') return this.#finish();
      if (type !== 'call_tool' && type !== null)
        throw new WrongMessage(['action', 'type'], "type is 'call_tool', 'list_tools' or 'finish'");
      if (typeof tool_name !== 'string') throw new WrongMessage(['action', 'tool_name'], 'tool_name is a text');
      if (!isObject(given)) throw new WrongMessage(['action', 'arguments'], 'arguments is an object');
      return this.#call(tool_name, given);
    });
  }

  /** Lists the tools in OpenEnv's format. */
  tools(): Promise<readonly EnvironmentTool[]> {
    return this.#inTurn(() => this.#list());
  }

  /** Returns the state of the episode, with all changes of its world. */
  state(): Promise<JsonObject> {
    return this.#inTurn(async () => {
      const base = { episode_id: this.#id, step_count: this.#steps };
      if (this.#episode === null) return { ...base, task: null, done: false, reward: null, now: null, changes: [] };
      const { task, seed, fixture, begun } = this.#episode;
      const about = { ...base, task, seed, fixture, done: this.#over !== null, reward: this.#over?.reward ?? null };
      return {
        ...about,
        now: new Date(begun.world.lead.world.nowMs).toISOString(),
        changes: await this.#changes(begun.world),
      };
    });
  }

  /** Ends the episode and deletes its world. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#drop());
  }

  async #list(): Promise<readonly EnvironmentTool[]> {
    const { tools } = await this.#started();
    return [...(await tools.list()), ...(this.#hasFinish ? [FINISH] : [])];
  }

  async #call(name: string, given: JsonObject): Promise<Observed> {
    if (name === FINISH.name && this.#hasFinish) return this.#finish();
    const { tools, begun } = await this.#started();
    if (this.#over !== null) {
      const error = { error_type: 'execution_error', message: 'the episode is over: reset begins another one' };
      return { ...this.#over, observation: { tool_name: name, result: null, error } };
    }
    this.#steps++;
    const outcome = await tools.call(name, given);
    const { limit } = begun.events;
    const observation = { tool_name: name, ...outcome };
    return limit === null ? this.#going(observation) : this.#end(limit, observation);
  }

  async #finish(): Promise<Observed> {
    await this.#started();
    if (this.#over !== null) return this.#over;
    this.#steps++;
    return this.#end(null, { tool_name: FINISH.name });
  }

  /** Scores the world. Its state stays readable until the next reset. */
  async #end(stopped: string | null, observation: JsonObject): Promise<Observed> {
    const { judge } = await this.#started();
    const verdict = await judge(stopped);
    const { reward = null, pass = null, checks = [] } = verdict ?? {};
    const shown = { reward, pass, stopped, checks: checks as unknown as Json };
    const result = observation['result'] ?? {
      content: [],
      structured_content: null,
      meta: null,
      data: shown,
      is_error: false,
    };
    const over = { observation: { error: null, ...observation, result, metadata: shown }, reward, done: true };
    return (this.#over = over);
  }

  #going(observation: JsonObject): Observed {
    return this.#over === null ? { observation, reward: null, done: false } : { ...this.#over, observation };
  }

  /** Returns the episode; starts one without a task if there was no reset. */
  async #started(): Promise<Episode> {
    return this.#episode ?? this.#begin({});
  }

  async #begin(request: EpisodeRequest, id: string = crypto.randomUUID()): Promise<Episode> {
    const episode = await this.episodes.begin(request);
    await this.#drop();
    this.#episode = episode;
    this.#id = id;
    this.#steps = 0;
    this.#since = episode.begun.world.lead.world.ledger.count;
    return episode;
  }

  async #changes({ url, key }: { readonly url: string; readonly key: string }): Promise<Json> {
    const client = new ControlClient(url, key);
    const from = this.#since + 1;
    const { data } = (await client.call('GET', `/ledger?limit=${MOST_CHANGES}`)) as {
      readonly data: readonly JsonObject[];
    };
    return data.filter(({ entry }) => Number(entry) >= from);
  }

  async #drop(): Promise<void> {
    const episode = this.#episode;
    this.#episode = null;
    this.#over = null;
    await episode?.begun.end();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.usedAt = performance.now();
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function readReset(given: JsonObject): { request: EpisodeRequest; id: string | undefined; hasFinish: boolean } {
  const { seed = null, task = null, fixture = null, episode_id = null, finish_tool = true } = given;
  const isText = (value: Json): value is string | null => value === null || typeof value === 'string';
  if (!isText(task)) throw new WrongMessage(['task'], 'task is the name of a task');
  if (!isText(fixture)) throw new WrongMessage(['fixture'], 'fixture is the name of seed data');
  if (!isText(episode_id)) throw new WrongMessage(['episode_id'], 'episode_id is a text');
  if (seed !== null && !(typeof seed === 'number' && Number.isSafeInteger(seed) && seed >= 0))
    throw new WrongMessage(['seed'], 'seed is a whole number from 0 on');
  return {
    request: {
      ...(task === null ? {} : { task }),
      ...(seed === null ? {} : { seed }),
      ...(fixture === null ? {} : { fixture }),
    },
    id: episode_id ?? undefined,
    hasFinish: finish_tool !== false,
  };
}
