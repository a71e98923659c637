import { busyWith } from '../runtime/activity.js';
import { LIMITS } from '../limits.js';
import type { Engine } from '../runtime/index.js';
import type { AttemptRecord } from '../world/index.js';
import { type Delivery, isNews, recordOutcome } from './delivery.js';
import { Lanes } from './endpoint-queue.js';
import type { Listeners } from './listeners.js';
import type { JsonObject } from '../values/index.js';
import { type AttemptResult, type Message, type Transport, unsent } from './message.js';
import type { AttemptsPlan, DeliveryOutcome, DeliveryPlan, OutcomeSteps } from '../program/index.js';
import { EndpointSet } from './receivers.js';
import { Retries } from './schedule.js';
import { makeTransport } from './transports.js';
import { InFlight } from './in-flight.js';

interface DispatcherOptions {
  readonly onDefect: (error: unknown, what: string) => void;
  readonly wallMs: () => number;
  /** Transports by name that replace the pack's. */
  readonly transports: ReadonlyMap<string, Transport>;
  readonly listeners: Listeners;
  /** Longest wait of a flush in milliseconds. */
  readonly flushMs?: number;
}

/** When an attempt began, by the clock on the wall and by one that measures. */
interface StartedAttempt {
  readonly at: string;
  readonly startedMs: number;
}

/**
 * Makes the attempts of deliveries: first ones in order per endpoint, later ones when the world's clock reaches them,
 * beside the first ones. What an attempt brings is written into its delivery at once. The world records it at certain
 * moments only (`recordOutcomes`), so that nothing in it depends on how long a receiver took.
 */
export class Dispatcher {
  readonly receivers: EndpointSet;
  readonly #firsts = new Lanes<Delivery>((delivery) => this.#safely(delivery));
  readonly #again = new Lanes<Delivery>((delivery) => this.#safely(delivery));
  readonly #waiting = new Retries<Delivery>();
  readonly #inFlight = new InFlight();
  readonly #transports: Map<string, Transport>;
  /** Deliveries whose latest outcome the world has not recorded. */
  readonly #news = new Set<Delivery>();
  /** Deliveries whose last attempt failed, which the world has not recorded yet. */
  #gaveUp: Delivery[] = [];
  /** Deliveries that were sent again by hand and are over: the pack reacts when the world records others too. */
  #ended: Delivery[] = [];
  /** The clock advances: what becomes due waits until it is. */
  #held = false;
  readonly #flushMs: number;
  /** Counts resets: what began before one no longer matters. */
  #epoch = 0;

  constructor(
    private readonly engine: Engine,
    private readonly options: DispatcherOptions,
  ) {
    this.#flushMs = options.flushMs ?? LIMITS.flush.value;
    this.#transports = new Map(options.transports);
    this.receivers = new EndpointSet(engine, options.onDefect);
    engine.world.onMove(() => {
      if (!this.#held) this.#repeatDue();
    });
  }

  /** Queues the first attempt of a delivery. One without a receiver is made at once, and the world records it. */
  dispatch(delivery: Delivery): void {
    const { endpoint, due } = delivery;
    if (due !== null && due > this.engine.world.nowMs) {
      this.#waiting.add(delivery, due);
      return;
    }
    const transport = this.#transport(delivery.transport);
    if (!transport?.record || due === null || this.#firsts.isHeld(endpoint.id)) {
      this.#queue(this.#firsts, delivery);
      return;
    }
    delivery.inFlight = this.#inFlight.begin();
    delivery.tries++;
    const begun = this.#begin();
    const result = transport.record(messageOf(delivery));
    this.#note(delivery, due, begun, result, (failed) => this.#next(delivery, due, failed));
    this.#follow(delivery);
    this.#recordNow(delivery);
  }

  /** Ends a delivery that never leaves. */
  lose(delivery: Delivery): void {
    this.#drop(delivery);
  }

  /** Continues with deliveries that were kept, oldest first. */
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

  /** One more attempt, now, beside whatever is queued. The world records this delivery. */
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
   * Waits until every attempt whose time has come was made, and records it in the world: also what is known when it has waited
   * long enough.
   * @returns how many attempts are still in flight then
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
   * Records the outcomes of attempts in the world: what its responses show of deliveries, and what the pack does about endpoints
   * that are out of reach.
   * @returns whether something followed from it that is in flight now
   */
  recordOutcomes(): boolean {
    const { world } = this.engine;
    const gaveUp = this.#gaveUp.sort((a, b) => a.number - b.number);
    this.#gaveUp = [];
    const ended = this.#takeEnded();
    for (const delivery of ended) this.#react(delivery);
    for (const delivery of gaveUp) this.#fail(delivery);
    const resumed = this.#resume();
    for (const delivery of this.#news) this.#recordOutcome(delivery);
    if (this.#news.size > 0 || gaveUp.length > 0) {
      this.#news.clear();
      world.outsideChanged();
      world.record({ kind: 'learned', delivery: null });
    }
    return gaveUp.length > 0 || ended.length > 0 || resumed;
  }

  /** No attempt is in flight, or is due and waits for another one. */
  get isAtRest(): boolean {
    return this.#inFlight.isNone;
  }

  /** The clock begins to move. */
  hold(): void {
    this.#held = true;
  }

  /** The clock is frozen. */
  release(): void {
    this.#held = false;
    this.#repeatDue();
  }

  /** Breaks off what is in flight and forgets the rest. */
  reset(): void {
    this.#epoch++;
    this.#waiting.clear();
    this.#news.clear();
    this.#gaveUp = [];
    this.#ended = [];
    this.receivers.clear();
    for (const transport of this.#transports.values()) transport.abort?.();
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

  /** Queues the attempts that the clock has reached. */
  #repeatDue(): void {
    if (this.#inFlight.isNone && this.#waiting.size === 0) return;
    this.receivers.look();
    for (const delivery of this.#waiting.take(this.engine.world.nowMs)) this.#queue(this.#again, delivery);
  }

  /** What fails in an attempt ends that delivery, and nothing else. */
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

  /** The attempt that is due, and what follows from it. */
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

  /** What is done after an attempt. */
  #follow(delivery: Delivery): void {
    // A replay may have delivered it meanwhile.
    if (delivery.status === 'pending' && delivery.due !== null) {
      this.#repeat(delivery, delivery.due);
      return;
    }
    this.#inFlight.end(delivery.inFlight);
    if (!delivery.gaveUp) return;
    // What queued behind it is not sent, unless the pack sends it once the world has recorded that.
    for (const behind of this.#laneOf(delivery).hold(delivery.endpoint.id)) this.#inFlight.end(behind.inFlight);
  }

  /** An event goes out once to those who received events when it happened, retries only to those who still do. */
  #isDue(delivery: Delivery): boolean {
    if (delivery.tries === 0) return true;
    const endpoint = this.receivers.active(delivery.endpoint.id);
    if (endpoint) delivery.endpoint = endpoint;
    return delivery.addressed || endpoint !== undefined;
  }

  /**
   * One attempt, now. `worldMs` is when it was due.
   * @param next decides what follows when it failed and nothing else has delivered it
   */
  async #attempt(delivery: Delivery, worldMs: number, next: (result: AttemptResult) => void): Promise<void> {
    const epoch = this.#epoch;
    const begun = this.#begin();
    const result = await this.#send(delivery);
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

  async #send(delivery: Delivery): Promise<AttemptResult> {
    const { id, transport: name } = delivery;
    const transport = this.#transport(name);
    busyWith('delivery', id);
    if (!transport) return unsent(`there is no transport '${name}'`);
    const epoch = this.#epoch;
    try {
      await this.engine.world.keeper?.kept?.();
    } catch {
      return unsent('the world cannot be kept any more');
    }
    if (epoch !== this.#epoch) return unsent('the world was emptied');
    try {
      return await transport.send(messageOf(delivery));
    } catch (error) {
      this.options.onDefect(error, `transport ${name}`);
      return unsent('the transport failed');
    }
  }

  /** What follows a failed attempt: another one, or the end. */
  #next(delivery: Delivery, due: number, result: AttemptResult): void {
    const { isGone, retryAfterMs = 0 } = result;
    const plan = this.#plan;
    const attempts = this.#attemptsOf(delivery);
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

  /** Another attempt: at once if the clock has passed its time and is frozen, so that it is still in flight. */
  #repeat(delivery: Delivery, due: number): void {
    const { id } = delivery.endpoint;
    const atOnce = !this.#held && due <= this.engine.world.nowMs;
    if (!atOnce || this.#again.isHeld(id)) this.#inFlight.end(delivery.inFlight);
    if (atOnce) this.#again.push(id, delivery);
    else this.#waiting.add(delivery, due);
  }

  /** The lane that the last attempt of a delivery was made in. */
  #laneOf({ tries }: Delivery): Lanes<Delivery> {
    return tries === 1 ? this.#firsts : this.#again;
  }

  #recordOutcome(delivery: Delivery): void {
    recordOutcome(delivery, this.engine.model.env.fromMs);
  }

  /** Records one delivery in the world. What follows from giving up waits for its moment. */
  #recordNow(delivery: Delivery): void {
    const { world } = this.engine;
    if (this.#hasReaction(delivery)) this.#ended.push(delivery);
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

  /** Resumes endpoints that waited until the world had recorded all: those that receive nothing any more get nothing of what had queued. */
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

  #attemptsOf({ transport }: Delivery): AttemptsPlan | null {
    const plan = this.#plan?.transports.get(transport);
    return plan === undefined || plan.kind === 'record' ? null : plan.attempts;
  }

  /** What the pack does about what came of a delivery, which the world has not recorded yet; null: nothing. */
  #reactionOf(delivery: Delivery): OutcomeSteps | null {
    const { status, known } = delivery;
    const attempts = status === known.status ? null : this.#attemptsOf(delivery);
    return (status === 'delivered' ? attempts?.onResponse : status === 'failed' ? attempts?.onFailure : null) ?? null;
  }

  #hasReaction(delivery: Delivery): boolean {
    return delivery.attempts.length > 0 && this.#reactionOf(delivery) !== null;
  }

  /** Deliveries that the pack reacts to now, in the order in which they were made. */
  #takeEnded(): readonly Delivery[] {
    const ended = [...this.#ended, ...[...this.#news].filter((each) => this.#hasReaction(each))];
    this.#ended = [];
    return ended.sort((a, b) => a.number - b.number);
  }

  /** Does what the pack says about what a receiver returned. The journal holds the response, so a replay sends nothing. */
  #react(delivery: Delivery): void {
    const attempts = this.#attemptsOf(delivery);
    const steps = delivery.status === 'delivered' ? attempts?.onResponse : attempts?.onFailure;
    const endpoint = this.engine.runtime.endpoints?.find(delivery.endpoint.id);
    const last = delivery.attempts.at(-1);
    if (!steps || !endpoint || !last) return;
    const { status, error } = last;
    const args = { delivery: delivery.id, endpoint: endpoint.id, status, error };
    this.#guarded(`what follows delivery ${delivery.id}`, () => {
      this.engine.command(
        'delivery ended',
        'outside',
        (x) => steps(x, delivery.event, endpoint, outcomeOf(last)),
        args,
      );
    });
  }

  /** Does what the pack says about an endpoint that cannot be reached. */
  #fail(delivery: Delivery): void {
    delivery.gaveUp = false;
    const exhausted = this.#plan?.endpoint.exhausted;
    const endpoint = this.engine.runtime.endpoints?.find(delivery.endpoint.id);
    if (!endpoint || !exhausted) return;
    const args = { delivery: delivery.id, endpoint: endpoint.id };
    this.#guarded(`giving up delivery ${delivery.id}`, () => {
      this.engine.command('delivery given up', 'outside', (command) => exhausted(command, endpoint), args);
    });
  }

  #transport(name: string): Transport | undefined {
    const known = this.#transports.get(name);
    if (known) return known;
    const plan = this.#plan?.transports.get(name);
    if (!plan || !this.#plan) return undefined;
    const { wallMs, onDefect, listeners } = this.options;
    const surroundings = { host: this.engine.runtime.reader, wallMs, onDefect, listeners };
    const made = makeTransport(plan, this.#plan.endpoint, surroundings);
    this.#transports.set(name, made);
    return made;
  }

  /** Runs something of the pack; a defect of it is reported and does not stop deliveries. */
  #guarded(what: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.options.onDefect(error, what);
    }
  }
}

/** What a transport is to send. */
function messageOf({ id, event, endpoint, body, attempts }: Delivery): Message {
  const before = attempts.at(-1);
  const failure = before === undefined ? null : { status: before.status, error: before.error };
  return { id, event, endpoint, body, attempt: attempts.length + 1, failure };
}

/** What came of an attempt, as expressions see it. */
function outcomeOf({ status, error, response }: Pick<AttemptResult, 'status' | 'error' | 'response'>): DeliveryOutcome {
  return { status, error, headers: lowerCase(response?.headers), body: response?.body ?? null };
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): JsonObject {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function end(delivery: Delivery): void {
  delivery.status = 'failed';
  delivery.due = null;
}
