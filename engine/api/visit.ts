import type { Request, Response } from 'express';
import type { JsonObject } from '../values/index.js';
import type { KeyCheck } from '../http/index.js';
import type { RequestInfo, TOKEN_KEY } from '../model/index.js';
import type { Operation, Scenario, Version } from '../program/index.js';
import { type OperationResponse, NO_EFFECTS, type CallResult, type AdvanceCause } from '../runtime/index.js';
import type { Fault, Row, TraceOutcome, Transaction, UnsupportedKind, UnsupportedUse } from '../world/index.js';
import type { HeaderList } from './send.js';
import type { KeyUse } from './key-use.js';
import type { Input } from './input.js';
import type { Metered } from './rate-limits.js';

/** The key of a call: the world's own, one that the world issued (`token`), or an invalid or missing one. */
export type FoundKey =
  | (KeyCheck & { readonly token: null; readonly expired?: false; readonly tenant: string | null })
  | {
      readonly ok: true;
      readonly key: typeof TOKEN_KEY;
      readonly given: string;
      readonly token: Row;
      /** The tenant to which the key belongs; null: none. */
      readonly tenant: string | null;
    }
  | { readonly ok: false; readonly given: string; readonly token: null; readonly expired: true; readonly tenant: null };

/** The tenant of a call. */
export interface ChosenTenant {
  /** The tenant that the call is for; null: none. */
  readonly tenant: string | null;
  /** The tenant in a header; null: none. */
  readonly named: string | null;
}

export const NO_TENANT: ChosenTenant = { tenant: null, named: null };

/** A vendor API call while it passes the stages. */
export interface Visit {
  readonly req: Request;
  readonly res: Response;
  readonly operation: Operation | null;
  /** Values of path parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly startedMs: number;
  readonly traceId: string;
  /** Result of looking up the key in the headers. */
  readonly key: FoundKey;
  /** The call's parameters; without its key, once that was checked. */
  input: Input;
  request: RequestInfo;
  /** Whether the call has the world's own key, which pages in a browser must not contain. */
  secret: boolean;
  outcome: TraceOutcome;
  fault: Fault | null;
  /** The limits that count the call; null: none. */
  metered: Metered | null;
  /** Whether rate limits count the call only after its response, since a 304 doesn't count. */
  countsLate: boolean;
  /** Writes of the call that are stored even if it fails: the use of a fault, counts of limits. */
  readonly writes: ((transaction: Transaction, said: CallResult | null) => void)[];
  /** The idempotency key that this call is the first to use; null: it has none, or isn't the first. */
  use: KeyUse | null;
  scenario: Scenario | null;
  /** The version of the response; undefined: the account's, or the pack has no versions. */
  version: Version | undefined;
  /** Whether the requested version doesn't exist, so that the nearest one is used. */
  near: boolean;
  /** Whether the caller hung up while the call waited, so that it has no effect. */
  isDropped: boolean;
  replayed: boolean;
  /** The tenant of the call. */
  chosen: ChosenTenant;
  /** Requests that aren't emulated, besides those that the operation found; null: none. */
  unsupported: UnsupportedUse[] | null;
  /** Headers that stages add to the response: names and values alternate. */
  readonly headers: HeaderList;
}

/** A call of an operation. */
export interface OperationVisit extends Visit {
  readonly operation: Operation;
}

/** A response; a promise only if something has to be awaited. */
export type Pending = OperationResponse | Promise<OperationResponse>;

/** Runs the next stage. */
export type Next = (visit: OperationVisit) => Pending;

/** One stage of a call: returns a response itself, or calls `next` and may change its response. */
export type Stage = (visit: OperationVisit, next: Next) => Pending;

/** Advances the clock to a time (ms), firing due timers. @param of the time owner whose clock advances; null: the world's */
export type AdvanceClock = (toMs: number, why: AdvanceCause, of: string | null) => Promise<unknown>;

/** Applies a change to a response; stays synchronous if the response is available. */
export function andThen(response: Pending, change: (response: OperationResponse) => OperationResponse): Pending {
  // Checks for `then` instead of `instanceof Promise`: in tests, promises of Node's modules belong to another realm.
  return 'then' in response ? response.then(change) : change(response);
}

/** Records a request that the vendor documents and the pack doesn't emulate. */
export function noteUnsupported(visit: Visit, kind: UnsupportedKind, name: string): void {
  (visit.unsupported ??= []).push({ kind, name });
}

/** The parameters of a call, including names in its route. */
export function givenIn({ input, path }: Visit): JsonObject {
  return input.ok ? { ...input.given, ...path } : {};
}

export const NO_NAMES: Readonly<Record<string, string>> = {};

/** The input of a call that is rejected before it is parsed. */
export const NO_INPUT: Extract<Input, { ok: true }> = { ok: true, given: {}, text: true, expand: [] };

export const EMPTY: OperationResponse = {
  status: 200,
  body: undefined,
  headers: {},
  error: null,
  executed: false,
  content: null,
  advance: null,
  ...NO_EFFECTS,
};
