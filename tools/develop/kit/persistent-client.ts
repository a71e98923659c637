import { setTimeout as sleep } from 'node:timers/promises';
import { type CallBody, type CallResponse, callWorld } from './calls.js';

/** Milliseconds after which an attempt without a response is repeated. */
const ATTEMPT_TIMEOUT_MS = 15_000;

/** A customer in a list response. */
interface ListedCustomer {
  readonly id: string;
  readonly name: string;
}

/** Calls any of several servers like an official client: repeats unsuccessful calls with the same idempotency key. */
export class PersistentClient {
  /** Number of attempts without a response, or with a response after which clients retry. */
  repeated = 0;

  /**
   * Creates a client of several servers.
   * @param urls of the current servers
   * @param patienceMs time limit for repeating a call
   * @param onRejected called with responses that a failing server doesn't explain
   */
  constructor(
    private readonly urls: () => readonly string[],
    private readonly patienceMs: number,
    private readonly onRejected: (what: string) => void = () => undefined,
  ) {}

  /** Repeats a call until it succeeds, and returns the body; null if it never did. */
  async call(key: string, line: string, body?: CallBody, name?: string): Promise<CallResponse['body'] | null> {
    const until = performance.now() + this.patienceMs;
    const more: Record<string, string> = name === undefined ? {} : { 'idempotency-key': name };
    while (performance.now() < until) {
      const urls = this.urls();
      const url = urls[Math.floor(Math.random() * urls.length)];
      // Treats a call without a response as one that may have been executed.
      const response = await callWorld({ url, key }, line, body, more, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)).catch(
        () => undefined,
      );
      if (response !== undefined && response.status < 300) return response.body;
      if (response !== undefined && response.status < 500 && response.status !== 409)
        this.onRejected(`${line}: ${response.status} ${response.text.slice(0, 200)}`);
      this.repeated++;
      await sleep(20 + Math.random() * 30);
    }
    return null;
  }

  /** Makes a call that has to succeed eventually, and returns the body. @throws Error if it never did */
  async succeed(...[key, line, body, name]: Parameters<PersistentClient['call']>): Promise<CallResponse['body']> {
    const done = await this.call(key, line, body, name);
    if (done === null) throw new Error(`${line} never succeeds`);
    return done;
  }

  /** Lists all customers of a world, newest first. */
  async customers(key: string): Promise<ListedCustomer[]> {
    const all: ListedCustomer[] = [];
    for (let after = ''; ;) {
      const page = await this.succeed(key, `GET /v1/customers?limit=100${after && `&starting_after=${after}`}`);
      all.push(...(page['data'] as readonly ListedCustomer[]));
      if (page['has_more'] !== true) return all;
      after = all[all.length - 1].id;
    }
  }

  /** Calls the control API of a world. */
  async control(key: string, path: string, body: object = {}): Promise<CallResponse['body']> {
    return this.succeed(key, `POST /__admin__${path}`, body);
  }

  /** Delivers the events of a world; failed attempts are repeated by its clock. */
  async deliverAll(key: string): Promise<void> {
    await this.control(key, '/webhooks/flush');
    for (let day = 0; day < 4; day++) await this.control(key, '/clock/advance', { duration: '1d' });
    await this.control(key, '/webhooks/flush');
  }
}
