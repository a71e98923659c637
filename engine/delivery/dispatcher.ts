import type { Engine } from '../runtime/index.js';
import type { Delivery } from './delivery.js';
import { Lanes } from './lanes.js';
import { type AttemptResult, type Transport, unsent } from './message.js';
import type { DeliveryPlan } from '../program/index.js';
import { Retries } from './retries.js';
import { makeTransport } from './transports.js';

export interface DispatcherOptions {
  readonly onDefect: (error: unknown, what: string) => void;
  readonly wallMs: () => number;
  /** Transports by name that replace the pack's. */
  readonly transports: ReadonlyMap<string, Transport>;
}

/**
 * Makes the attempts of deliveries: first ones in order per endpoint, later ones when the world's clock reaches them,
 * beside the first ones. What an attempt brings is written into its delivery.
 */
export class Dispatcher {
  readonly #firsts = new Lanes<Delivery>(
    (delivery) => this.#automatic(delivery),
    () => this.#settled(),
  );
  readonly #again = new Lanes<Delivery>(
    (delivery) => this.#automatic(delivery),
    () => this.#settled(),
  );
  readonly #waiting = new Retries<Delivery>();
  readonly #transports: Map<string, Transport>;
  /** Endpoints whose deliveries were given up since they last became receivers. */
  readonly #givenUp = new Set<string>();
  #flushes: (() => void)[] = [];
  #replays = 0;
  /** Counts resets: what began before one no longer matters. */
  #epoch = 0;

  constructor(
    private readonly engine: Engine,
    private readonly options: DispatcherOptions,
  ) {
    this.#transports = new Map(options.transports);
    engine.world.onMove((nowMs) => {
      for (const delivery of this.#waiting.take(nowMs)) this.#again.push(delivery.endpoint.id, delivery);
    });
  }

  /** Queues the first attempt of a delivery. */
  dispatch(delivery: Delivery): void {
    if (!delivery.addressed) this.#givenUp.delete(delivery.endpoint.id);
    this.#firsts.push(delivery.endpoint.id, delivery);
  }

  /** One more attempt, now, beside whatever is queued. */
  async replay(delivery: Delivery): Promise<void> {
    this.#replays++;
    await this.#attempt(delivery, this.engine.world.nowMs);
    if (delivery.status !== 'pending') this.#waiting.remove(delivery);
    this.#replays--;
    this.#settled();
  }

  /** Waits until every attempt whose time has come was made. */
  flush(): Promise<void> {
    return this.#isIdle ? Promise.resolve() : new Promise((resolve) => this.#flushes.push(resolve));
  }

  /** Breaks off what is under way and forgets the rest. */
  reset(): void {
    this.#epoch++;
    this.#waiting.clear();
    this.#givenUp.clear();
    for (const transport of this.#transports.values()) transport.abort?.();
    this.#firsts.clear();
    this.#again.clear();
  }

  get #plan(): DeliveryPlan | null {
    return this.engine.pack.delivery;
  }

  get #isIdle(): boolean {
    return this.#firsts.isIdle && this.#again.isIdle && this.#replays === 0;
  }

  #settled(): void {
    if (!this.#isIdle) return;
    const done = this.#flushes;
    this.#flushes = [];
    for (const resolve of done) resolve();
  }

  /** The attempt that is due, and what follows from it. */
  async #automatic(delivery: Delivery): Promise<void> {
    const { due } = delivery;
    const epoch = this.#epoch;
    if (delivery.status !== 'pending' || due === null) return;
    if (!this.#stillWanted(delivery)) return end(delivery);
    delivery.tries++;
    const result = await this.#attempt(delivery, due);
    // A replay may have delivered it meanwhile.
    if (epoch === this.#epoch && delivery.status === 'pending') this.#follow(delivery, due, result);
  }

  /**
   * An event goes out once to those who received events when it happened, retries only to those who still do. Where an
   * endpoint was given up meanwhile, what queued behind is not sent.
   */
  #stillWanted(delivery: Delivery): boolean {
    const { endpoints } = this.engine.runtime;
    if (delivery.addressed || !endpoints) return true;
    if (delivery.tries === 0 && !this.#givenUp.has(delivery.endpoint.id)) return true;
    const current = this.engine.world.row(endpoints.resource.index, delivery.endpoint.id);
    if (!current) return false;
    delivery.endpoint = current;
    return this.#guarded(`activity of ${current.id}`, false, () => endpoints.isActive(current));
  }

  /** One attempt, now. `worldMs` is when it was due. */
  async #attempt(delivery: Delivery, worldMs: number): Promise<AttemptResult> {
    const epoch = this.#epoch;
    const at = new Date(this.options.wallMs()).toISOString();
    const started = performance.now();
    const result = await this.#send(delivery);
    if (epoch !== this.#epoch) return result;
    const { status, error, request, response, outcome } = result;
    const duration_ms = Math.round(performance.now() - started);
    const world_time = this.engine.model.env.fromMs(worldMs);
    delivery.attempts.push({ at, world_time, status, duration_ms, error, request, response });
    this.engine.world.version++; // answers that tell of deliveries
    delivery.url = result.url ?? delivery.url;
    if (request.body !== '') delivery.body = request.body;
    if (outcome === 'failed') return result;
    delivery.status = outcome;
    delivery.due = null;
    delivery.message = result.message;
    return result;
  }

  async #send({ id, event, endpoint, body, transport: name }: Delivery): Promise<AttemptResult> {
    const transport = this.#transport(name);
    if (!transport) return unsent(`there is no transport '${name}'`);
    try {
      return await transport.send({ id, event, endpoint, body });
    } catch (error) {
      this.options.onDefect(error, `transport ${name}`);
      return unsent('the transport failed');
    }
  }

  /** Decides what follows a failed attempt: another one, or the end. */
  #follow(delivery: Delivery, due: number, { gone }: AttemptResult): void {
    const plan = this.#plan;
    const wait = plan?.retriesMs[delivery.tries - 1];
    if (wait === undefined || (gone && plan?.endpoint.exhausted)) {
      end(delivery);
      this.#giveUp(delivery);
      return;
    }
    delivery.due = due + wait;
    if (delivery.due <= this.engine.world.nowMs) this.#again.push(delivery.endpoint.id, delivery);
    else this.#waiting.add(delivery, delivery.due);
  }

  /** Does what the pack says about an endpoint that cannot be reached. */
  #giveUp(delivery: Delivery): void {
    const { runtime, world } = this.engine;
    const exhausted = this.#plan?.endpoint.exhausted;
    const index = runtime.endpoints?.resource.index;
    const endpoint = index === undefined ? undefined : world.row(index, delivery.endpoint.id);
    if (!endpoint || !exhausted) return;
    this.#givenUp.add(endpoint.id);
    this.#guarded(`giving up delivery ${delivery.id}`, undefined, () => {
      this.engine.command('delivery given up', 'clock', (command) => exhausted(command, endpoint));
    });
  }

  #transport(name: string): Transport | undefined {
    const known = this.#transports.get(name);
    if (known) return known;
    const plan = this.#plan?.transports.get(name);
    if (!plan || !this.#plan) return undefined;
    const { wallMs, onDefect } = this.options;
    const made = makeTransport(plan, this.#plan.endpoint, { host: this.engine.runtime, wallMs, onDefect });
    this.#transports.set(name, made);
    return made;
  }

  /** Runs something of the pack; a defect of it is reported and does not stop deliveries. */
  #guarded<T>(what: string, otherwise: T, run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.options.onDefect(error, what);
      return otherwise;
    }
  }
}

function end(delivery: Delivery): void {
  delivery.status = 'failed';
  delivery.due = null;
}
