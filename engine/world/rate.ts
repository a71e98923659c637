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

/** How a caller stands. */
export interface RateStanding {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Simulated time in milliseconds when all calls are free again. */
  readonly resetMs: number;
  /** How long there is none; 0: there is one now. */
  readonly waitMs: number;
}

const NOTHING: RateCount = { at: -Infinity, used: 0, before: 0 };

/** Fractions of calls that floating point leaves over. */
const EPSILON = 1e-9;

/** How a caller stands at a moment. */
export function standingAt(rule: RateRule, count: RateCount | undefined, nowMs: number): RateStanding {
  switch (rule.kind) {
    case 'bucket':
      return bucketAt(rule, count, nowMs);
    case 'sliding':
      return slidingAt(rule, count, nowMs);
    case 'fixed':
    case 'clock': {
      const { limit, windowMs } = rule;
      const { at, used } = windowAt(rule, count, nowMs);
      const resetMs = at + windowMs;
      return { limit, used, remaining: Math.max(limit - used, 0), resetMs, waitMs: used < limit ? 0 : resetMs - nowMs };
    }
  }
}

/** What is remembered after one more call. */
export function countedAt(rule: RateRule, count: RateCount | undefined, nowMs: number): RateCount {
  if (rule.kind === 'bucket') {
    const at = Math.max(fullAt(rule, count, nowMs), nowMs) + rule.windowMs / rule.limit;
    return { at, used: 0, before: 0 };
  }
  const { at, used, before } = windowAt(rule, count, nowMs);
  return { at, used: used + 1, before };
}

/** The window of a moment. One that begins later is of a clock that was set back, and forgotten. */
function windowAt({ kind, windowMs }: RateRule, count = NOTHING, nowMs: number): RateCount {
  const begins = kind === 'fixed' ? nowMs : Math.floor(nowMs / windowMs) * windowMs;
  if (count.at <= nowMs && nowMs < count.at + windowMs) return count;
  const isNext = kind === 'sliding' && count.at + windowMs === begins;
  return { at: begins, used: 0, before: isNext ? count.used : 0 };
}

/** The calls of the window before count by the share of it that is not older than one window. */
function slidingAt(rule: RateRule, count: RateCount | undefined, nowMs: number): RateStanding {
  const { limit, windowMs } = rule;
  const { at, used, before } = windowAt(rule, count, nowMs);
  const weighed = used + (before * (at + windowMs - nowMs)) / windowMs;
  const remaining = Math.max(Math.floor(limit - weighed + EPSILON), 0);
  const end = at + windowMs;
  const resetMs = used > 0 ? end + windowMs : end;
  let waitMs = 0;
  if (remaining === 0) {
    // One call is free when what is left of the older window weighs no more than `limit - 1 - used`.
    const room = limit - 1 - used;
    waitMs =
      room >= 0
        ? end - (room * windowMs) / Math.max(before, 1) - nowMs
        : end - nowMs + windowMs * (1 - (limit - 1) / used);
  }
  return { limit, used: limit - remaining, remaining, resetMs, waitMs: Math.max(Math.ceil(waitMs), 0) };
}

function bucketAt(rule: RateRule, count: RateCount | undefined, nowMs: number): RateStanding {
  const { limit, windowMs, burst } = rule;
  const each = windowMs / limit;
  const missing = Math.max(fullAt(rule, count, nowMs) - nowMs, 0);
  const remaining = Math.max(Math.floor(burst - missing / each + EPSILON), 0);
  const waitMs = remaining > 0 ? 0 : Math.ceil(missing - (burst - 1) * each - EPSILON);
  return { limit: burst, used: burst - remaining, remaining, resetMs: Math.ceil(nowMs + missing), waitMs };
}

/** When a bucket is full again: never later than an empty one. */
function fullAt({ limit, windowMs, burst }: RateRule, count = NOTHING, nowMs: number): number {
  return Math.min(count.at, nowMs + (burst * windowMs) / limit);
}
