import type { ByteStore, JsonObject } from '../values/index.js';

/** Deliveries, as expressions read them. */
export interface SentDeliveries {
  /** The number of deliveries of an event that weren't accepted yet. */
  undelivered(eventId: string): number;
  /** The deliveries to an endpoint, newest first: `{id, event, type, status, attempts, made_at, done_at}`. */
  deliveries(endpointId: string): readonly JsonObject[];
}

/** The address of a world. */
export interface WorldAddress {
  /** The address of the world in its texts; empty while it is unknown. */
  origin: string;
  /** Whether a `Host` header names this address; false for foreign names that resolve to it (DNS rebinding). */
  readonly admits: (host: string | undefined) => boolean;
}

/** The surroundings of a world. */
export interface Surroundings {
  readonly address: WorldAddress;
  readonly sent: SentDeliveries;
  /** The store of bytes that are too large for a value; null: all are values. */
  readonly files: ByteStore | null;
}

/** Surroundings of a world that can't be called and sends nothing. */
export const NO_SURROUNDINGS: Surroundings = {
  address: { origin: '', admits: () => true },
  sent: { undelivered: () => 0, deliveries: () => [] },
  files: null,
};
