import type { JsonObject } from '../../values/index.js';
import { LIMITS } from '../../limits.js';
import type { Engine, CommandExecution } from '../../runtime/index.js';
import { type DeliveryFault, type DeliveryFaultKind, formatDuration, turnsOf } from '../../world/index.js';
import type { ControlContext } from '../context.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { checkEventPattern, DeletedSchema, unknownEntry } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import {
  duration,
  integer,
  oneOf,
  optional,
  type ReadValue,
  required,
  shapeSchema,
  share,
  text,
  wrongValue,
} from '../shape.js';

const ORDER = {
  kind: required(
    oneOf('duplicate', 'reorder', 'drop', 'delay', 'hold'),
    'duplicate: send it more than once; reorder: let later deliveries overtake it; drop: never send it; delay: send it late; hold: send it when the fault is cleared',
  ),
  event: optional(text, 'name or pattern of the events that the fault affects (default: all events)'),
  endpoint: optional(text, 'id of an endpoint: affect only deliveries to it'),
  count: optional(
    integer(1, Number.MAX_SAFE_INTEGER),
    'number of events that the fault affects (default: until cleared)',
  ),
  delay: optional(
    duration,
    'for `delay`: how long to wait; for `duplicate`: when the copies are sent; simulated time',
    { examples: ['5m', '2d'] },
  ),
  times: optional(
    integer(1, LIMITS.copies.value),
    'for `duplicate`: number of copies; for `reorder`: number of later deliveries that overtake it (default: 1)',
  ),
  after: optional(integer(0, Number.MAX_SAFE_INTEGER), 'number of matching events to skip first'),
  probability: optional(
    share,
    "probability (0 to 1) that a later matching event is affected, drawn from the world's random seed (default: 1)",
  ),
};

const DeliveryFaultSchema = s.named(
  'DeliveryFault',
  s.object({
    id: s.string,
    kind: s.string,
    event: s.string,
    endpoint: s.string.orNull(),
    remaining: s.integer.orNull().about('number of events that the fault will still affect; null: until cleared'),
    delay: s.string.optional(),
    times: s.integer.optional(),
    after: s.integer.optional(),
    probability: s.number.optional(),
    seen: s.integer.about('number of matching events so far').optional(),
  }),
);

/** Routes of faults of deliveries: duplicate, reordered, delayed, blocked until released, or lost. */
export const DELIVERY_FAULT_ROUTES: readonly ControlRoute[] = [
  route(
    'POST /webhooks/faults',
    {
      id: 'armDeliveryFault',
      tag: 'webhooks',
      about: 'Inject a fault into deliveries: duplicate, reorder, drop, delay or hold them',
      body: ORDER,
      bodySchema: s.named('DeliveryFaultOrder', shapeSchema(ORDER)),
      status: 201,
      response: DeliveryFaultSchema,
      errors: [404],
    },
    ({ engine }, { body, why }) => {
      const { endpoints } = engine.runtime;
      if (!endpoints) throw new ControlRejection(404, 'no_deliveries', 'this pack delivers no events');
      if (body.event !== undefined) checkEventPattern(engine, body.event, 'event');
      if (body.endpoint !== undefined && !endpoints.own().some(({ id }) => id === body.endpoint))
        throw unknown('endpoint', body.endpoint, undefined, { path: 'endpoint' });
      checkKind(body);
      return { body: view(arm(engine, body, why)) };
    },
  ),
  route(
    'GET /webhooks/faults',
    {
      id: 'deliveryFaults',
      tag: 'webhooks',
      about: 'Active delivery faults',
      response: s.object({ data: s.list(DeliveryFaultSchema) }),
    },
    ({ engine: { world } }) => ({
      body: { data: [...world.deliveryFaults.values()].sort((a, b) => a.seq - b.seq).map(view) },
    }),
  ),
  route(
    'DELETE /webhooks/faults',
    {
      id: 'clearDeliveryFaults',
      tag: 'webhooks',
      about: 'Clear all delivery faults',
      response: s.object({ cleared: s.integer }),
    },
    (context, { why }) => {
      const ids = [...context.engine.world.deliveryFaults.entries()].map(([id]) => id);
      clear(context, ids, why);
      return { body: { cleared: ids.length } };
    },
  ),
  route(
    'DELETE /webhooks/faults/:id',
    {
      id: 'clearDeliveryFault',
      tag: 'webhooks',
      about: 'Clear one delivery fault',
      names: 'id of the delivery fault',
      response: DeletedSchema,
      errors: [404],
    },
    (context, { id, why }) => {
      const ids = [...context.engine.world.deliveryFaults.entries()].map(([key]) => key);
      if (!ids.includes(id)) throw unknownEntry('fault', id, ids);
      clear(context, [id], why);
      return { body: { id, deleted: true } };
    },
  ),
];

function arm(
  engine: Engine,
  { kind, event = '*', endpoint, count, delay, times, after, probability }: ReadValue<typeof ORDER>,
  why: JsonObject,
): DeliveryFault {
  const { world } = engine;
  const turns = turnsOf(after, probability);
  let made: DeliveryFault | undefined;
  const write = (command: CommandExecution): void => {
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

function clear({ engine, outbox }: ControlContext, ids: readonly string[], why: JsonObject): void {
  const write = ({ transaction }: CommandExecution): void => {
    for (const id of ids) transaction.write(engine.world.deliveryFaults, id, undefined);
  };
  engine.command('clear delivery faults', 'control', write, why);
  outbox?.sendUnblocked();
}

/** For each optional key of a fault, the kinds of faults that take it. */
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

/** A fault as responses show it. `remaining` is null if the fault stays until it is cleared. */
function view({
  id,
  kind,
  event,
  endpoint,
  remaining,
  delayMs,
  times,
  turns,
}: DeliveryFault): s.Shown<typeof DeliveryFaultSchema> {
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
