import { type OperationResponse, contentHeaders, type Engine } from '../../runtime/index.js';
import type { IdempotencyRecord } from '../../world/index.js';
import { IdempotencyKeys } from '../idempotency.js';
import { type KeyUse } from '../key-use.js';
import { EMPTY, type Next, type OperationVisit, type Pending, type Stage } from '../visit.js';

/**
 * Repeats the response of the first call with the same key, and stores that of a first call. Null: the pack has no idempotency
 * keys.
 */
export function idempotency(engine: Engine): Stage | null {
  const { settings } = engine.model;
  if (settings.idempotency === null) return null;
  const { maxLength, replayedHeader, originalHeader, param, methods } = settings.idempotency;
  const keys = new IdempotencyKeys(engine);

  const first = (visit: OperationVisit, next: Next, use: KeyUse): Pending => {
    visit.use = use;
    keys.begin(use.key);
    let response: Pending;
    try {
      response = next(visit);
    } catch (error) {
      keys.end(use.key);
      throw error;
    }
    if ('then' in response) return response.finally(() => keys.end(use.key));
    keys.end(use.key);
    return response;
  };

  const nameOriginal = (visit: OperationVisit, id: string | null): void => {
    if (originalHeader && id !== null) visit.headers.push(originalHeader, id);
  };

  const named = ({ req, input }: OperationVisit): string | null => {
    if (param === null || !input.ok || !methods.has(req.method)) return null;
    const given = input.given[param];
    return typeof given === 'string' && given !== '' ? given : null;
  };

  return (visit, next) => {
    const { request } = visit;
    const given = request.idempotency_key ?? named(visit);
    if (given === null) return next(visit);
    if (given.length > maxLength) {
      nameOriginal(visit, request.id);
      return engine.error('idempotency_key_too_long', { limit: maxLength }, request);
    }
    const use = keys.useOf(visit, given);
    const verdict = keys.check(use.key, use.route, use.fingerprint);
    nameOriginal(visit, verdict.kind === 'replay' ? verdict.record.request : request.id);
    switch (verdict.kind) {
      case 'go':
        return first(visit, next, use);
      case 'replay':
        visit.replayed = true;
        if (replayedHeader) visit.headers.push(replayedHeader, 'true');
        return replayOf(verdict.record);
      case 'refuse': {
        const [method, path] = (verdict.first ?? use.route).split(' ');
        return engine.error(verdict.error, { key: given, method, path }, request);
      }
    }
  };
}

/** Converts the stored record of a call to its response. */
function replayOf({ status, body, content }: IdempotencyRecord): OperationResponse {
  return { ...EMPTY, status, body, content: content ?? null, headers: content ? contentHeaders(content) : {} };
}
