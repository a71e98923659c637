import { define, type Json, type JsonObject } from '../values/index.js';
import { type Holder } from '../expression/index.js';
import type { Row } from '../world/index.js';

/** Headers of a message by name, as they are written. */
export type Headers = Readonly<Record<string, string>>;

/** One event on its way to one endpoint, as a transport sees it. */
export interface Message {
  readonly id: string;
  readonly event: Holder;
  readonly endpoint: Row;
  /** What an earlier attempt sent: the body of a delivery never changes. Null before the first. */
  readonly body: string | null;
  /** Counts from 1. */
  readonly attempt: number;
  /** What came of the attempt before: `status` and `error`; null: this is the first. */
  readonly failure: JsonObject | null;
}

/** How one attempt went. What goes wrong is data. */
export interface AttemptResult {
  readonly outcome: 'delivered' | 'failed' | 'recorded';
  /** The receiver takes nothing more, ever. */
  readonly isGone: boolean;
  /** It is not tried again, whatever came of it. */
  readonly final?: boolean;
  readonly url: string | null;
  /** How long the receiver asked to be left alone, in milliseconds; 0 unless given. */
  readonly retryAfterMs?: number;
  /** HTTP status, null when there was no response. */
  readonly status: number | null;
  readonly error: string | null;
  /** As sent; secrets in headers are masked. */
  readonly request: { readonly headers: Headers; readonly body: string };
  /** The response, of its body the first 4 KiB. */
  readonly response: { readonly headers: Headers; readonly body: string } | null;
  /** What a transport without a network records. */
  readonly message: Json;
}

/** A way of delivery. A publisher for a message bus is another implementation. */
export interface Transport {
  /** Sends a message once. Never rejects. */
  send(message: Message): Promise<AttemptResult>;
  /** The same without waiting, so that the world records it at once: transports without a receiver have it. */
  record?(message: Message): AttemptResult;
  /** Ends what is in flight: its attempts fail soon. */
  abort?(): void;
}

const NOTHING_SENT = { headers: {}, body: '' };

/** An attempt that failed before anything was sent. */
export function unsent(error: string, url: string | null = null): AttemptResult {
  return {
    outcome: 'failed',
    isGone: false,
    url,
    status: null,
    error,
    request: NOTHING_SENT,
    response: null,
    message: null,
  };
}

/** Headers from pairs; of the same name in any spelling the last one wins. */
export function headersOf(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const byName = new Map<string, readonly [string, string]>();
  for (const pair of pairs) byName.set(pair[0].toLowerCase(), pair);
  const made: Record<string, string> = {};
  for (const [name, value] of byName.values()) define(made, name, value);
  return made;
}
