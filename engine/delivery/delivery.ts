import type { Json, JsonObject } from '../values/index.js';
import type { Holder } from '../expression/index.js';
import { LIMITS } from '../limits.js';
import type { SentDeliveries } from '../runtime/index.js';
import type { AttemptRecord, Row } from '../world/index.js';

type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'recorded';

/** A delivery in responses. */
export interface DeliveryView {
  readonly id: string;
  /** The event's id and name. */
  readonly event: string;
  readonly type: string;
  /** The endpoint's id. */
  readonly endpoint: string;
  readonly transport: string;
  readonly url: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: readonly AttemptRecord[];
  /** Simulated time of the next automatic attempt, in the pack's format. */
  readonly next_attempt_at: Json;
  /** The recorded message, if nothing was sent. */
  readonly message: Json;
  /** Id of the fault that applied to the delivery; absent: none. */
  readonly fault?: string;
}

/** The state of a delivery that the world has recorded, which pack expressions read. */
interface KnownEvent {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Simulated time of the last attempt of a finished delivery, in the pack's format. */
  readonly doneAt: Json;
}

/** The delivery of one event to one endpoint, with its attempts. */
export interface Delivery {
  readonly id: string;
  readonly event: Holder;
  readonly eventId: string;
  readonly type: string;
  readonly transport: string;
  /** Whether the event is sent even if the endpoint doesn't subscribe to it or isn't active. */
  readonly addressed: boolean;
  /** Simulated time (ms) at which the delivery was created. */
  readonly made: number;
  /** Number of the delivery, in the order of creation. */
  readonly number: number;
  /** Id of the fault that applied to the delivery. */
  readonly fault: string | null;
  readonly attempts: AttemptRecord[];
  /** The endpoint's object as it was when the delivery was made, or when its last retry became due. */
  endpoint: Row;
  url: string | null;
  status: DeliveryStatus;
  /** The body of the first attempt; later attempts send the same. */
  body: string | null;
  message: Json;
  /** Number of automatic attempts, without manual ones. */
  tries: number;
  /** Simulated time (ms) of the next automatic attempt. */
  due: number | null;
  /** Whether the last attempt of the delivery failed and the world hasn't recorded that yet. */
  gaveUp: boolean;
  /** Number of the attempt in flight. */
  inFlight: number;
  known: KnownEvent;
}

/** The recorded state of a delivery without recorded attempts. */
export const NOTHING_KNOWN: KnownEvent = { status: 'pending', attempts: 0, doneAt: null };

/** Copies the current outcome of a delivery to its recorded state. */
export function recordOutcome(delivery: Delivery, instant: (ms: number) => Json): void {
  const { status, attempts, made } = delivery;
  const doneAt = status === 'pending' ? null : (attempts.at(-1)?.world_time ?? instant(made));
  delivery.known = { status, attempts: attempts.length, doneAt };
}

/** Whether the outcome of a delivery differs from the recorded one. */
export function isNews({ known, status, attempts }: Delivery): boolean {
  return known.status !== status || known.attempts !== attempts.length;
}

/** The view of a delivery; `instant` formats simulated time. */
export function deliveryViewOf(delivery: Delivery, instant: (ms: number) => Json): DeliveryView {
  const { id, eventId, type, endpoint, transport, url, status, attempts, due, message, fault } = delivery;
  return {
    id,
    event: eventId,
    type,
    endpoint: endpoint.id,
    transport,
    url,
    status,
    attempts: [...attempts],
    next_attempt_at: due === null ? null : instant(due),
    message,
    ...(fault === null ? {} : { fault }),
  };
}

/** A delivery for pack expressions, in its recorded state. */
function summaryOf(delivery: Delivery, instant: (ms: number) => Json): JsonObject {
  const { id, eventId, type, made, known } = delivery;
  const { status, attempts, doneAt } = known;
  return { id, event: eventId, type, status, attempts, made_at: instant(made), done_at: doneAt };
}

/** Stores the newest deliveries of a world; drops older ones above the limit. */
export class DeliveryLog implements SentDeliveries {
  readonly #byId = new Map<string, Delivery>();
  readonly #byEvent = new Map<string, Delivery[]>();
  /** Iterator at the oldest delivery. It is kept, since a new one would first pass all entries deleted from the map. */
  #oldest = this.#byId.values();

  /** @param instant formats simulated time, given in milliseconds */
  constructor(
    private readonly instant: (ms: number) => Json,
    private readonly limit = LIMITS.deliveries.value,
  ) {}

  undelivered(eventId: string): number {
    return this.ofEvent(eventId).filter(({ known: { status } }) => status === 'pending' || status === 'failed').length;
  }

  deliveries(endpointId: string): readonly JsonObject[] {
    return this.newestFirst()
      .filter(({ endpoint }) => endpoint.id === endpointId)
      .map((delivery) => summaryOf(delivery, this.instant));
  }

  add(delivery: Delivery): void {
    this.#byId.set(delivery.id, delivery);
    const same = this.#byEvent.get(delivery.eventId);
    if (same) same.push(delivery);
    else this.#byEvent.set(delivery.eventId, [delivery]);
    if (this.#byId.size <= this.limit) return;
    const { value: oldest } = this.#oldest.next() as IteratorYieldResult<Delivery>;
    this.#byId.delete(oldest.id);
    const rest = this.ofEvent(oldest.eventId).filter((each) => each !== oldest);
    if (rest.length > 0) this.#byEvent.set(oldest.eventId, rest);
    else this.#byEvent.delete(oldest.eventId);
  }

  get(id: string): Delivery | undefined {
    return this.#byId.get(id);
  }

  /** Deliveries of an event, oldest first. */
  ofEvent(eventId: string): Delivery[] {
    return this.#byEvent.get(eventId) ?? [];
  }

  newestFirst(): Delivery[] {
    return [...this.#byId.values()].reverse();
  }

  clear(): void {
    this.#byId.clear();
    this.#oldest = this.#byId.values();
    this.#byEvent.clear();
  }
}
