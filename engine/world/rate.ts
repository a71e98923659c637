/** How a rate limit counts. `clock`: windows begin at multiples of their length; otherwise with the first call. */
export interface RateRule {
  readonly kind: 'fixed' | 'clock' | 'sliding' | 'bucket';
  /** Maximum number of calls in a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Capacity of a token bucket, in calls. */
  readonly burst: number;
}

/** The stored count of one caller's calls; its members depend on the kind of limit. */
export interface RateCount {
  /** Simulated time in milliseconds: when the window began, or when the token bucket is full again. */
  readonly at: number;
  /** Number of calls in the current window. */
  readonly used: number;
  /** Number of calls in the previous window. */
  readonly before: number;
}

/** The state of one caller's rate limit. */
export interface RateStanding {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Simulated time in milliseconds at which the full limit is available again. */
  readonly resetMs: number;
  /** Milliseconds until the limit allows another call; 0: now; Infinity: never. */
  readonly waitMs: number;
}

const NOTHING: RateCount = { at: -Infinity, used: 0, before: 0 };

/** Tolerance for floating-point errors. */
const EPSILON = 1e-9;

/** Computes the state of a caller's rate limit at a time. @param cost number of units that a call uses */
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

/** Computes the count after one more call. @param cost number of units that the call uses */
export function countedAt(rule: RateRule, count: RateCount | undefined, nowMs: number, cost = 1): RateCount {
  if (rule.kind === 'bucket') {
    const at = Math.max(fullAt(rule, count, nowMs), nowMs) + (cost * rule.windowMs) / rule.limit;
    return { at, used: 0, before: 0 };
  }
  const { at, used, before } = windowAt(rule, count, nowMs);
  return { at, used: used + cost, before };
}

/** Returns the window at a time. A window in the future, left by a clock that was set back, is replaced by a new one. */
function windowAt({ kind, windowMs }: RateRule, count = NOTHING, nowMs: number): RateCount {
  const begins = kind === 'fixed' ? nowMs : Math.floor(nowMs / windowMs) * windowMs;
  if (count.at <= nowMs && nowMs < count.at + windowMs) return count;
  const isNext = kind === 'sliding' && count.at + windowMs === begins;
  return { at: begins, used: 0, before: isNext ? count.used : 0 };
}

/** Counts in a sliding window: calls of the previous window count by its part within one window's length. */
function slidingAt(rule: RateRule, count: RateCount | undefined, nowMs: number, cost: number): RateStanding {
  const { limit, windowMs } = rule;
  const { at, used, before } = windowAt(rule, count, nowMs);
  const weighed = used + (before * (at + windowMs - nowMs)) / windowMs;
  const remaining = Math.max(Math.floor(limit - weighed + EPSILON), 0);
  const end = at + windowMs;
  const resetMs = used > 0 ? end + windowMs : end;
  let waitMs = 0;
  if (remaining < cost) {
    // A call is possible once the calls of the previous window count for at most `limit - cost - used`.
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

/** Returns when a token bucket is full again, at the latest the time at which an empty one would be. */
function fullAt({ limit, windowMs, burst }: RateRule, count = NOTHING, nowMs: number): number {
  return Math.min(count.at, nowMs + (burst * windowMs) / limit);
}
