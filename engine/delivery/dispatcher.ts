import { LIMITS } from '../limits.js';
import type { Engine } from '../runtime/index.js';
import type { AttemptRecord } from '../world/index.js';
import { type Delivery, isNews, recordOutcome } from './delivery.js';
import { Lanes } from './endpoint-queue.js';
import type { AttemptResult } from './message.js';
import type { DeliveryPlan } from '../program/index.js';
import { outcomeOf, Reactions } from './reactions.js';
import { EndpointSet } from './receivers.js';
import { Retries } from './schedule.js';
import { deliveryMessage, Sender, type SenderOptions } from './sender.js';
import { InFlight } from './in-flight.js';

interface DispatcherOptions extends SenderOptions {
  /** Longest wait of a flush in milliseconds. */
  readonly flushMs?: number;
}

/** The start of an attempt, by wall clock and monotonic clock. */
interface StartedAttempt {
  readonly at: string;
  readonly startedMs: number;
}

/**
 * Makes the attempts of deliveries: first attempts in order for each endpoint; retries, again in order for each endpoint, when
 * the world's clock reaches their time. The result of an attempt is stored in its delivery immediately. The world records it
 * only at certain moments (`recordOutcomes`), so that its contents don't depend on how long receivers take.
 */
export class Dispatcher {
  readonly receivers: EndpointSet;
  readonly #firsts = new Lanes<Delivery>((delivery) => this.#safely(delivery));
  readonly #again = new Lanes<Delivery>((delivery) => this.#safely(delivery));
  readonly #waiting = new Retries<Delivery>();
  readonly #inFlight = new InFlight();
  readonly #sender: Sender;
  /** Deliveries whose latest outcome the world hasn't recorded. */
  readonly #news = new Set<Delivery>();
  /** Deliveries whose last attempt failed, which the world hasn't recorded yet. */
  #gaveUp: Delivery[] = [];
  readonly #reactions: Reactions;
  /** Whether the clock is advancing, so that due attempts wait until it stops. */
  #held = false;
  readonly #flushMs: number;
  /** Incremented by each reset, so that work started before it is discarded. */
  #epoch = 0;

  constructor(
    private readonly engine: Engine,
    private readonly options: DispatcherOptions,
  ) {
    this.#flushMs = options.flushMs ?? LIMITS.flush.value;
    this.#sender = new Sender(engine, options);
    this.receivers = new EndpointSet(engine, options.onDefect);
    this.#reactions = new Reactions(engine, options.onDefect);
    engine.world.onMove(() => {
      if (!this.#held) this.#repeatDue();
    });
  }

  /** Queues the first attempt of a delivery. A delivery without a receiver is recorded at once. */
  dispatch(delivery: Delivery): void {
    const { endpoint, due } = delivery;
    if (due !== null && due > this.engine.world.nowMs) {
      this.#waiting.add(delivery, due);
      return;
    }
    const transport = this.#sender.transport(delivery.transport);
    if (!transport?.record || due === null || this.#firsts.isHeld(endpoint.id)) {
      this.#queue(this.#firsts, delivery);
      return;
    }
    delivery.inFlight = this.#inFlight.begin();
    delivery.tries++;
    const begun = this.#begin();
    const result = transport.record(deliveryMessage(delivery));
    this.#note(delivery, due, begun, result, (failed) => this.#next(delivery, due, failed));
    this.#follow(delivery);
    this.#recordNow(delivery);
  }

  /** Drops a delivery without an attempt. */
  lose(delivery: Delivery): void {
    this.#drop(delivery);
  }

  /** Restores stored deliveries, oldest first, and continues their attempts. */
  restore(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      if (isNews(delivery)) this.#news.add(delivery);
      if (!delivery.gaveUp) continue;
      this.#gaveUp.push(delivery);
      this.#laneOf(delivery).hold(delivery.endpoint.id);
    }
    this.receivers.look();
    for (const delivery of deliveries) {
      if (delivery.status !== 'pending' || delivery.due === null) continue;
      if (delivery.due > this.engine.world.nowMs) this.#waiting.add(delivery, delivery.due);
      else if (delivery.tries === 0) this.#queue(this.#firsts, delivery);
      else this.#queue(this.#again, delivery);
    }
  }

  /** Makes one more attempt now, beside queued ones. The world records this delivery. */
  async replay(delivery: Delivery): Promise<void> {
    const { world, runtime } = this.engine;
    const epoch = this.#epoch;
    const number = this.#inFlight.begin();
    const current = runtime.endpoints?.find(delivery.endpoint.id);
    if (current) delivery.endpoint = this.receivers.copyOf(current);
    await this.#attempt(delivery, world.nowMs, () => undefined);
    if (epoch !== this.#epoch) return;
    if (delivery.status !== 'pending') this.#waiting.remove(delivery);
    this.#recordNow(delivery);
    this.#inFlight.end(number);
  }

  /**
   * Waits until every due attempt was made, or the time limit ends, and records the results in the world.
   * @returns the number of attempts still in flight
   */
  async flush(): Promise<number> {
    const untilMs = performance.now() + this.#flushMs;
    for (;;) {
      const ended = await this.#inFlight.ended(untilMs - performance.now());
      if (!this.recordOutcomes() && ended) return 0;
      if (!ended) return this.#inFlight.count;
    }
  }

  /**
   * Records the results of attempts in the world: for responses with deliveries, and for the pack's steps after failures.
   * @returns whether this started further attempts
   */
  recordOutcomes(): boolean {
    const { world } = this.engine;
    const gaveUp = this.#gaveUp.sort((a, b) => a.number - b.number);
    this.#gaveUp = [];
    const ended = this.#reactions.take(this.#news);
    for (const delivery of ended) this.#reactions.react(delivery);
    for (const delivery of gaveUp) this.#reactions.abandon(delivery);
    const resumed = this.#resume();
    for (const delivery of this.#news) this.#recordOutcome(delivery);
    if (this.#news.size > 0 || gaveUp.length > 0) {
      this.#news.clear();
      world.outsideChanged();
      world.record({ kind: 'learned', delivery: null });
    }
    return gaveUp.length > 0 || ended.length > 0 || resumed;
  }

  /** Whether no attempt is in flight or queued. */
  get isAtRest(): boolean {
    return this.#inFlight.isNone;
  }

  /** Holds due attempts back while the clock advances. */
  hold(): void {
    this.#held = true;
  }

  /** Makes the attempts that became due while the clock advanced. */
  release(): void {
    this.#held = false;
    this.#repeatDue();
  }

  /** Aborts attempts in flight, and drops all deliveries. */
  reset(): void {
    this.#epoch++;
    this.#waiting.clear();
    this.#news.clear();
    this.#gaveUp = [];
    this.#reactions.clear();
    this.receivers.clear();
    this.#sender.abort();
    this.#firsts.clear();
    this.#again.clear();
    this.#inFlight.clear();
  }

  get #plan(): DeliveryPlan | null {
    return this.engine.pack.delivery();
  }

  #queue(lanes: Lanes<Delivery>, delivery: Delivery): void {
    const { id } = delivery.endpoint;
    if (!lanes.isHeld(id)) delivery.inFlight = this.#inFlight.begin();
    lanes.push(id, delivery);
  }

  /** Queues the attempts that have become due. */
  #repeatDue(): void {
    if (this.#inFlight.isNone && this.#waiting.size === 0) return;
    this.receivers.look();
    for (const delivery of this.#waiting.take(this.engine.world.nowMs)) this.#queue(this.#again, delivery);
  }

  /** Runs the attempt of a delivery; an unexpected error ends that delivery only. */
  async #safely(delivery: Delivery): Promise<void> {
    const epoch = this.#epoch;
    try {
      await this.#automatic(delivery);
    } catch (error) {
      this.options.onDefect(error, `delivery ${delivery.id}`);
      if (epoch !== this.#epoch) return;
      end(delivery);
      this.#inFlight.end(delivery.inFlight);
    }
  }

  /** Makes the attempt that is due, then schedules a further one or ends the delivery. */
  async #automatic(delivery: Delivery): Promise<void> {
    const epoch = this.#epoch;
    const { due } = delivery;
    if (delivery.status === 'pending' && due !== null) {
      if (this.#isDue(delivery)) {
        delivery.tries++;
        await this.#attempt(delivery, due, (result) => this.#next(delivery, due, result));
      } else this.#drop(delivery);
      if (epoch !== this.#epoch) return;
    }
    this.#follow(delivery);
  }

  /** Schedules the next attempt of a delivery, if it has one; else ends it. */
  #follow(delivery: Delivery): void {
    // A manual attempt in the meantime may have delivered the event.
    if (delivery.status === 'pending' && delivery.due !== null) {
      this.#repeat(delivery, delivery.due);
      return;
    }
    this.#inFlight.end(delivery.inFlight);
    if (!delivery.gaveUp) return;
    // Holds the queue until the world has recorded this failure and the pack has reacted.
    for (const behind of this.#laneOf(delivery).hold(delivery.endpoint.id)) this.#inFlight.end(behind.inFlight);
  }

  /**
   * Whether a delivery is still to be sent: first attempts go to all endpoints that were active at the event, retries only to
   * those that still are.
   */
  #isDue(delivery: Delivery): boolean {
    if (delivery.tries === 0) return true;
    const endpoint = this.receivers.active(delivery.endpoint.id);
    if (endpoint) delivery.endpoint = endpoint;
    return delivery.addressed || endpoint !== undefined;
  }

  /**
   * Makes one attempt now. `worldMs` is the time at which it was due.
   * @param next decides what follows a failure, unless the event was delivered in another way
   */
  async #attempt(delivery: Delivery, worldMs: number, next: (result: AttemptResult) => void): Promise<void> {
    const epoch = this.#epoch;
    const begun = this.#begin();
    const result = await this.#sender.send(delivery);
    if (epoch === this.#epoch) this.#note(delivery, worldMs, begun, result, next);
  }

  #begin(): StartedAttempt {
    return { at: new Date(this.options.wallMs()).toISOString(), startedMs: performance.now() };
  }

  #note(
    delivery: Delivery,
    worldMs: number,
    { at, startedMs }: StartedAttempt,
    result: AttemptResult,
    next: (result: AttemptResult) => void,
  ): void {
    const { status, error, request, response, outcome } = result;
    const duration_ms = Math.round(performance.now() - startedMs);
    const world_time = this.engine.model.env.fromMs(worldMs);
    const attempt: AttemptRecord = { at, world_time, status, duration_ms, error, request, response };
    delivery.attempts.push(attempt);
    delivery.url = result.url ?? delivery.url;
    if (request.body !== '') delivery.body = request.body;
    if (outcome !== 'failed') {
      delivery.status = outcome;
      delivery.due = null;
      delivery.message = result.message;
    } else if (delivery.status === 'pending') next(result);
    this.#news.add(delivery);
    this.#record(delivery, attempt);
  }

  #record(delivery: Delivery, attempt: AttemptRecord): void {
    const { id, status, url, body, message, tries, due, gaveUp } = delivery;
    this.engine.world.record({
      kind: 'attempt',
      delivery: id,
      attempt,
      status,
      url,
      body,
      message,
      tries,
      due,
      gaveUp,
    });
  }

  /** Sets the time of the next attempt after a failed one, or gives up. */
  #next(delivery: Delivery, due: number, result: AttemptResult): void {
    const { isGone, retryAfterMs = 0 } = result;
    const plan = this.#plan;
    const attempts = this.#reactions.attemptsOf(delivery);
    const { reader } = this.engine.runtime;
    const final =
      result.final === true ||
      attempts?.givesUp?.(reader, delivery.event, delivery.endpoint, outcomeOf(result)) === true;
    const next = (attempts?.retries ?? plan?.retries)?.[delivery.tries - 1];
    const wait = next === undefined ? null : reader.waitMs(next);
    if (wait !== null && !final && !(isGone && plan?.endpoint.exhausted)) {
      delivery.due = due + Math.max(wait, plan?.retryAfter ? retryAfterMs : 0);
      return;
    }
    end(delivery);
    if (!plan?.endpoint.exhausted || !this.#hasEndpoint(delivery)) return;
    delivery.gaveUp = true;
    this.#gaveUp.push(delivery);
  }

  /** Schedules another attempt; if its time has passed, starts it at once, so that a flush waits for it. */
  #repeat(delivery: Delivery, due: number): void {
    const { id } = delivery.endpoint;
    const atOnce = !this.#held && due <= this.engine.world.nowMs;
    if (!atOnce || this.#again.isHeld(id)) this.#inFlight.end(delivery.inFlight);
    if (atOnce) this.#again.push(id, delivery);
    else this.#waiting.add(delivery, due);
  }

  /** Returns the queue from which a delivery's last attempt came. */
  #laneOf({ tries }: Delivery): Lanes<Delivery> {
    return tries === 1 ? this.#firsts : this.#again;
  }

  #recordOutcome(delivery: Delivery): void {
    recordOutcome(delivery, this.engine.model.env.fromMs);
  }

  /** Records the outcome of one delivery in the world. The pack's steps for it run when outcomes are next recorded. */
  #recordNow(delivery: Delivery): void {
    const { world } = this.engine;
    this.#reactions.note(delivery);
    this.#recordOutcome(delivery);
    this.#news.delete(delivery);
    world.outsideChanged();
    world.record({ kind: 'learned', delivery: delivery.id });
  }

  #hasEndpoint({ endpoint }: Delivery): boolean {
    return this.engine.runtime.endpoints?.resourceOf(endpoint) !== undefined;
  }

  #drop(delivery: Delivery): void {
    end(delivery);
    this.#news.add(delivery);
    this.engine.world.record({ kind: 'dropped', delivery: delivery.id });
  }

  /** Resumes queues that waited for recording a failure. @returns whether any did */
  #resume(): boolean {
    let resumed = false;
    const held = [this.#firsts, this.#again].map((lanes) => [lanes, lanes.held()] as const);
    if (held.every(([, keys]) => keys.length === 0)) return false;
    this.receivers.look();
    for (const [lanes, keys] of held) {
      for (const [key, deliveries] of keys) {
        const wanted: Delivery[] = [];
        for (const delivery of deliveries) {
          if (delivery.addressed || this.receivers.active(key) !== undefined) wanted.push(delivery);
          else this.#drop(delivery);
        }
        for (const delivery of wanted) delivery.inFlight = this.#inFlight.begin();
        lanes.resume(key, wanted);
        resumed ||= wanted.length > 0;
      }
    }
    return resumed;
  }
}

function end(delivery: Delivery): void {
  delivery.status = 'failed';
  delivery.due = null;
}
