import type { Engine } from '../../runtime/index.js';
import type { RateLimits } from '../rate-limits.js';
import { andThen, givenIn, type OperationVisit, type Stage } from '../visit.js';
import { commitPending } from './execute.js';

/**
 * Finds the rate limits that count a call, and adds headers with the remaining calls. A conditional request is counted only
 * after its response, since a 304 doesn't count. Null: the pack has no limits.
 */
export function meter(engine: Engine, limits: RateLimits | null): Stage | null {
  if (limits === null) return null;
  return (visit, next) => {
    const metered = limits.meter(visit.operation, visit.request, () => givenIn(visit));
    if (metered === null) return next(visit);
    visit.metered = metered;
    return andThen(next(visit), (response) => {
      if (visit.countsLate && response.status !== 304) {
        visit.writes.push((transaction) => limits.count(metered, transaction, null));
        commitPending(engine, visit);
      }
      return { ...response, headers: { ...limits.headers(metered, visit.request), ...response.headers } };
    });
  };
}

/** Counts a call, or rejects one above a limit. Runs after idempotency, since repeated responses don't count. */
export function limit(engine: Engine, limits: RateLimits | null): Stage | null {
  if (limits === null) return null;
  return (visit, next) => {
    const { metered } = visit;
    if (metered === null) return next(visit);
    const rejection = limits.rejectionOf(metered);
    if (rejection !== null) return engine.error(rejection.error, rejection.args, visit.request);
    visit.countsLate = mayBeUnchanged(visit);
    if (!visit.countsLate) visit.writes.push((transaction, said) => limits.count(metered, transaction, said));
    return next(visit);
  };
}

function mayBeUnchanged({ req: { method, headers } }: OperationVisit): boolean {
  return method === 'GET' && (headers['if-none-match'] ?? headers['if-modified-since']) !== undefined;
}
