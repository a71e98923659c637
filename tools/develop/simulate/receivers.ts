import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Dice, seedFrom } from './dice.js';

/** One call that a receiver got. */
interface Arrival {
  readonly path: string;
  /** Id of the event. */
  readonly event: string;
  /** Whether the receiver accepted it. */
  readonly accepted: boolean;
}

/**
 * Receivers of webhooks whose responses and delays a seed decides. All are one server; each has a path. What one returns depends on
 * the path, the event and how often it came, so that the order among receivers does not matter.
 */
export class Receivers {
  readonly arrivals: Arrival[] = [];
  readonly #server: Server;
  readonly #times = new Map<string, number>();
  readonly #down = new Set<string>();
  #seed = 0;
  #patient = false;

  private constructor() {
    this.#server = createServer((req, res) => this.#take(req, res));
  }

  static async start(): Promise<Receivers> {
    const receivers = new Receivers();
    await new Promise<void>((resolve) => receivers.#server.listen(0, '127.0.0.1', resolve));
    return receivers;
  }

  /** Base address, without a path. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  begin(seed: number): void {
    this.#seed = seed;
    this.#patient = false;
    this.arrivals.length = 0;
    this.#times.clear();
    this.#down.clear();
  }

  /** Stops a receiver, or starts it again: one that is down cuts every connection. */
  set(path: string, isUp: boolean): void {
    if (isUp) this.#down.delete(path);
    else this.#down.add(path);
  }

  /** From now on all are up and accept everything. */
  relent(): void {
    this.#down.clear();
    this.#patient = true;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #take(req: IncomingMessage, res: ServerResponse): void {
    const path = req.url ?? '';
    if (this.#down.has(path)) {
      req.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const event = /"id":\s*"(evt_\w+)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
      const times = this.#times.get(`${path} ${event}`) ?? 0;
      this.#times.set(`${path} ${event}`, times + 1);
      this.#respond(path, event, new Dice(seedFrom(this.#seed, path, event, times)), res);
    });
  }

  #respond(path: string, event: string, dice: Dice, res: ServerResponse): void {
    const way = this.#patient ? 0 : dice.below(100);
    this.arrivals.push({ path, event, accepted: way < 92 });
    if (way >= 97) res.destroy();
    else if (way >= 92) res.writeHead(dice.one([500, 503, 404, 302])).end();
    else if (way >= 80) setTimeout(() => res.writeHead(200).end('ok'), dice.below(8));
    else res.writeHead(200).end('ok');
  }
}
