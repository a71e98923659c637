import { type Holder, type Json, type JsonObject, member, toText } from '../expression/index.js';
import type { Engine } from '../operation/index.js';
import type { Row } from '../world/index.js';
import { type Delivery, DeliveryLog, type DeliveryView, viewOf } from './delivery.js';
import { Lanes } from './lanes.js';
import { maskUrl } from './mask.js';
import { type AttemptResult, type Transport, unsent } from './message.js';
import { deliveryPlan } from './plan.js';
import { Retries } from './retries.js';
import { makeTransport } from './transports.js';

export interface OutboxOptions {
  /** Told of defects of the pack that show while delivering. */
  readonly onDefect: (error: unknown, what: string) => void;
  /** Transports by name that replace the pack's (a real publisher for a message bus). */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Wall time in milliseconds. */
  readonly wallMs?: () => number;
  /** How many of the newest deliveries are kept. */
  readonly limit?: number;
}

const KEPT = 10_000;

/**
 * Delivers the events of committed commands to the endpoints that receive them. First attempts of an endpoint go out in
 * order, one after another; endpoints do not wait for each other. A failed attempt is repeated when the world's clock
 * reaches its time, beside the first attempts of later events.
 */
export class Outbox {
  readonly #log: DeliveryLog;
  readonly #firsts = new Lanes<Delivery>(
    (delivery) => this.#automatic(delivery),
    () => this.#settled(),
  );
  readonly #again = new Lanes<Delivery>(
    (delivery) => this.#automatic(delivery),
    () => this.#settled(),
  );
  readonly #waiting = new Retries<Delivery>();
  readonly #transports = new Map<string, Transport>();
  /** Endpoints whose deliveries were given up since they last became receivers. */
  readonly #givenUp = new Set<string>();
  readonly #wallMs: () => number;
  #flushes: (() => void)[] = [];
  #replays = 0;
  /** Counts resets: what began before one no longer matters. */
  #epoch = 0;
  #closed = false;

  constructor(
    private readonly engine: Engine,
    private readonly options: OutboxOptions,
  ) {
    this.#log = new DeliveryLog(options.limit ?? KEPT);
    this.#wallMs = options.wallMs ?? Date.now;
    for (const [name, transport] of options.transports ?? []) this.#transports.set(name, transport);
    engine.onEvents((events) => this.#enqueue(events));
    engine.world.onMove((nowMs) => {
      for (const delivery of this.#waiting.take(nowMs)) this.#again.push(delivery.endpoint.id, delivery);
    });
  }

  /** Deliveries, newest first; of one endpoint or one event (their ids) when given. */
  list({
    endpoint,
    event,
    limit = 100,
  }: { readonly endpoint?: string; readonly event?: string; readonly limit?: number } = {}): DeliveryView[] {
    const all = event === undefined ? this.#log.newestFirst() : [...this.#log.ofEvent(event)].reverse();
    const found = endpoint === undefined ? all : all.filter((delivery) => delivery.endpoint.id === endpoint);
    return found.slice(0, limit).map((delivery) => this.#view(delivery));
  }

  /** Deliveries of an event, oldest first. */
  deliveriesOf(eventId: string): DeliveryView[] {
    return this.#log.ofEvent(eventId).map((delivery) => this.#view(delivery));
  }

  /** Sends a delivery once more, now. Undefined: there is no such delivery. */
  async replay(deliveryId: string): Promise<DeliveryView | undefined> {
    const delivery = this.#log.get(deliveryId);
    if (!delivery) return undefined;
    this.#replays++;
    await this.#attempt(delivery, this.engine.world.nowMs);
    this.#replays--;
    this.#settled();
    return this.#view(delivery);
  }

  /** Delivers an event to one endpoint, whatever it subscribed to and whether or not the event is stored. */
  send(event: JsonObject, endpoint: Row): void {
    const plan = deliveryPlan(this.engine.pack);
    if (plan && !this.#closed) this.#make({ value: event }, toText(member(event, plan.typeField)), endpoint, true);
  }

  /** Waits until every delivery whose time has come was attempted. */
  flush(): Promise<void> {
    return this.#isIdle ? Promise.resolve() : new Promise((resolve) => this.#flushes.push(resolve));
  }

  /** Forgets every delivery; what is under way is broken off. */
  reset(): void {
    this.#epoch++;
    this.#log.clear();
    this.#waiting.clear();
    this.#givenUp.clear();
    for (const transport of this.#transports.values()) transport.abort?.();
    this.#firsts.clear();
    this.#again.clear();
  }

  /** Ends everything under way; nothing is delivered any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.reset();
    await this.flush();
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

  /** Makes the deliveries of a command's events, for those who receive them now. */
  #enqueue(events: readonly Row[]): void {
    const { subscriptions } = this.engine.runtime;
    if (!subscriptions || this.#closed || this.engine.world.collections[subscriptions.resource.index].size === 0)
      return;
    const plan = deliveryPlan(this.engine.pack);
    if (!plan) return;
    for (const event of events) {
      const type = toText(member(event.value, plan.typeField));
      this.#guarded(`receivers of ${type}`, undefined, () => {
        for (const endpoint of subscriptions.receivers(type)) this.#make(event, type, endpoint, false);
      });
    }
  }

  #make(event: Holder, type: string, endpoint: Row, addressed: boolean): void {
    const { runtime, world, pack } = this.engine;
    const plan = deliveryPlan(pack);
    const eventId = toText(member(event.value, 'id'));
    const transport = this.#guarded(`transport of ${endpoint.id}`, '', () =>
      toText(plan?.transportOf(runtime, endpoint) ?? ''),
    );
    const chosen = plan?.transports.get(transport);
    const url =
      chosen?.kind === 'http'
        ? this.#guarded(`url of ${endpoint.id}`, null, () => maskUrl(chosen.http.url(runtime, endpoint)))
        : null;
    const delivery: Delivery = {
      id: this.#newId(eventId, endpoint.id),
      event,
      eventId,
      type,
      transport,
      addressed,
      attempts: [],
      endpoint,
      url,
      status: 'pending',
      body: null,
      message: null,
      tries: 0,
      due: world.nowMs,
    };
    if (!addressed) this.#givenUp.delete(endpoint.id);
    this.#log.add(delivery);
    this.#firsts.push(endpoint.id, delivery);
  }

  /** The same calls after a reset give the same ids. */
  #newId(eventId: string, endpointId: string): string {
    for (let n = 0; ; n++) {
      const id = `dlv_${this.engine.world.stableText(`delivery ${eventId} ${endpointId} ${n}`, 16)}`;
      if (this.#log.get(id) === undefined) return id;
    }
  }

  /** The attempt that is due, and what follows from it. */
  async #automatic(delivery: Delivery): Promise<void> {
    const { due } = delivery;
    const epoch = this.#epoch;
    if (delivery.status !== 'pending' || due === null) return;
    if (!this.#stillWanted(delivery)) {
      delivery.status = 'failed';
      delivery.due = null;
      return;
    }
    delivery.tries++;
    const result = await this.#attempt(delivery, due);
    // A replay may have delivered it meanwhile.
    if (epoch === this.#epoch && delivery.status === 'pending') this.#plan(delivery, due, result);
  }

  /**
   * An event goes out once to those who received events when it happened, retries only to those who still do. Where an
   * endpoint was given up meanwhile, what queued behind is not sent.
   */
  #stillWanted(delivery: Delivery): boolean {
    const { subscriptions } = this.engine.runtime;
    if (delivery.addressed || !subscriptions) return true;
    if (delivery.tries === 0 && !this.#givenUp.has(delivery.endpoint.id)) return true;
    const current = this.engine.world.row(subscriptions.resource.index, delivery.endpoint.id);
    if (!current) return false;
    delivery.endpoint = current;
    return this.#guarded(`activity of ${current.id}`, false, () => subscriptions.isActive(current));
  }

  /** One attempt, now. `worldMs` is when it was due. */
  async #attempt(delivery: Delivery, worldMs: number): Promise<AttemptResult> {
    const epoch = this.#epoch;
    const at = this.#wallMs();
    const started = performance.now();
    const { id, event, endpoint, body } = delivery;
    const transport = this.#transport(delivery.transport);
    const result = transport
      ? await transport.send({ id, event, endpoint, body })
      : unsent(`there is no transport '${delivery.transport}'`);
    if (epoch !== this.#epoch) return result;
    const { status, error, request, response } = result;
    const instant = this.engine.model.env.fromMs(worldMs);
    const duration = Math.round(performance.now() - started);
    delivery.attempts.push({
      at: new Date(at).toISOString(),
      world_time: instant,
      status,
      duration_ms: duration,
      error,
      request,
      response,
    });
    delivery.url = result.url ?? delivery.url;
    if (request.body !== '') delivery.body = request.body;
    if (result.outcome === 'failed') return result;
    if (delivery.due !== null) this.#waiting.remove(delivery);
    delivery.status = result.outcome;
    delivery.due = null;
    delivery.message = result.message;
    return result;
  }

  /** Decides what follows a failed attempt: another one, or the end. */
  #plan(delivery: Delivery, due: number, { gone }: AttemptResult): void {
    const plan = deliveryPlan(this.engine.pack);
    const wait = plan?.retriesMs[delivery.tries - 1];
    if (wait !== undefined && !(gone && plan?.exhausted)) {
      delivery.due = due + wait;
      if (delivery.due <= this.engine.world.nowMs) this.#again.push(delivery.endpoint.id, delivery);
      else this.#waiting.add(delivery, delivery.due);
      return;
    }
    delivery.status = 'failed';
    delivery.due = null;
    const { subscriptions } = this.engine.runtime;
    const endpoint = subscriptions && this.engine.world.row(subscriptions.resource.index, delivery.endpoint.id);
    const exhausted = plan?.exhausted;
    if (!endpoint || !exhausted) return;
    this.#givenUp.add(endpoint.id);
    this.#guarded(`giving up delivery ${delivery.id}`, undefined, () => {
      this.engine.command('delivery given up', 'clock', (command) => exhausted(command, endpoint));
    });
  }

  #transport(name: string): Transport | undefined {
    const known = this.#transports.get(name);
    const plan = known ?? deliveryPlan(this.engine.pack)?.transports.get(name);
    if (!plan || 'send' in plan) return plan;
    const made = makeTransport(plan, {
      host: this.engine.runtime,
      wallMs: this.#wallMs,
      onDefect: this.options.onDefect,
    });
    this.#transports.set(name, made);
    return made;
  }

  #view(delivery: Delivery): DeliveryView {
    return viewOf(delivery, (ms): Json => this.engine.model.env.fromMs(ms));
  }

  /** Runs something of the pack; a defect of it is reported and does not stop the outbox. */
  #guarded<T>(what: string, otherwise: T, run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.options.onDefect(error, what);
      return otherwise;
    }
  }
}
