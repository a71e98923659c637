import type { ByteStore, JsonObject } from '../values/index.js';

/** The deliveries of a world, for expressions. */
export interface SentDeliveries {
  /** Returns the number of deliveries of an event that weren't accepted yet. */
  undelivered(eventId: string): number;
  /** Lists deliveries to an endpoint, newest first: `{id, event, type, status, attempts, made_at, done_at}`. */
  deliveries(endpointId: string): readonly JsonObject[];
}

/** The address at which a world is served. */
export interface WorldAddress {
  /** The world's base URL, which its texts contain; empty while it is unknown. */
  origin: string;
  /** Whether a `Host` header names the world's address; false for other names that resolve to it (DNS rebinding). */
  readonly admits: (host: string | undefined) => boolean;
}

/** Services outside of a world that its expressions and objects use: address, deliveries, files. */
export interface Surroundings {
  readonly address: WorldAddress;
  readonly sent: SentDeliveries;
  /** The store of bytes that are too large for a value; null: values contain all bytes. */
  readonly files: ByteStore | null;
}

/** Surroundings of a world that can't be called and sends nothing. */
export const NO_SURROUNDINGS: Surroundings = {
  address: { origin: '', admits: () => true },
  sent: { undelivered: () => 0, deliveries: () => [] },
  files: null,
};
