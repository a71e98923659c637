import type { JsonObject } from '../../values/index.js';
import { LIMITS } from '../../limits.js';
import type { UnitOfWork } from '../../runtime/index.js';
import { type DeliveryFault, type DeliveryFaultKind, formatDuration, turnsOf } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { checkEvents, unknownEntry } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { duration, integer, oneOf, optional, type ReadValue, required, share, text, wrongValue } from '../shape.js';

const ORDER = {
  kind: required(oneOf('duplicate', 'reorder', 'drop', 'delay', 'hold')),
  event: optional(text),
  endpoint: optional(text),
  count: optional(integer(1, Number.MAX_SAFE_INTEGER)),
  delay: optional(duration),
  times: optional(integer(1, LIMITS.copies.value)),
  after: optional(integer(0, Number.MAX_SAFE_INTEGER)),
  probability: optional(share),
};

/** Faults of deliveries: events that come twice, in another order, late, when they are let go, or not at all. */
export function deliveryFaultRoutes({ engine, outbox }: ControlContext): ControlRoute[] {
  const { world } = engine;
  return [
    route('POST /webhooks/faults', { body: ORDER }, ({ body, why }) => {
      const { endpoints } = engine.runtime;
      if (!endpoints) throw new ControlRejection(404, 'no_deliveries', 'this pack delivers no events');
      if (body.event !== undefined) checkEvents(engine, body.event, 'event');
      if (body.endpoint !== undefined && !endpoints.own().some(({ id }) => id === body.endpoint))
        throw unknown('endpoint', body.endpoint, undefined, { path: 'endpoint' });
      checkKind(body);
      return { status: 201, body: view(arm(body, why)) };
    }),
    route('GET /webhooks/faults', {}, () => ({
      body: { data: [...world.deliveryFaults.values()].sort((a, b) => a.seq - b.seq).map(view) },
    })),
    route('DELETE /webhooks/faults', {}, ({ why }) => {
      const ids = [...world.deliveryFaults.entries()].map(([id]) => id);
      clear(ids, why);
      return { body: { cleared: ids.length } };
    }),
    route('DELETE /webhooks/faults/:id', {}, ({ id, why }) => {
      const ids = [...world.deliveryFaults.entries()].map(([key]) => key);
      if (!ids.includes(id)) throw unknownEntry('fault', id, ids);
      clear([id], why);
      return { body: { id, deleted: true } };
    }),
  ];

  function arm(
    { kind, event = '*', endpoint, count, delay, times, after, probability }: ReadValue<typeof ORDER>,
    why: JsonObject,
  ): DeliveryFault {
    const turns = turnsOf(after, probability);
    let made: DeliveryFault | undefined;
    const write = (command: UnitOfWork): void => {
      made = {
        id: `dflt_${command.randomString(16)}`,
        seq: world.nextSeq(),
        kind,
        event,
        endpoint: endpoint ?? null,
        remaining: count ?? null,
        delayMs: delay ?? 0,
        times: times ?? 1,
        ...(turns ? { turns } : {}),
      };
      command.transaction.write(world.deliveryFaults, made.id, made);
    };
    engine.command('arm delivery fault', 'control', write, why);
    if (!made) throw new Error('the command made no fault');
    return made;
  }

  function clear(ids: readonly string[], why: JsonObject): void {
    const write = ({ transaction }: UnitOfWork): void => {
      for (const id of ids) transaction.write(world.deliveryFaults, id, undefined);
    };
    engine.command('clear delivery faults', 'control', write, why);
    outbox?.letGo();
  }
}

/** Kinds that a key means something to. */
const MEANT: Readonly<Record<'delay' | 'times', readonly DeliveryFaultKind[]>> = {
  delay: ['delay', 'duplicate'],
  times: ['duplicate', 'reorder'],
};

function checkKind(body: ReadValue<typeof ORDER>): void {
  const { kind } = body;
  if (kind === 'delay' && (body.delay ?? 0) === 0)
    throw new ControlRejection(400, 'missing_key', "'delay' is missing", { path: 'delay' });
  for (const key of ['delay', 'times'] as const)
    if (body[key] !== undefined && !MEANT[key].includes(kind))
      throw wrongValue(key, `means nothing to a fault of kind ${kind}`);
}

/** A fault as tests see it; `remaining` null: until it is cleared. */
function view({ id, kind, event, endpoint, remaining, delayMs, times, turns }: DeliveryFault): JsonObject {
  return {
    id,
    kind,
    event,
    endpoint,
    remaining,
    ...(delayMs === 0 ? {} : { delay: formatDuration(delayMs) }),
    ...(MEANT.times.includes(kind) ? { times } : {}),
    ...(turns ? { after: turns.after, probability: turns.probability, seen: turns.seen } : {}),
  };
}
