import { PackCache } from '../../../engine/pack/index.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../engine/hosting/sandbox.js';
import { ROOT } from '../../support/root.js';

export const KEY = 'sk_live_0123456789abcdefghijABCDEFGHIJ01';
export const T0 = '2026-06-09T12:00:00.000Z';

export type Body = Readonly<Record<string, unknown>>;

/** An answer of the vendor's API. */
export interface Answer<T = Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

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

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Authorization` header; null leaves it out. The world's key unless given. */
  readonly auth?: string | null;
  readonly scenario?: string;
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
export class Automation {
  readonly defects: string[] = [];
  #sandbox: Sandbox | undefined;

  constructor(private readonly options: Partial<SandboxOptions> = {}) {}

  async start(): Promise<this> {
    const onDefect = (error: unknown, what: string) => void this.defects.push(`${what}: ${String(error)}`);
    this.#sandbox = await createSandbox({
      pack: `${ROOT}/packs/task-automation`,
      cache: PackCache.ofInstallation(),
      key: KEY,
      seed: 'task automation tests',
      t0: T0,
      onDefect,
      ...this.options,
    });
    return this;
  }

  get sandbox(): Sandbox {
    if (!this.#sandbox) throw new Error('the sandbox was not started');
    return this.#sandbox;
  }

  get control(): Sandbox['control'] {
    return this.sandbox.control;
  }

  /** World time as the vendor writes it. */
  get now(): string {
    return new Date(this.sandbox.engine.world.nowMs).toISOString();
  }

  /** `body` is sent as JSON, or as it is when it is text. */
  async call<T = Body>(route: string, body?: unknown, options: CallOptions = {}): Promise<Answer<T>> {
    const [method, path] = route.split(' ');
    const { headers = {}, auth = `Bearer ${KEY}`, scenario } = options;
    const response = await fetch(`${this.sandbox.url}${path}`, {
      method,
      headers: {
        ...(auth === null ? {} : { authorization: auth }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(scenario === undefined ? {} : { 'x-mock-scenario': scenario }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parsed(text) as T };
    this.onAnswer?.(answer);
    return answer;
  }

  /** Sees every answer of the vendor's API. */
  onAnswer: ((answer: Answer<unknown>) => void) | undefined;

  /** A call that has to succeed. */
  async done<T = Body>(route: string, body?: unknown, options?: CallOptions): Promise<T> {
    const answer = await this.call<T>(route, body, options);
    if (answer.status >= 300) throw new Error(`${route} answered ${answer.status}: ${answer.text}`);
    return answer.body;
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
  async run(fields: Body = {}, options?: CallOptions): Promise<TaskRun> {
    const task_id = fields['task_id'] ?? (await this.task()).id;
    return this.done('POST /task-runs', { task_id, input: { invoice: 'INV-1' }, ...fields }, options);
  }

  /** A run that works: past `queue_time`. */
  async running(fields: Body = {}, options?: CallOptions): Promise<TaskRun> {
    const { id } = await this.run(fields, options);
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

  /** The trace of an answer. */
  trace(answer: Answer<unknown>): Promise<Body> {
    return this.control.trace(answer.headers.get('x-mock-resolution-trace') ?? 'none');
  }

  async stop(): Promise<void> {
    await this.sandbox.close();
    if (this.defects.length > 0) throw new Error(`defects:\n${[...new Set(this.defects)].join('\n')}`);
  }
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

/** One sandbox for the tests of a file; each starts in an empty world. */
export function serveAutomation(options: Partial<SandboxOptions> = {}): Automation {
  const automation = new Automation(options);
  beforeAll(() => automation.start(), 30_000);
  afterEach(async () => {
    await automation.control.reset({ t0: T0 });
  });
  afterAll(() => automation.stop());
  return automation;
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
