/** How a limit counts calls. `clock`: its windows begin at multiples of their length; else with the first call. */
export interface RateRule {
  readonly kind: 'fixed' | 'clock' | 'sliding' | 'bucket';
  /** Calls in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** How many calls a bucket holds. */
  readonly burst: number;
}

/** What is remembered of the calls of one caller. Its meaning is the rule's. */
export interface RateCount {
  /** Simulated time in milliseconds: when the window began; of a bucket, when it is full again. */
  readonly at: number;
  /** Calls in this window. */
  readonly used: number;
  /** Calls in the window before. */
  readonly before: number;
}

/** What a caller has left. */
export interface RateStanding {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Simulated time in milliseconds when all calls are free again. */
  readonly resetMs: number;
  /** How long there is no room for a call; 0: there is now; Infinity: there never is. */
  readonly waitMs: number;
}

const NOTHING: RateCount = { at: -Infinity, used: 0, before: 0 };

/** Fractions of calls that floating point leaves over. */
const EPSILON = 1e-9;

/** What a caller has left at a moment. @param cost how much a call uses up */
export function standingAt(rule: RateRule, count: RateCount | undefined, nowMs: number, cost = 1): RateStanding {
  const standing = roomAt(rule, count, nowMs, cost);
  return cost > standing.limit ? { ...standing, waitMs: Infinity } : standing;
}

function roomAt(rule: RateRule, count: RateCount | undefined, nowMs: number, cost: number): RateStanding {
  switch (rule.kind) {
    case 'bucket':
      return bucketAt(rule, count, nowMs, cost);
    case 'sliding':
      return slidingAt(rule, count, nowMs, cost);
    case 'fixed':
    case 'clock': {
      const { limit, windowMs } = rule;
      const { at, used } = windowAt(rule, count, nowMs);
      const resetMs = at + windowMs;
      const waitMs = used + cost <= limit ? 0 : resetMs - nowMs;
      return { limit, used, remaining: Math.max(limit - used, 0), resetMs, waitMs };
    }
  }
}

/** What is remembered after one more call. @param cost how much it uses up */
export function countedAt(rule: RateRule, count: RateCount | undefined, nowMs: number, cost = 1): RateCount {
  if (rule.kind === 'bucket') {
    const at = Math.max(fullAt(rule, count, nowMs), nowMs) + (cost * rule.windowMs) / rule.limit;
    return { at, used: 0, before: 0 };
  }
  const { at, used, before } = windowAt(rule, count, nowMs);
  return { at, used: used + cost, before };
}

/** The window of a moment. One that begins later is of a clock that was set back, and forgotten. */
function windowAt({ kind, windowMs }: RateRule, count = NOTHING, nowMs: number): RateCount {
  const begins = kind === 'fixed' ? nowMs : Math.floor(nowMs / windowMs) * windowMs;
  if (count.at <= nowMs && nowMs < count.at + windowMs) return count;
  const isNext = kind === 'sliding' && count.at + windowMs === begins;
  return { at: begins, used: 0, before: isNext ? count.used : 0 };
}

/** The calls of the window before count by the share of it that is not older than one window. */
function slidingAt(rule: RateRule, count: RateCount | undefined, nowMs: number, cost: number): RateStanding {
  const { limit, windowMs } = rule;
  const { at, used, before } = windowAt(rule, count, nowMs);
  const weighed = used + (before * (at + windowMs - nowMs)) / windowMs;
  const remaining = Math.max(Math.floor(limit - weighed + EPSILON), 0);
  const end = at + windowMs;
  const resetMs = used > 0 ? end + windowMs : end;
  let waitMs = 0;
  if (remaining < cost) {
    // A call has room when what is left of the older window weighs no more than `limit - cost - used`.
    const room = limit - cost - used;
    waitMs =
      room >= 0
        ? end - nowMs - (room * windowMs) / Math.max(before, 1)
        : end - nowMs + windowMs * (1 - (limit - cost) / used);
  }
  return {
    limit,
    used: limit - remaining,
    remaining,
    resetMs,
    waitMs: Math.max(Math.ceil(waitMs - EPSILON * windowMs), 0),
  };
}

function bucketAt(rule: RateRule, count: RateCount | undefined, nowMs: number, cost: number): RateStanding {
  const { limit, windowMs, burst } = rule;
  const each = windowMs / limit;
  const missing = Math.max(fullAt(rule, count, nowMs) - nowMs, 0);
  const remaining = Math.max(Math.floor(burst - missing / each + EPSILON), 0);
  const waitMs = remaining >= cost ? 0 : Math.ceil(missing - (burst - cost) * each - EPSILON);
  return { limit: burst, used: burst - remaining, remaining, resetMs: Math.ceil(nowMs + missing), waitMs };
}

/** When a bucket is full again: never later than an empty one. */
function fullAt({ limit, windowMs, burst }: RateRule, count = NOTHING, nowMs: number): number {
  return Math.min(count.at, nowMs + (burst * windowMs) / limit);
}
