import { ExpressionFailure, withBudget, isObject, toText } from '../values/index.js';
import { type Host, withOrigin } from '../expression/index.js';
import type { ReceivedMessage } from './connection.js';
import { beginningOf, HttpClient } from './http.js';
import type { Listeners } from './listeners.js';
import { maskUrl } from './mask.js';
import { LIMITS } from '../limits.js';
import { type AttemptResult, type Headers, headersOf, type Message, type Transport, unsent } from './message.js';
import type { EndpointPlan, HttpPlan, SocketPlan, TransportPlan } from '../program/index.js';
import type { WorldReader } from '../runtime/index.js';
import { Row } from '../world/index.js';
import { type Render, type Rendered, renderer } from './render.js';

const GONE = 410;

/** The services that transports use. */
interface TransportSurroundings {
  readonly host: WorldReader;
  /** Real time in milliseconds: receivers compare timestamps with their own clocks. */
  readonly wallMs: () => number;
  readonly listeners: Listeners;
  /** Called with errors of templates. */
  readonly onDefect: (error: unknown, what: string) => void;
}

/** Makes the transport of a plan. */
export function makeTransport(
  plan: TransportPlan,
  endpoints: EndpointPlan,
  surroundings: TransportSurroundings,
): Transport {
  switch (plan.kind) {
    case 'http':
      return new HttpTransport(plan.http, endpoints, surroundings);
    case 'socket':
      return new SocketTransport(plan, endpoints, surroundings);
    case 'record':
      return new RecordTransport(plan.record, surroundings);
  }
}

/** Signs and sends messages. */
class HttpTransport implements Transport {
  readonly #client = new HttpClient();
  readonly #render: Render;

  constructor(
    private readonly plan: HttpPlan,
    endpoints: EndpointPlan,
    private readonly surroundings: TransportSurroundings,
  ) {
    this.#render = renderer(plan, endpoints);
  }

  async send(message: Message): Promise<AttemptResult> {
    const { host, wallMs, onDefect } = this.surroundings;
    let url: string;
    let rendered: Rendered;
    try {
      url = withOrigin(toText(withBudget(() => this.plan.url(host, message.endpoint, message.event))), host.baseUrl);
      const render = (): Rendered => withBudget(() => this.#render(host, message, Math.floor(wallMs() / 1000)));
      rendered = inTenantOf(message, host, render);
    } catch (error) {
      onDefect(error, `delivery ${message.id} to ${message.endpoint.id}`);
      return unsent(unwritten(error));
    }
    const { headers, body, shown } = rendered;
    const { method, timeoutMs } = this.plan;
    const length: Headers = method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const result = await this.#client.send(method, url, { ...headers, ...length }, body, timeoutMs);
    const { status, error } = result;
    const good = error === null && status !== null && isGood(status);
    return {
      outcome: good ? 'delivered' : 'failed',
      isGone: status === GONE,
      retryAfterMs: good ? 0 : retryAfter(result.response?.headers, wallMs()),
      url: maskUrl(url),
      status,
      error,
      request: { headers: { ...shown, ...length }, body },
      response: result.response,
      message: null,
    };
  }

  abort(): void {
    this.#client.abort();
  }
}

/** Returns the error text for a message that couldn't be written. */
function unwritten(error: unknown): string {
  const why = error instanceof ExpressionFailure ? `: ${error.message}` : '';
  return `the message could not be written${why}`;
}

/** The delay that a receiver asks for (RFC 9110, 10.2.3: seconds or a date), in milliseconds from `wallMs`. */
function retryAfter(headers: Headers | undefined, wallMs: number): number {
  const value =
    Object.entries(headers ?? {})
      .find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
      .trim() ?? '';
  const ms = /^[0-9]+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - wallMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LIMITS.retryAfter.value);
}

/** Signs messages and sends them to listeners. Without `retries` none is sent twice: an absent listener misses it. */
class SocketTransport implements Transport {
  readonly #render: Render;
  readonly #plan: HttpPlan;
  readonly #socket: SocketPlan;
  readonly #final: boolean;

  constructor(
    { http, socket, attempts }: Extract<TransportPlan, { kind: 'socket' }>,
    endpoints: EndpointPlan,
    private readonly surroundings: TransportSurroundings,
  ) {
    this.#plan = http;
    this.#socket = socket;
    this.#final = attempts.retries === null;
    this.#render = renderer(http, endpoints);
  }

  async send(message: Message): Promise<AttemptResult> {
    const { host, wallMs, onDefect, listeners } = this.surroundings;
    const { event, endpoint, id, attempt, failure } = message;
    const final = this.#final;
    try {
      const timestamp = Math.floor(wallMs() / 1000);
      const url = maskUrl(withOrigin(toText(withBudget(() => this.#plan.url(host, endpoint, event))), host.baseUrl));
      const { headers, body, shown } = inTenantOf(message, host, () =>
        withBudget(() => this.#render(host, message, timestamp)),
      );
      const name = toText(withBudget(() => this.#socket.listener(host, endpoint)));
      const connection = listeners.get(name);
      if (!connection) return { ...unsent('no listener is connected', url), final };
      const { frame, ends } = this.#socket;
      const ending = ends !== null && withBudget(() => ends.when(host, { event, endpoint })) === true ? ends : null;
      const say = ending === null ? frame : ending.say;
      const framed = withBudget(() =>
        say(host, { event, endpoint, timestamp, body, delivery: id, headers, attempt, failure }),
      );
      const text = withOrigin(JSON.stringify(framed), host.baseUrl);
      if (ending !== null) listeners.dismiss(name, text);
      const received: ReceivedMessage =
        ending === null ? await connection.send(endpoint, id, text, this.#plan.timeoutMs) : { kind: 'acknowledged' };
      return {
        ...resultOf(received),
        final,
        isGone: false,
        url,
        request: { headers: shown, body },
        message: null,
      };
    } catch (error) {
      onDefect(error, `delivery ${id} to ${endpoint.id}`);
      return { ...unsent(unwritten(error)), final };
    }
  }
}

/** Converts a listener's response or acknowledgement to the result of an attempt. */
function resultOf(received: ReceivedMessage): Pick<AttemptResult, 'outcome' | 'status' | 'error' | 'response'> {
  switch (received.kind) {
    case 'responded': {
      const status = typeof received.status === 'number' ? received.status : null;
      const pairs = Object.entries(isObject(received.headers) ? received.headers : {});
      return {
        outcome: status === null || isGood(status) ? 'delivered' : 'failed',
        status,
        error: null,
        response: {
          headers: headersOf(pairs.map(([name, value]) => [name, toText(value)])),
          body: beginningOf(Buffer.from(toText(received.body))),
        },
      };
    }
    case 'acknowledged':
      return { outcome: 'delivered', status: null, error: null, response: null };
    case 'lost':
      return { outcome: 'failed', status: null, error: received.error, response: null };
  }
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Records the message that would be published, without sending it. */
class RecordTransport implements Transport {
  constructor(
    private readonly written: Extract<TransportPlan, { kind: 'record' }>['record'],
    private readonly surroundings: TransportSurroundings,
  ) {}

  send(message: Message): Promise<AttemptResult> {
    return Promise.resolve(this.record(message));
  }

  record(message: Message): AttemptResult {
    try {
      const made = withBudget(() => this.written(this.surroundings.host, message));
      const request = { headers: {}, body: withOrigin(JSON.stringify(made), this.surroundings.host.baseUrl) };
      return {
        outcome: 'recorded',
        isGone: false,
        url: null,
        status: null,
        error: null,
        request,
        response: null,
        message: made,
      };
    } catch (error) {
      this.surroundings.onDefect(error, `delivery ${message.id} to ${message.endpoint.id}`);
      return unsent(unwritten(error));
    }
  }
}

/** Runs a function in the tenant of a message's event, so that expressions see that tenant's objects. */
function inTenantOf<T>({ event }: Message, host: Host, write: () => T): T {
  const tenant = event instanceof Row ? event.tenant : null;
  return tenant === null ? write() : host.within(tenant, write);
}
