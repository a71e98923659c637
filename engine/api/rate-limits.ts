import { createHash } from 'node:crypto';
import { headerText, type Json, type JsonObject } from '../values/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Operation, RateFacts, RateLimit } from '../program/index.js';
import type { Engine, CallResult } from '../runtime/index.js';
import {
  countedAt,
  type RateRule,
  type RateStanding,
  standingAt,
  type Transaction,
  writeInstant,
} from '../world/index.js';

/** How many callers are remembered; what is over is forgotten first. */
const LIMIT = 10_000;
/** The longest key that is kept as it is, in characters. */
const MAX_KEY_CHARACTERS = 200;

/** A limit that counts a call, and whose call it is. */
interface Counted {
  readonly limit: RateLimit;
  readonly rule: RateRule;
  /** Key in the world's register. */
  readonly key: string;
  readonly cost: number;
  /** What it really cost, when its response is there. */
  readonly spent: (response: Json) => number;
}

/** The limits that count one call. */
export interface Metered {
  readonly counted: readonly Counted[];
  /** The one that rejected it; null: none. */
  rejectedBy: Counted | null;
}

/** Counts calls as the pack's limits say, on the world's clock. The counts are control data of the world. */
export class RateLimits {
  readonly #of = new Map<string, readonly RateLimit[]>();

  constructor(private readonly engine: Engine) {
    for (const { key } of engine.pack.operations) {
      const limits = engine.pack.rateLimits.filter(({ operations }) => operations.has(key));
      if (limits.length > 0) this.#of.set(key, limits);
    }
  }

  /**
   * The limits that count a call; null: none.
   * @param params what the call brings, as in `OfCall`
   */
  meter({ key }: Operation, request: RequestInfo, params: () => JsonObject): Metered | null {
    const limits = this.#of.get(key);
    if (limits === undefined) return null;
    const { reader } = this.engine.runtime;
    const given = params();
    const counted = limits.flatMap((limit): Counted[] => {
      const { when, per, cost: costOf, spent } = limit.parts();
      if (when !== null && when(reader, request, given) !== true) return [];
      const rule = this.#ruleOf(limit, request);
      if (rule === null) return [];
      const cost = costOf === null ? 1 : amountOf(costOf(reader, request, given), 1);
      return [
        {
          limit,
          rule,
          key: keyOf(limit.name, per(reader, request, given)),
          cost,
          spent: (response) => (spent === null ? cost : amountOf(spent(reader, request, given, response), cost)),
        },
      ];
    });
    return counted.length === 0 ? null : { counted, rejectedBy: null };
  }

  /** Looks whether a call is still free; if not, notes which limit rejects it. */
  rejectionOf(metered: Metered): { readonly error: string; readonly args: JsonObject } | null {
    for (const each of metered.counted) {
      const standing = this.#standing(each, each.cost);
      if (standing.waitMs <= 0) continue;
      metered.rejectedBy = each;
      const { name, error } = each.limit;
      return { error, args: { ...this.#facts(each, standing), name } };
    }
    return null;
  }

  /** Counts a call in its transaction. @param said its response; null: it was rejected before it ran */
  count({ counted }: Metered, transaction: Transaction, said: CallResult | null): void {
    const { world } = this.engine;
    const isRead = said?.error === null && counted.some(({ limit }) => limit.parts().spent !== null);
    const response = isRead ? readJson(said) : null;
    for (const { rule, key, cost, spent } of counted) {
      const used = response === null ? cost : spent(response);
      transaction.write(world.rates, key, countedAt(rule, world.rates.get(key), world.nowMs, used));
    }
    if (world.rates.size <= LIMIT) return;
    let over = world.rates.size - LIMIT;
    for (const [key] of world.rates.entries()) {
      if (over-- === 0) break;
      transaction.write(world.rates, key, undefined);
    }
  }

  /** Headers with what the caller has left. They show the limit that rejected the call, else the one named first. */
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

  #standing({ rule, key }: Counted, cost: number): RateStanding {
    return standingAt(rule, this.engine.world.rates.get(key), this.engine.world.nowMs, cost);
  }

  #facts({ rule, cost }: Counted, { limit, used, remaining, resetMs, waitMs }: RateStanding): RateFacts {
    const { world, model } = this.engine;
    return {
      limit,
      used,
      remaining,
      cost,
      reset: writeInstant(model.settings.time, Math.ceil(resetMs / 1000) * 1000),
      reset_in: Math.max(Math.ceil((resetMs - world.nowMs) / 1000), 0),
      retry_after: waitMs > 0 && waitMs < Infinity ? Math.ceil(waitMs / 1000) : null,
      window: Math.ceil(rule.windowMs / 1000),
    };
  }

  /** Null: it limits nothing now, since its window never ends or its limit is none. */
  #ruleOf({ kind, window, burst, parts }: RateLimit, request: RequestInfo): RateRule | null {
    const { reader } = this.engine.runtime;
    const windowMs = reader.waitMs(window);
    const limit = parts().limit(reader, request);
    if (windowMs === null || windowMs <= 0 || typeof limit !== 'number' || limit < 1) return null;
    return { kind, limit, windowMs, burst: burst ?? limit };
  }
}

/** A cost as a whole number. @param usual what counts where it is no number */
function amountOf(value: Json, usual: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(Math.ceil(value), 0) : usual;
}

/** The JSON of a response; null: it is none. */
function readJson({ body, content }: CallResult): Json {
  return body === undefined || content !== null ? null : (JSON.parse(body) as Json);
}

/** A caller in the world's register. What callers send may be long: a digest stands for it then. */
function keyOf(limit: string, caller: Json): string {
  const key = JSON.stringify([limit, caller]);
  return key.length <= MAX_KEY_CHARACTERS
    ? key
    : JSON.stringify([limit, createHash('sha256').update(key).digest('hex')]);
}
