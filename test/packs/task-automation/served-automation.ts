import { type Body, call, type Called, type CallHeaders } from '../../support/http.js';
import { forTests, type StartOptions, TestSandbox } from '../../support/start-sandbox.js';
export const KEY = 'sk_test_of_the_tests';
export const T0 = '2026-06-09T12:00:00.000Z';

export type { Body, Called };

export interface Resource {
  readonly id: string;
  readonly object: string;
  readonly created_at: string;
}

export interface Agent extends Resource {
  readonly name: string;
  readonly description: string | null;
  readonly tasks: readonly Body[];
}

export interface Credential extends Resource {
  readonly status: string;
  readonly source_id: string;
  readonly auth_credentials: Body;
}

export interface Task extends Resource {
  readonly status: string;
  readonly agent_id: string;
  readonly name: string;
}

export interface RunError {
  readonly type: string;
  readonly code: string;
  readonly message: string;
}

export interface TaskRun extends Resource {
  readonly status: string;
  readonly task_id: string;
  readonly agent_id: string;
  readonly credential_id: string | null;
  readonly session_id: string;
  readonly result: string | null;
  readonly runtime_ms: number;
  readonly output: Body | null;
  readonly errors: readonly RunError[];
  readonly interaction: { readonly type: string; readonly message: string; readonly fields: readonly Body[] } | null;
}

export interface Session extends Resource {
  readonly status: string;
  readonly runtime_ms: number;
}

export interface Destination extends Resource {
  readonly type: string;
  readonly status: string;
  readonly events: readonly string[];
  readonly type_config: Readonly<Record<string, string>>;
}

export interface VendorEvent extends Resource {
  readonly type: string;
  readonly data: Body & { readonly id: string; readonly object: string };
}

export interface List<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly request_id: string;
}

/** One delivery as the control API shows it. */
export interface Delivery {
  readonly id: string;
  readonly event: { readonly id: string; readonly type: string };
  readonly endpoint: string;
  readonly transport: string;
  readonly status: string;
  readonly message: Body | null;
  readonly attempts: readonly { readonly status: number | null; readonly request: { readonly headers: Body } }[];
}

/** What a task in these tests asks for and brings back. */
export const INPUT = { type: 'object', required: ['invoice'], properties: { invoice: { type: 'string' } } } as const;
export const OUTPUT = {
  type: 'object',
  required: ['invoice', 'total'],
  properties: { invoice: { type: 'string' }, total: { type: 'number', minimum: 0 }, paid: { type: 'boolean' } },
} as const;
export const SECRETS = {
  username: 'ann@example.com',
  password: 'correct-horse-battery',
  source_fields: { branch_pin: 'staple-7391' },
} as const;

/** A served task-automation sandbox, with the calls that tests make again and again. */
export class Automation extends TestSandbox {
  constructor(options: StartOptions = {}) {
    super('packs/task-automation', { key: KEY, seed: 'task automation tests', t0: T0, ...options });
  }

  /** World time as the vendor writes it. */
  get now(): string {
    return new Date(this.engine.world.nowMs).toISOString();
  }

  /** Sees every response to `call`. */
  onAnswer: ((called: Called<unknown>) => void) | undefined;

  override readonly call = async <T = Body>(
    line: string,
    body?: unknown,
    headers?: CallHeaders,
  ): Promise<Called<T>> => {
    const called = await call<T>(this, line, body, headers);
    this.onAnswer?.(called);
    return called;
  };

  /** A call that has to succeed. */
  async done<T = Body>(line: string, body?: unknown, headers?: CallHeaders): Promise<T> {
    const called = await this.call<T>(line, body, headers);
    if (called.status >= 300) throw new Error(`${line} returned ${called.status}: ${called.text}`);
    return called.body;
  }

  agent(fields: Body = {}): Promise<Agent> {
    return this.done('POST /agents', { name: 'Clerk', ...fields });
  }

  source(fields: Body = {}): Promise<Resource> {
    return this.done('POST /sources', { type: 'website', website: { url: 'https://bank.example.com' }, ...fields });
  }

  async credential(fields: Body = {}): Promise<Credential> {
    const source_id = fields['source_id'] ?? (await this.source()).id;
    const given = { source_id, auth_method: 'username_password', auth_credentials: SECRETS, ...fields };
    return this.done('POST /credentials', given);
  }

  async task(fields: Body = {}): Promise<Task> {
    const agent_id = fields['agent_id'] ?? (await this.agent()).id;
    const given = { name: 'Fetch invoice', agent_id, input_schema: INPUT, output_schema: OUTPUT, ...fields };
    return this.done('POST /tasks', given);
  }

  /** A run of a new task, unless one is named. */
  async run(fields: Body = {}, headers?: CallHeaders): Promise<TaskRun> {
    const task_id = fields['task_id'] ?? (await this.task()).id;
    return this.done('POST /task-runs', { task_id, input: { invoice: 'INV-1' }, ...fields }, headers);
  }

  /** A run that works: past `queue_time`. */
  async running(fields: Body = {}, headers?: CallHeaders): Promise<TaskRun> {
    const { id } = await this.run(fields, headers);
    await this.advance('2s');
    return this.runOf(id);
  }

  runOf(id: string, include?: string): Promise<TaskRun> {
    return this.done(`GET /task-runs/${id}${include === undefined ? '' : `?include=${include}`}`);
  }

  /** A destination; a webhook to nowhere unless given. */
  destination(fields: Body = {}): Promise<Destination> {
    return this.done('POST /event-destinations', { type_config: { url: 'http://127.0.0.1:9/hook' }, ...fields });
  }

  async advance(duration: string): Promise<void> {
    await this.control.advance(duration);
  }

  /** Fires a cause; gives the types of the events it set off. */
  async cause(name: string, params: Body = {}): Promise<readonly string[]> {
    const { events } = await this.control.event(name, params);
    return events.map(({ type }) => String(type));
  }

  /** Pins a path of a run. */
  pin(run: string, path: string, value: unknown): Promise<Body> {
    return this.control.pin({ resource: 'task_runs', id: run, path, value });
  }

  /** Every event of the world, oldest first. */
  async events(): Promise<VendorEvent[]> {
    const found: VendorEvent[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: List<VendorEvent> = await this.done(`GET /events?Limit=100${after}`);
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found.reverse();
  }

  /** The events that something causes, in order. */
  async eventsOf(run: () => Promise<unknown>): Promise<VendorEvent[]> {
    const before = (await this.events()).length;
    await run();
    return (await this.events()).slice(before);
  }

  /** The types of the events that something causes, in order. */
  async typesOf(run: () => Promise<unknown>): Promise<string[]> {
    return (await this.eventsOf(run)).map(({ type }) => type);
  }

  /** Deliveries, oldest first. */
  async deliveries(): Promise<Delivery[]> {
    const { data } = await this.control.call('GET', '/webhooks/deliveries?limit=1000');
    return [...(data as Delivery[])].reverse();
  }

  /** The trace of a response. */
  trace(answer: Called<unknown>): Promise<Body> {
    return this.control.trace(answer.headers.get('x-mock-resolution-trace') ?? 'none');
  }
}

/** One sandbox for the tests of a file; each starts in an empty world. */
export function serveAutomation(options: StartOptions = {}): Automation {
  return forTests(new Automation(options), { reset: { t0: T0 } });
}

/** What the control API refuses, as status and code. */
export async function refusal(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.then(
    () => 'it was not refused',
    (reason: unknown) => reason,
  );
  const { status, body } = error as { readonly status?: number; readonly body?: { readonly error?: Body } };
  return body?.error === undefined ? error : { status, ...body.error };
}
