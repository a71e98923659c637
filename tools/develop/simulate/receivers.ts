import type { ServerResponse } from 'node:http';
import { receive, type ReceivedCall, type Receiver } from '../kit/receiver.js';
import { Dice, seedFrom } from './dice.js';

/** A webhook request that a receiver got. */
interface Arrival {
  readonly path: string;
  /** Id of the delivered event. */
  readonly event: string;
  /** Whether the receiver's response accepted the event. */
  readonly accepted: boolean;
}

/**
 * Webhook receivers with random responses and delays. One server serves all, each at its path. A response depends on the path, the event and the
 * number of attempts, so that the order among receivers doesn't matter.
 */
export class Receivers {
  readonly arrivals: Arrival[] = [];
  readonly #times = new Map<string, number>();
  readonly #down = new Set<string>();
  #receiver: Receiver | null = null;
  #seed = 0;
  #patient = false;

  static async start(): Promise<Receivers> {
    const receivers = new Receivers();
    receivers.#receiver = await receive((call, response) => receivers.#take(call, response));
    return receivers;
  }

  /** Base URL of the receivers, without a path. */
  get url(): string {
    return this.#receiver?.url ?? '';
  }

  begin(seed: number): void {
    this.#seed = seed;
    this.#patient = false;
    this.arrivals.length = 0;
    this.#times.clear();
    this.#down.clear();
  }

  /** Stops or starts a receiver; a stopped one closes every connection. */
  set(path: string, isUp: boolean): void {
    if (isUp) this.#down.delete(path);
    else this.#down.add(path);
  }

  /** Starts all receivers and lets them accept everything. */
  relent(): void {
    this.#down.clear();
    this.#patient = true;
  }

  async stop(): Promise<void> {
    await this.#receiver?.stop();
  }

  #take({ path, body }: ReceivedCall, response: ServerResponse): void {
    if (this.#down.has(path)) {
      response.destroy();
      return;
    }
    const event = /"id":\s*"(evt_\w+)"/.exec(body)?.[1] ?? '';
    const times = this.#times.get(`${path} ${event}`) ?? 0;
    this.#times.set(`${path} ${event}`, times + 1);
    this.#respond(path, event, new Dice(seedFrom(this.#seed, path, event, times)), response);
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
