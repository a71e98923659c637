import type { RawData, WebSocket } from 'ws';
import { withBudget, isObject, type Json, type JsonObject, toText } from '../values/index.js';
import { jsonOrNull } from '../codecs/index.js';
import { type Host } from '../expression/index.js';
import type { SocketPlan } from '../program/index.js';
import type { Row } from '../world/index.js';

/** The outcome of a message. */
export type ReceivedMessage =
  | { readonly kind: 'responded'; readonly status: Json; readonly headers: Json; readonly body: Json }
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'lost'; readonly error: string };

interface WaitingMessage {
  readonly endpoint: string;
  readonly settle: (message: ReceivedMessage) => void;
  isAcknowledged: boolean;
}

interface ConnectionOptions {
  readonly plan: SocketPlan;
  readonly host: Host;
  readonly onDefect: (error: unknown, what: string) => void;
}

/** Milliseconds for a listener to close its side of a connection. */
const CLOSE_TIMEOUT_MS = 500;

/** The connection of a listener, with its unfinished messages. */
export class Connection {
  /** Attempts that wait for an acknowledgement, by id of the delivery. */
  readonly #waiting = new Map<string, WaitingMessage>();
  /** Endpoints whose messages the listener acknowledges without responding. */
  readonly #passedOver = new Set<string>();

  constructor(
    private readonly socket: WebSocket,
    private readonly options: ConnectionOptions,
  ) {
    socket.on('message', (data) => this.#receive(data));
    // Ignores the error, since it also closes the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#lose('the listener has gone'));
  }

  /** Sends a message. @param timeoutMs longest wait for a response or acknowledgement */
  async send(endpoint: Row, delivery: string, text: string, timeoutMs: number): Promise<ReceivedMessage> {
    const { plan, host } = this.options;
    if (!withBudget(() => plan.awaitsResponse(host, endpoint))) this.#passedOver.add(endpoint.id);
    return new Promise((resolve) => {
      this.#waiting.get(delivery)?.settle({ kind: 'lost', error: 'it was sent again' });
      const waiting: WaitingMessage = {
        endpoint: endpoint.id,
        isAcknowledged: false,
        settle: (received) => {
          clearTimeout(timer);
          if (this.#waiting.get(delivery) === waiting) this.#waiting.delete(delivery);
          resolve(received);
        },
      };
      const timer = setTimeout(() => {
        const error = `no response within ${timeoutMs} ms${waiting.isAcknowledged ? ', though it has arrived' : ''}`;
        waiting.settle({ kind: 'lost', error });
      }, timeoutMs);
      this.#waiting.set(delivery, waiting);
      this.socket.send(text, (error) => {
        if (error) waiting.settle({ kind: 'lost', error: 'the listener has gone' });
      });
    });
  }

  /** Sends a message for which no response or acknowledgement is awaited. */
  say(text: string): void {
    this.socket.send(text, () => undefined);
  }

  /** Closes the connection. Messages in flight count as lost. */
  end({ code, reason }: { readonly code: number; readonly reason: string }): void {
    this.#lose('the connection to the listener was closed');
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  #receive(data: RawData): void {
    const { plan, host, onDefect } = this.options;
    const message = readJson(data);
    if (!message) return;
    try {
      const { says, to, ...rest } = withBudget(() => plan.read(host, message));
      const waiting = this.#waiting.get(toText(to));
      if (!waiting || says === null) return;
      if (says === 'responded') {
        this.#passedOver.delete(waiting.endpoint);
        waiting.settle({ kind: 'responded', ...rest });
        this.#passOver(waiting.endpoint);
      } else {
        waiting.isAcknowledged = true;
        if (this.#passedOver.has(waiting.endpoint)) waiting.settle({ kind: 'acknowledged' });
      }
    } catch (error) {
      onDefect(error, 'a reply of a listener');
    }
  }

  /**
   * Completes acknowledged messages of other endpoints once a listener responded for one: a listener with several endpoints
   * (such as one in each of two versions) may respond to the messages of one and only acknowledge the others'.
   */
  #passOver(responded: string): void {
    for (const { endpoint, isAcknowledged, settle } of [...this.#waiting.values()]) {
      if (endpoint === responded || !isAcknowledged) continue;
      this.#passedOver.add(endpoint);
      settle({ kind: 'acknowledged' });
    }
  }

  #lose(error: string): void {
    for (const { settle } of [...this.#waiting.values()]) settle({ kind: 'lost', error });
  }
}

function readJson(data: RawData): JsonObject | undefined {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
  const message = jsonOrNull(bytes.toString());
  return isObject(message) ? message : undefined;
}
