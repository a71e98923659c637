import { ControlClient } from '../../engine/index.js';
import type { TaskEvent } from '../../engine/model/index.js';
import type { JsonObject } from '../../engine/values/index.js';
import { parseDuration, parseInstant, type Trace } from '../../engine/world/index.js';
import { argumentsOf, control, decoded, type Prepared } from './prepared.js';
import { ONLY, type TaskWorld } from './task-world.js';

/** A call that the agent made, with its trace. */
interface AgentCall {
  /** Name of the pack that the agent called. */
  readonly vendor: string;
  readonly operation: string | null;
  readonly trace: Trace;
}

/** Runs the steps of a task's script between two calls of the agent. */
export class OutsideEvents {
  readonly calls: AgentCall[] = [];
  /** Steps to run after a call, by the number of the call. */
  readonly after = new Map<number, TaskEvent[]>();
  /** Numbers of the ledger entries that the steps created. */
  readonly entries = new Set<number>();
  failure: Error | null = null;
  onLimit: ((limit: string) => void) | null = null;
  #left: readonly (readonly [TaskEvent, number])[];
  readonly #startMs: number;

  constructor(
    private readonly prepared: Prepared,
    private readonly world: TaskWorld,
    private readonly observe: ((world: TaskWorld, calls: number) => Promise<void>) | undefined,
  ) {
    this.#left = prepared.script.map((event, index) => [event, index] as const);
    this.#startMs = world.lead.world.nowMs;
  }

  /** Whether deliveries may be delayed: they then arrive while the agent works, not after it. */
  get delays(): boolean {
    const { setup = [] } = this.prepared.read.task;
    return [...setup, ...this.prepared.script].some(({ delivery_fault }) => delivery_fault !== undefined);
  }

  /** Runs the steps that are due before the agent's first call. */
  begin(): Promise<void> {
    return this.#next();
  }

  /** Describes the limit that the agent has exceeded; null if it is within all limits. */
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
    // Takes further steps that are due because the clock was advanced.
    const more = this.#take();
    if (more.length > 0) await this.#run(more);
  }
}

/** Lists the calls of a run for its trajectory: without addresses and keys, which differ between runs. */
export async function callsOf({ calls, after }: OutsideEvents, world: TaskWorld): Promise<JsonObject[]> {
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
