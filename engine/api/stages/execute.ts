import { setTimeout as wait } from 'node:timers/promises';
import {
  type OperationResponse,
  argsOf,
  type Engine,
  isAcceptable,
  missingType,
  type CallResult,
  type RateView,
} from '../../runtime/index.js';
import type { Transaction } from '../../world/index.js';
import { inDeclaredCase, listAsMap } from '../input.js';
import {
  type AdvanceClock,
  type Next,
  NO_INPUT,
  noteUnsupported,
  type OperationVisit,
  type Pending,
  type Stage,
  type Visit,
} from '../visit.js';
import type { WaitingCalls } from '../waiting.js';
import { delayOf } from './forced.js';

/** Delays a call by its fault or scenario, in real time. Runs after idempotency, so that a waiting call reserves its key. */
export function delay(engine: Engine): Stage {
  return (visit, next) => {
    const { fault, scenario } = visit;
    const delayMs = (fault === null ? 0 : delayOf(engine, fault, visit)) + (scenario?.delayMs ?? 0);
    return delayMs > 0 ? later(delayMs, visit, next) : next(visit);
  };
}

async function later(ms: number, visit: OperationVisit, next: Next): Promise<OperationResponse> {
  await wait(ms);
  return next(visit);
}

/**
 * Runs the operation. Its idempotency record, fault and count are part of its own entry, so that a crash can't separate them.
 * If the operation advances the clock, the record first has the response before the advance; a later entry of the same request
 * replaces it.
 */
export function execute(engine: Engine, advance: AdvanceClock, waiting: WaitingCalls, rates: RateView | null): Next {
  const { ignoreCase, accepts, contentType } = engine.model.settings;
  const usual = contentType.split(';')[0].trim();
  const { facts } = engine.pack;
  const known = accepts ?? [];

  const advanced = async (
    visit: OperationVisit,
    before: OperationResponse,
    { to, of, body }: NonNullable<OperationResponse['advance']>,
  ): Promise<OperationResponse> => {
    const { request, traceId, operation, use } = visit;
    const { epoch } = engine.world;
    await advance(to, { request: request.id, trace: traceId, args: { operation: operation.key } }, of);
    const response = { ...before, body: body() };
    // A reset during the advance removed the idempotency key.
    if (epoch === engine.world.epoch) use?.replace(response, traceId);
    return response;
  };

  const run = (visit: OperationVisit, mayWait: boolean): Pending => {
    const { operation, input, request, scenario, version, chosen, writes, use } = visit;
    if (!input.ok) {
      commitPending(engine, visit);
      return engine.error(input.error, input.args, request);
    }
    const { accept } = visit.req.headers;
    if (accept && accept !== '*/*' && (accepts !== null || facts?.returnsOthers(operation) === true)) {
      const ranges = visit.req.accepts();
      const documented = (range: string): string | null => facts?.returned(operation, range) ?? null;
      const missing = missingType(operation.content, known, ranges, documented);
      if (missing !== null) {
        noteUnsupported(visit, 'media_type', missing);
        if (engine.runtime.strict) {
          commitPending(engine, visit);
          return engine.error(
            'unsupported',
            { kind: 'media_type', name: missing, param: 'accept', value: missing },
            request,
          );
        }
      }
      if (accepts !== null && !isAcceptable(operation.content, usual, accepts, ranges)) {
        commitPending(engine, visit);
        return engine.error('not_acceptable', { accept, expected: usual }, request);
      }
    }
    const response = engine.call({
      operation,
      request,
      path: visit.path,
      given: ignoreCase ? inDeclaredCase(input.given, operation.params().keys()) : input.given,
      text: input.text,
      listAsMap,
      expand: input.expand,
      scenario,
      version,
      tenant: chosen.tenant,
      named: chosen.named,
      accepts: operation.content?.negotiated === true ? acceptedBy(visit) : undefined,
      mayWait,
      rates,
      trace: visit.traceId,
      conclude: writes.length === 0 && use === null ? undefined : concluding(visit),
    });
    if (response.magicValues.length > 0 && visit.outcome === 'normal') visit.outcome = 'magic_value';
    return response.advance === null ? response : advanced(visit, response, response.advance);
  };

  return (visit) => {
    const response = run(visit, waiting.waits);
    if ('then' in response) return response;
    const { waitMs, delayMs = 0 } = response;
    // A replay responds at once.
    if (waitMs === undefined) return delayMs > 0 && waiting.waits ? wait(delayMs, response) : response;
    return waiting.wait(visit, waitMs, (last) => run(visit, !last));
  };
}

/** Media ranges that the caller accepts, the best first; undefined: no Accept header. */
function acceptedBy({ req }: OperationVisit): readonly string[] | undefined {
  // An empty header accepts everything, like a missing one.
  return req.headers.accept ? req.accepts() : undefined;
}

/** Returns a function that writes the call's idempotency record, use of a fault and counts of rate limits. */
function concluding({ writes, use }: OperationVisit) {
  return (transaction: Transaction, response: CallResult): void => {
    for (const write of writes.splice(0)) write(transaction, response);
    use?.write(transaction, response);
  };
}

/** Commits the writes of a call that made no ledger entry of its own, such as its use of a fault and its rate-limit counts. */
export function commitPending({ world, model }: Engine, visit: Visit): void {
  const { writes, fault, input, request, traceId, scenario, chosen, operation } = visit;
  if (writes.length === 0) return;
  const transaction = world.begin();
  for (const write of writes.splice(0)) write(transaction, null);
  const { given, text, expand } = input.ok ? input : NO_INPUT;
  const called = { request, given, text, expand, scenario: scenario?.name ?? null, tenant: chosen.named };
  const args = {
    fault: fault?.id ?? null,
    operation: operation?.key ?? null,
    ...argsOf(called, model.settings.versions?.current ?? null),
  };
  const command = fault === null ? 'rate_limit' : 'fault';
  world.commit({ command, origin: 'call', request: request.id, trace: traceId, args });
}
