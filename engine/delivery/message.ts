import { define, type Json, type JsonObject } from '../values/index.js';
import { type Holder } from '../expression/index.js';
import type { Row } from '../world/index.js';

/** Headers of a message by name, as sent. */
export type Headers = Readonly<Record<string, string>>;

/** One event for one endpoint, as a transport gets it. */
export interface Message {
  readonly id: string;
  readonly event: Holder;
  readonly endpoint: Row;
  /** The body of an earlier attempt, which never changes. Null before the first. */
  readonly body: string | null;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The previous attempt's `status` and `error`; null: this is the first attempt. */
  readonly failure: JsonObject | null;
}

/** The result of an attempt, successful or failed. */
export interface AttemptResult {
  readonly outcome: 'delivered' | 'failed' | 'recorded';
  /** Whether the receiver permanently accepts nothing more (410). */
  readonly isGone: boolean;
  /** Whether there is no further attempt, whatever the outcome. */
  readonly final?: boolean;
  readonly url: string | null;
  /** The receiver's Retry-After in milliseconds; 0 by default. */
  readonly retryAfterMs?: number;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly error: string | null;
  /** The sent request; secrets in headers are masked. */
  readonly request: { readonly headers: Headers; readonly body: string };
  /** The response, with the first 4 KiB of its body. */
  readonly response: { readonly headers: Headers; readonly body: string } | null;
  /** The record of a transport that doesn't use the network. */
  readonly message: Json;
}

/** A way to deliver messages. An application may provide its own, such as a publisher for a message bus. */
export interface Transport {
  /** Sends a message once. Never rejects. */
  send(message: Message): Promise<AttemptResult>;
  /** Sends a message at once and synchronously, so that the world records the result: for transports without a receiver. */
  record?(message: Message): AttemptResult;
  /** Aborts the messages in flight, so that their attempts fail soon. */
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

/** Headers from pairs; the last one with a name counts, in any case. */
export function headersOf(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const byName = new Map<string, readonly [string, string]>();
  for (const pair of pairs) byName.set(pair[0].toLowerCase(), pair);
  const made: Record<string, string> = {};
  for (const [name, value] of byName.values()) define(made, name, value);
  return made;
}
