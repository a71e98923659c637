import { type JsonObject, member, toText } from '../values/index.js';
import { type Holder } from '../expression/index.js';
import type { Addressed, Engine } from '../runtime/index.js';
import { type JournalRecord, Row } from '../world/index.js';
import { type Delivery, type DeliveryLog, type DeliveryView, NOTHING_KNOWN, deliveryViewOf } from './delivery.js';
import type { Upgrade } from '../http/index.js';
import { HeldBack } from './reordered.js';
import { deliveriesOf } from './restore.js';
import { Dispatcher } from './dispatcher.js';
import { Listeners } from './listeners.js';
import { maskUrl } from './mask.js';
import { OnHold } from './blocked.js';
import type { Transport } from './message.js';
import type { DeliveryPlan } from '../program/index.js';

export interface OutboxOptions {
  /** Called with defects of the pack in deliveries. */
  readonly onDefect: (error: unknown, what: string) => void;
  /** Transports that replace the pack's, by name (a real publisher for a message bus). */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Real time in milliseconds. */
  readonly wallMs?: () => number;
  /** The log of deliveries, which the engine's expressions read too. */
  readonly log: DeliveryLog;
  /** Whether nothing is sent: pending deliveries stay pending, and events create none. The default for forks. */
  readonly silent?: boolean;
  /** The journal that the world's keeper has stored. */
  readonly journal?: readonly JournalRecord[];
}

/** Selects deliveries: those of one endpoint or event (by id), and how many of the newest. */
interface DeliveryFilter {
  readonly endpoint?: string;
  readonly event?: string;
  readonly limit?: number;
}

const LISTED = 100;

/**
 * Delivers the events of committed commands to the endpoints that receive them. First attempts for an endpoint run in order,
 * one after another; endpoints don't wait for each other. A failed attempt is repeated when the world's clock reaches its time,
 * independent of later events. Responses show results immediately; the world records them at a flush, before its clock
 * advances, and when a delivery is sent again.
 */
export class Outbox {
  readonly #log: DeliveryLog;
  readonly #dispatcher: Dispatcher;
  readonly #listeners: Listeners;
  readonly #heldBack = new HeldBack();
  readonly #onHold = new OnHold();
  #closed = false;
  #made = 0;

  constructor(
    private readonly engine: Engine,
    private readonly options: OutboxOptions,
  ) {
    const { onDefect, transports = new Map<string, Transport>(), wallMs = Date.now } = options;
    this.#log = options.log;
    this.#listeners = new Listeners(engine, onDefect);
    this.#dispatcher = new Dispatcher(engine, { onDefect, transports, wallMs, listeners: this.#listeners });
    engine.onEvents((events) => this.#enqueue(events));
    engine.onAddressed((addressed) => this.#sendAll(addressed));
    if (options.journal) this.restore(options.journal);
  }

  /** Lists deliveries, newest first. */
  list({ endpoint, event, limit = LISTED }: DeliveryFilter = {}): DeliveryView[] {
    const all = event === undefined ? this.#log.newestFirst() : [...this.#log.ofEvent(event)].reverse();
    const found = endpoint === undefined ? all : all.filter((delivery) => delivery.endpoint.id === endpoint);
    return found.slice(0, limit).map((delivery) => this.#view(delivery));
  }

  /** One delivery; undefined: it doesn't exist, or was dropped. */
  find(id: string): DeliveryView | undefined {
    const delivery = this.#log.get(id);
    return delivery && this.#view(delivery);
  }

  /** Deliveries of an event, oldest first. */
  deliveriesOf(eventId: string): DeliveryView[] {
    return this.#log.ofEvent(eventId).map((delivery) => this.#view(delivery));
  }

  /** Sends a delivery once more, now. Undefined: there is no such delivery. */
  async replay(deliveryId: string): Promise<DeliveryView | undefined> {
    const delivery = this.#log.get(deliveryId);
    if (!delivery || this.#closed || this.options.silent) return undefined;
    await this.#dispatcher.replay(delivery);
    return this.#view(delivery);
  }

  /** Delivers an event to one endpoint, whether or not it subscribes to it and the event is stored. */
  send(event: JsonObject, endpoint: Row): void {
    this.#sendOne({ value: event }, endpoint);
  }

  #sendOne(event: Holder, endpoint: Row): void {
    const plan = this.#plan();
    if (plan && !this.#closed && !this.options.silent)
      this.#dispatcher.dispatch(this.#make(plan, event, typeOf(event.value, plan), endpoint, { addressed: true }));
  }

  /** Sends events to given endpoints. Errors are reported as defects, not thrown, since the command is already committed. */
  #sendAll(addressed: readonly Addressed[]): void {
    for (const { event, row, endpoint } of addressed) {
      try {
        this.#sendOne(row ?? { value: event }, endpoint);
      } catch (error) {
        this.options.onDefect(error, `delivery of an event to ${endpoint.id}`);
      }
    }
  }

  /**
   * Waits until every due delivery was attempted, and records the outcomes in the world.
   * @returns the number of attempts still in flight when the time limit ended; else 0
   */
  flush(): Promise<number> {
    this.#releaseHeldBack();
    this.sendUnblocked();
    return this.#dispatcher.flush();
  }

  /** Whether nothing is sent before the clock advances or the world changes. */
  get isAtRest(): boolean {
    return this.#dispatcher.isAtRest && this.#heldBack.isEmpty && this.#listeners.isEmpty;
  }

  /** Records the current outcomes of deliveries in the world. */
  recordOutcomes(): void {
    this.#dispatcher.recordOutcomes();
  }

  /** Sends deliveries that were blocked by faults which are now cleared, in the order of creation. */
  sendUnblocked(): void {
    const { world } = this.engine;
    for (const delivery of this.#onHold.takeFree((fault) => this.#holds(fault), world.nowMs))
      this.#dispatcher.dispatch(delivery);
  }

  /** Stops repeating attempts while the clock advances. */
  hold(): void {
    this.#releaseHeldBack();
    this.sendUnblocked();
    this.#dispatcher.hold();
  }

  /** Resumes deliveries after an advance of the clock, with the attempts that have become due. */
  release(): void {
    this.#dispatcher.release();
  }

  /** Drops every delivery, and aborts those in flight. */
  reset(): void {
    this.#listeners.drop();
    this.#log.clear();
    this.#heldBack.take();
    this.#onHold.clear();
    this.#dispatcher.reset();
  }

  /** Aborts all attempts in flight; no event is delivered any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.hangUp();
    this.#dispatcher.reset();
    await this.#dispatcher.flush();
  }

  /** Accepts the connection of a listener; false: the request is for something else, or is rejected. */
  async upgrade(...asked: Parameters<Upgrade>): Promise<boolean> {
    return !this.#closed && !this.options.silent && (await this.#listeners.upgrade(...asked));
  }

  /** Closes the connections of listeners. */
  hangUp(): void {
    this.#listeners.drop();
  }

  #plan(): DeliveryPlan | null {
    return this.engine.pack.delivery();
  }

  /** Creates the deliveries of a command's events, for the endpoints that receive them now. */
  #enqueue(events: readonly Row[]): void {
    const { endpoints } = this.engine.runtime;
    if (!endpoints || this.#closed || this.options.silent || endpoints.isEmpty()) return;
    const plan = this.#plan();
    if (!plan) return;
    for (const event of events) {
      const type = typeOf(event.value, plan);
      try {
        for (const endpoint of endpoints.receiversOf(type, event)) this.#deliver(plan, event, type, endpoint);
      } catch (error) {
        // Reports the error instead of throwing it, since the command is already committed.
        this.options.onDefect(error, `delivery of ${type} ${toText(member(event.value, 'id'))}`);
      }
    }
  }

  /** Restores deliveries from a journal into an empty outbox. */
  restore(journal: readonly JournalRecord[]): void {
    const { runtime, world, pack } = this.engine;
    const kinds = [...pack.eventKinds.values()].map(({ maker }) => maker);
    const makers = pack.eventMaker ? [pack.eventMaker, ...kinds] : kinds;
    const deliveries = deliveriesOf(journal, {
      resourceOf: (id) => runtime.endpoints?.find(id)?.resource ?? runtime.endpoints?.resources[0].index ?? -1,
      eventOf: (value) => {
        const id = member(value, 'id');
        if (typeof id !== 'string') return { value };
        for (const { resource } of makers) {
          const row = world.tenants.find(resource.index, id);
          if (row) return row;
        }
        return { value };
      },
      instant: this.engine.model.env.fromMs,
    });
    for (const delivery of deliveries) this.#log.add(delivery);
    this.#made = deliveries.length;
    if (this.options.silent) return;
    for (const delivery of deliveries)
      if (delivery.status === 'pending' && delivery.tries === 0 && this.#holds(delivery.fault))
        this.#onHold.add(delivery);
    this.#dispatcher.restore(deliveries);
  }

  /** Delivers an event to an endpoint, with the effects of its fault. */
  #deliver(plan: DeliveryPlan, event: Row, type: string, endpoint: Row): void {
    const { world } = this.engine;
    const fault = world.deliveryFaults.of(event, endpoint.id);
    const make = (due?: number): Delivery =>
      this.#make(plan, event, type, endpoint, { addressed: false, due, fault: fault?.id });
    switch (fault?.kind) {
      case 'drop':
        this.#dispatcher.lose(make());
        return;
      case 'reorder':
        this.#heldBack.add(make(), fault.times);
        return;
      case 'hold':
        this.#onHold.add(make());
        return;
      case 'delay':
        this.#dispatcher.dispatch(make(world.nowMs + fault.delayMs));
        return;
      case 'duplicate':
      case undefined:
    }
    this.#dispatcher.dispatch(make());
    for (let copy = 0; copy < (fault?.times ?? 0); copy++)
      this.#dispatcher.dispatch(make(world.nowMs + (fault?.delayMs ?? 0)));
    for (const late of this.#heldBack.passed(endpoint.id)) this.#dispatcher.dispatch(late);
  }

  #holds(fault: string | null): boolean {
    return fault !== null && this.engine.world.deliveryFaults.get(fault)?.kind === 'hold';
  }

  #releaseHeldBack(): void {
    if (this.#heldBack.isEmpty) return;
    for (const delivery of this.#heldBack.take()) this.#dispatcher.dispatch(delivery);
  }

  #make(
    plan: DeliveryPlan,
    event: Holder,
    type: string,
    endpoint: Row,
    { addressed, due, fault }: { readonly addressed: boolean; readonly due?: number; readonly fault?: string },
  ): Delivery {
    const { runtime, world } = this.engine;
    const eventId = toText(member(event.value, 'id'));
    const delivery: Delivery = {
      id: this.#newId(eventId, endpoint.id),
      event,
      eventId,
      type,
      transport: toText(plan.endpoint.transport(runtime.reader, endpoint, event)),
      addressed,
      made: world.nowMs,
      number: ++this.#made,
      fault: fault ?? null,
      attempts: [],
      endpoint: this.#dispatcher.receivers.copyOf(endpoint),
      url: null,
      status: 'pending',
      body: null,
      message: null,
      tries: 0,
      due: due ?? world.nowMs,
      gaveUp: false,
      inFlight: 0,
      known: NOTHING_KNOWN,
    };
    this.#log.add(delivery);
    world.outsideChanged();
    const { id, transport, made } = delivery;
    world.record({
      kind: 'delivery',
      id,
      event: event.value,
      type,
      endpoint: { id: endpoint.id, value: endpoint.value },
      transport,
      addressed,
      made,
      ...(due === undefined || due === made ? {} : { due }),
      ...(fault === undefined ? {} : { fault }),
    });
    return delivery;
  }

  /** A new id, drawn so that the same calls after a reset give the same ids. */
  #newId(eventId: string, endpointId: string): string {
    for (let n = 0; ; n++) {
      const id = `dlv_${this.engine.world.stableText(`delivery ${eventId} ${endpointId} ${n}`, 16)}`;
      if (this.#log.get(id) === undefined) return id;
    }
  }

  #view(delivery: Delivery): DeliveryView {
    delivery.url ??= this.#urlOf(delivery);
    return deliveryViewOf(delivery, this.engine.model.env.fromMs);
  }

  /** The URL of a delivery before its first attempt. */
  #urlOf({ transport, endpoint, event }: Delivery): string | null {
    const plan = this.#plan()?.transports.get(transport);
    if (plan === undefined || plan.kind === 'record') return null;
    try {
      return maskUrl(toText(plan.http.url(this.engine.runtime.reader, endpoint, event)));
    } catch {
      // The attempt will report the error of the URL's expression.
      return null;
    }
  }
}

function typeOf(event: JsonObject, plan: DeliveryPlan): string {
  return toText(member(event, plan.typeField));
}
