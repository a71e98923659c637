import { createHash } from 'node:crypto';
import { headerText, type Json, type JsonObject } from '../values/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Operation, RateFacts, RateLimit } from '../program/index.js';
import type { Engine, CallResult, RateView } from '../runtime/index.js';
import {
  countedAt,
  type RateRule,
  type RateStanding,
  standingAt,
  type Transaction,
  writeInstant,
} from '../world/index.js';

/** Limit of callers whose counts are stored; beyond it, the oldest are dropped. */
const LIMIT = 10_000;
/** Keys up to this length, in characters, are stored unhashed. */
const MAX_KEY_CHARACTERS = 200;

/** A limit that applies to a call, with the caller's key and the call's cost. */
interface Counted {
  readonly limit: RateLimit;
  readonly rule: RateRule;
  /** The key of the count in the world's register. */
  readonly key: string;
  readonly cost: number;
  /** Computes the actual cost from the response. */
  readonly spent: (response: Json) => number;
  /** Milliseconds by which real time is ahead of simulated time, if the limit admits the call only because of them; else 0. */
  aheadMs: number;
}

/** When the calls of a caller were first counted, by both clocks in milliseconds. */
interface Start {
  readonly realMs: number;
  readonly simulatedMs: number;
}

/** The limits that count one call. */
export interface Metered {
  readonly counted: readonly Counted[];
  /** The limit that rejected the call; null: none. */
  rejectedBy: Counted | null;
}

/**
 * Counts calls by the pack's limits, on the world's clock. The counts are control data of the world. A client that waits does
 * so in real time, which doesn't advance a frozen clock: a call that is rejected by simulated time is admitted once as much
 * real time has passed. The counts of all other calls depend on simulated time only.
 */
export class RateLimits implements RateView {
  readonly #of = new Map<string, readonly RateLimit[]>();
  /** When each caller was first counted, by the key of the caller's count in the world's register. */
  readonly #starts = new Map<string, Start>();

  constructor(private readonly engine: Engine) {
    for (const { key } of engine.pack.operations) {
      const limits = engine.pack.rateLimits.filter(({ operations }) => operations.has(key));
      if (limits.length > 0) this.#of.set(key, limits);
    }
  }

  /** The limits that count a call; null: none. @param params parameters of the call, as in `OfCall` */
  meter({ key }: Operation, request: RequestInfo, params: () => JsonObject): Metered | null {
    const limits = this.#of.get(key);
    if (limits === undefined) return null;
    const given = params();
    const counted = limits.map((limit) => this.#counted(limit, request, given)).filter((each) => each !== null);
    return counted.length === 0 ? null : { counted, rejectedBy: null };
  }

  /** Returns how a limit counts a call; null if it doesn't count the call. */
  #counted(limit: RateLimit, request: RequestInfo, given: JsonObject): Counted | null {
    const { reader } = this.engine.runtime;
    const { when, per, cost: costOf, spent } = limit.parts();
    if (when !== null && when(reader, request, given) !== true) return null;
    const rule = this.#ruleOf(limit, request);
    if (rule === null) return null;
    const cost = costOf === null ? 1 : amountOf(costOf(reader, request, given), 1);
    return {
      limit,
      rule,
      key: keyOf(limit.name, per(reader, request, given)),
      cost,
      spent: (response) => (spent === null ? cost : amountOf(spent(reader, request, given, response), cost)),
      aheadMs: 0,
    };
  }

  /** Returns the error if a call exceeds a limit, and records that limit; null if the call is within all limits. */
  rejectionOf(metered: Metered): { readonly error: string; readonly args: JsonObject } | null {
    for (const each of metered.counted) {
      const standing = this.#standing(each, each.cost);
      if (standing.waitMs <= 0) continue;
      const aheadMs = this.#aheadMs(each.key);
      if (this.#standing(each, each.cost, aheadMs).waitMs <= 0) {
        each.aheadMs = aheadMs;
        continue;
      }
      metered.rejectedBy = each;
      const { name, error } = each.limit;
      return { error, args: { ...this.#facts(each, standing), name } };
    }
    return null;
  }

  /** Counts a call in its transaction. @param said the call's response; null if it was rejected before it ran */
  count({ counted }: Metered, transaction: Transaction, said: CallResult | null): void {
    const { world } = this.engine;
    const isRead = said?.error === null && counted.some(({ limit }) => limit.parts().spent !== null);
    const response = isRead ? readJson(said) : null;
    for (const each of counted) {
      const { rule, key, cost, spent, aheadMs } = each;
      const used = response === null ? cost : spent(response);
      if (aheadMs > 0 || this.#standing(each, 1).used === 0) this.#begin(key);
      const next = countedAt(rule, world.rates.get(key), world.nowMs + aheadMs, used);
      transaction.write(world.rates, key, { ...next, at: next.at - aheadMs });
    }
    if (world.rates.size <= LIMIT) return;
    let over = world.rates.size - LIMIT;
    for (const [key] of world.rates.entries()) {
      if (over-- === 0) break;
      transaction.write(world.rates, key, undefined);
    }
  }

  /** Headers that report the caller's remaining calls. The limit that rejected the call has precedence, then the first. */
  headers({ counted, rejectedBy: rejectedBy }: Metered, request: RequestInfo): Record<string, string> {
    const limitHeaders: Record<string, string> = {};
    const inOrder = rejectedBy === null ? counted : [rejectedBy, ...counted];
    for (const each of inOrder) {
      const values = each.limit
        .parts()
        .headers(
          this.engine.runtime.reader,
          request,
          this.#facts(each, this.#standing(each, each === rejectedBy ? each.cost : 1)),
        );
      for (const [name, value] of Object.entries(values))
        if (value !== null && !Object.hasOwn(limitHeaders, name)) limitHeaders[name] = headerText(String(value));
    }
    return limitHeaders;
  }

  /** Returns the caller's remaining calls of a limit. The limit's expressions see no parameters here. */
  of(name: string, request: RequestInfo): Json {
    const limit = this.engine.pack.rateLimits.find((each) => each.name === name);
    const counted = limit === undefined ? null : this.#counted(limit, request, {});
    if (counted === null) return null;
    const standing = this.#standing(counted, 1);
    const aheadMs = standing.waitMs > 0 ? this.#aheadMs(counted.key) : 0;
    return { ...this.#facts(counted, aheadMs > 0 ? this.#standing(counted, 1, aheadMs) : standing, aheadMs) };
  }

  /** The caller's remaining calls of a limit. @param aheadMs how far real time is ahead of the world's clock */
  #standing({ rule, key }: Counted, cost: number, aheadMs = 0): RateStanding {
    return standingAt(rule, this.engine.world.rates.get(key), this.engine.world.nowMs + aheadMs, cost);
  }

  /** How much more real than simulated time has passed since the caller was first counted, in milliseconds. */
  #aheadMs(key: string): number {
    const { realMs, simulatedMs } = this.#starts.get(key) ?? this.#begin(key);
    return Math.max(Date.now() - realMs - (this.engine.world.nowMs - simulatedMs), 0);
  }

  #begin(key: string): Start {
    if (this.#starts.size >= LIMIT) this.#starts.clear();
    const start = { realMs: Date.now(), simulatedMs: this.engine.world.nowMs };
    this.#starts.set(key, start);
    return start;
  }

  /** Clients compare `reset` with their own clock and with `Date`, so it is real time. */
  #facts({ rule, cost }: Counted, standing: RateStanding, aheadMs = 0): RateFacts {
    const { limit, used, remaining, resetMs, waitMs } = standing;
    const { world, model } = this.engine;
    const resetIn = Math.max(Math.ceil((resetMs - world.nowMs - aheadMs) / 1000), 0);
    return {
      limit,
      used,
      remaining,
      cost,
      reset: writeInstant(model.settings.time, (Math.floor(Date.now() / 1000) + resetIn) * 1000),
      reset_in: resetIn,
      retry_after: waitMs > 0 && waitMs < Infinity ? Math.ceil(waitMs / 1000) : null,
      window: Math.ceil(rule.windowMs / 1000),
    };
  }

  /** The rule of a limit for a call; null: no limit at present, since its window never ends or the limit is null. */
  #ruleOf({ kind, window, burst, parts }: RateLimit, request: RequestInfo): RateRule | null {
    const { reader } = this.engine.runtime;
    const windowMs = reader.waitMs(window);
    const limit = parts().limit(reader, request);
    if (windowMs === null || windowMs <= 0 || typeof limit !== 'number' || limit < 1) return null;
    return { kind, limit, windowMs, burst: burst ?? limit };
  }
}

/** A cost as a whole number. @param usual the cost if it isn't a number */
function amountOf(value: Json, usual: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(Math.ceil(value), 0) : usual;
}

/** The JSON of a response; null: it isn't JSON. */
function readJson({ body, content }: CallResult): Json {
  return body === undefined || content !== null ? null : (JSON.parse(body) as Json);
}

/** A caller's key in the world's register; long keys are hashed. */
function keyOf(limit: string, caller: Json): string {
  const key = JSON.stringify([limit, caller]);
  return key.length <= MAX_KEY_CHARACTERS
    ? key
    : JSON.stringify([limit, createHash('sha256').update(key).digest('hex')]);
}
