import type { Json, JsonObject } from '../values/index.js';
import type { Holder } from '../expression/index.js';
import { LIMITS } from '../limits.js';
import type { SentDeliveries } from '../runtime/index.js';
import type { AttemptRecord, Row } from '../world/index.js';

type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'recorded';

/** A delivery as people see it. */
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
  /** Simulated time of the next attempt that happens by itself, in the pack's representation. */
  readonly next_attempt_at: Json;
  /** What was recorded instead of sent. */
  readonly message: Json;
  /** Id of the fault that applied to it; absent: none did. */
  readonly fault?: string;
}

/** What the world has recorded of a delivery: pack expressions see this. */
interface KnownEvent {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Simulated time of the last attempt of a delivery that is over, in the pack's representation. */
  readonly doneAt: Json;
}

/** One event for one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly event: Holder;
  readonly eventId: string;
  readonly type: string;
  readonly transport: string;
  /** Sent whatever the endpoint subscribed to and whether it is active. */
  readonly addressed: boolean;
  /** Simulated time (ms) when it was made. */
  readonly made: number;
  /** Counts deliveries in the order of their making. */
  readonly number: number;
  /** Id of the fault that applied to it. */
  readonly fault: string | null;
  readonly attempts: AttemptRecord[];
  /** The endpoint as it was when this was made, or when the last retry fell due. */
  endpoint: Row;
  url: string | null;
  status: DeliveryStatus;
  /** The body that was sent first; later attempts send the same. */
  body: string | null;
  message: Json;
  /** Attempts that happened by themselves (replays do not count). */
  tries: number;
  /** Simulated time (ms) of the next attempt that happens by itself. */
  due: number | null;
  /** Its last attempt failed, and the world has not recorded it yet. */
  gaveUp: boolean;
  /** Number of the attempt that is in flight. */
  inFlight: number;
  known: KnownEvent;
}

/** What the world has recorded of a new delivery. */
export const NOTHING_KNOWN: KnownEvent = { status: 'pending', attempts: 0, doneAt: null };

/** Records the outcome of a delivery in the world. */
export function recordOutcome(delivery: Delivery, instant: (ms: number) => Json): void {
  const { status, attempts, made } = delivery;
  const doneAt = status === 'pending' ? null : (attempts.at(-1)?.world_time ?? instant(made));
  delivery.known = { status, attempts: attempts.length, doneAt };
}

/** Whether more became of a delivery than the world has recorded. */
export function isNews({ known, status, attempts }: Delivery): boolean {
  return known.status !== status || known.attempts !== attempts.length;
}

/** The view of a delivery; `instant` writes simulated time. */
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

/** What the pack's expressions see of a delivery: what the world has recorded of it. */
function summaryOf(delivery: Delivery, instant: (ms: number) => Json): JsonObject {
  const { id, eventId, type, made, known } = delivery;
  const { status, attempts, doneAt } = known;
  return { id, event: eventId, type, status, attempts, made_at: instant(made), done_at: doneAt };
}

/** The newest deliveries of a world; older ones are forgotten beyond the limit. */
export class DeliveryLog implements SentDeliveries {
  readonly #byId = new Map<string, Delivery>();
  readonly #byEvent = new Map<string, Delivery[]>();
  /** Stays behind what was dropped: a new iterator would pass all that was ever dropped since the map last grew. */
  #oldest = this.#byId.values();

  /** @param instant writes simulated time, given in milliseconds */
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
