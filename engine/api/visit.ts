import type { Request, Response } from 'express';
import type { JsonObject } from '../values/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Operation, Scenario, Version } from '../program/index.js';
import { type OperationResponse, NO_EFFECTS, type CallResult, type AdvanceCause } from '../runtime/index.js';
import type { Fault, TraceOutcome, Transaction, UnsupportedKind, UnsupportedUse } from '../world/index.js';
import type { HeaderList } from './headers.js';
import type { KeyUse } from './key-use.js';
import type { Input } from './input.js';
import type { FoundKey } from './keys.js';
import type { Metered } from './rate-limits.js';

/** The tenant that a call is about. */
export interface ChosenTenant {
  /** Null: none. */
  readonly tenant: string | null;
  /** What a header named; null: none did. */
  readonly named: string | null;
}

export const NO_TENANT: ChosenTenant = { tenant: null, named: null };

/** A call of the vendor API on its way through. */
export interface Visit {
  readonly req: Request;
  readonly res: Response;
  readonly operation: Operation | null;
  /** Values of the names in the route. */
  readonly path: Readonly<Record<string, string>>;
  readonly startedMs: number;
  readonly traceId: string;
  /** What was found of the key that its headers bring. */
  readonly key: FoundKey;
  /** What it brings; without its key, once that was checked. */
  input: Input;
  request: RequestInfo;
  /** The world's own key came with it, which no browser should hold. */
  secret: boolean;
  outcome: TraceOutcome;
  fault: Fault | null;
  /** The limits that count it; null: none. */
  metered: Metered | null;
  /** It is counted on the way back: unless its response is a 304. */
  countsLate: boolean;
  /** What the call leaves whatever becomes of it: that a fault has fired, that a limit has counted it. */
  readonly writes: ((transaction: Transaction, said: CallResult | null) => void)[];
  /** It is the first with its idempotency key; null: it has none, or is not. */
  use: KeyUse | null;
  scenario: Scenario | null;
  /** The version of the response; undefined: the account's, or the pack has no list of them. */
  version: Version | undefined;
  /** It was asked for under the name of another one. */
  near: boolean;
  /** The caller hung up while the call waited: it has no effect. */
  isDropped: boolean;
  replayed: boolean;
  /** The tenant that it is about. */
  chosen: ChosenTenant;
  /** What the call asked for in vain, apart from what its operation found; null: nothing. */
  unsupported: UnsupportedUse[] | null;
  /** What stages add to the response on its way back: names and values in turn. */
  readonly headers: HeaderList;
}

/** A call of an operation. */
export interface OperationVisit extends Visit {
  readonly operation: Operation;
}

/** A response, at once where nothing has to be waited for. */
export type Pending = OperationResponse | Promise<OperationResponse>;

/** What comes after a stage. */
export type Next = (visit: OperationVisit) => Pending;

/** One step of the order in which a call is resolved: responds itself, or asks the next and adds to the response what is its own. */
export type Stage = (visit: OperationVisit, next: Next) => Pending;

/**
 * Advances the clock to a time (ms), firing what is due.
 * @param of the time owner whose clock that is; null: the world's
 */
export type AdvanceClock = (toMs: number, why: AdvanceCause, of: string | null) => Promise<unknown>;

/** Changes a response, at once where it is there. */
export function andThen(response: Pending, change: (response: OperationResponse) => OperationResponse): Pending {
  // Not `instanceof`: the promises of Node's own modules are of another realm where tests run.
  return 'then' in response ? response.then(change) : change(response);
}

/** Notes that a call asks for something that the vendor documents and the pack doesn't emulate. */
export function noteUnsupported(visit: Visit, kind: UnsupportedKind, name: string): void {
  (visit.unsupported ??= []).push({ kind, name });
}

/** What a call brings, with the names in its route. */
export function givenIn({ input, path }: Visit): JsonObject {
  return input.ok ? { ...input.given, ...path } : {};
}

/** What a call brings that is rejected before it is read. */
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
