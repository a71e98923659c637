import { createInterface, type Interface } from 'node:readline';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { type Begun, type Ran } from './run.js';
import { addressesOf } from './addresses.js';
import type { Prepared } from './prepared.js';

/** Tasks that an external program can run, and callbacks that begin runs and receive results. */
interface ServedRuns {
  readonly tasks: readonly Prepared[];
  readonly begin: (prepared: Prepared, run: number) => Promise<Begun>;
  /** Called with the result of a finished run. */
  readonly ended: (prepared: Prepared, run: number, ran: Ran) => void;
  readonly write: (line: string) => void;
}

interface Open {
  readonly prepared: Prepared;
  readonly run: number;
  readonly begun: Begun;
}

/**
 * Serves runs of tasks over lines of JSON until the input ends: `{"tasks": true}`, `{"begin": TASK, "agent"?}`, `{"finish": RUN}`, each with an `id`
 * that the response repeats. Requests are handled concurrently.
 */
export async function serveRuns(input: NodeJS.ReadableStream, served: ServedRuns): Promise<void> {
  const runs = new Runs(served);
  const lines: Interface = createInterface({ input });
  const pending = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const working = runs.respond(line).then((response) => served.write(JSON.stringify(response)));
    pending.add(working);
    void working.finally(() => pending.delete(working));
  }
  await Promise.all(pending);
  await runs.close();
}

class WrongRequest extends Error {}

class Runs {
  readonly #open = new Map<number, Open>();
  readonly #counts = new Map<string, number>();
  #next = 1;

  constructor(private readonly served: ServedRuns) {}

  async respond(line: string): Promise<JsonObject> {
    let id: Json = null;
    try {
      const request: unknown = JSON.parse(line);
      if (!isObject(request)) throw new WrongRequest('a request is a JSON object on a line');
      id = request['id'] ?? null;
      return { id, ...(await this.#done(request)) };
    } catch (error) {
      if (error instanceof WrongRequest || error instanceof SyntaxError) return { id, error: error.message };
      throw error;
    }
  }

  async #done({ tasks = null, begin = null, finish = null }: JsonObject): Promise<JsonObject> {
    if (tasks === true)
      return {
        tasks: this.served.tasks.map(({ read: { task }, prompt }) => ({ task: task.task, title: task.title, prompt })),
      };
    if (typeof begin === 'string') return this.#begin(begin);
    if (typeof finish === 'number') return this.#finish(finish);
    throw new WrongRequest('a request has `tasks: true`, `begin: TASK` or `finish: RUN`');
  }

  async #begin(name: string): Promise<JsonObject> {
    const prepared = this.served.tasks.find(({ read }) => read.task.task === name);
    if (!prepared)
      throw new WrongRequest(
        `there is no task '${name}': ${this.served.tasks.map(({ read }) => read.task.task).join(', ')}`,
      );
    const run = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, run);
    const number = this.#next++;
    const begun = await this.served.begin(prepared, run);
    this.#open.set(number, { prepared, run, begun });
    const addresses = addressesOf(prepared, begun.place) as unknown as JsonObject;
    return { run: number, task: name, prompt: prepared.prompt, vars: prepared.kept, ...addresses };
  }

  async #finish(number: number): Promise<JsonObject> {
    const open = this.#open.get(number);
    if (!open) throw new WrongRequest(`no run ${number} is open`);
    this.#open.delete(number);
    const { prepared, run, begun } = open;
    try {
      const ran = await begun.finish(null);
      this.served.ended(prepared, run, ran);
      const { reward, pass, stopped, checks, calls } = ran.trajectory;
      return { run: number, reward, pass, stopped, checks: checks as unknown as Json, calls: calls.length };
    } finally {
      await begun.end();
    }
  }

  async close(): Promise<void> {
    for (const { begun } of this.#open.values()) await begun.end();
  }
}
