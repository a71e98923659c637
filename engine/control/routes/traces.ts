import type { Trace } from '../../world/index.js';
import type { ControlContext } from '../context.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { realTimeOf } from '../messages.js';
import { checkOperation, EventNameSchema } from '../lookup.js';
import { unknown } from '../rejection.js';
import { count, InstantSchema, optional, text } from '../shape.js';

const MOST = 1_000;

const TraceSchema = s.named(
  'Trace',
  s.object({
    id: s.string,
    operation: s.string.orNull().about('<collection>.<operation>'),
    outcome: s.oneOf('fault', 'scenario', 'magic_value', 'normal'),
    exogenous: s.list(s.object({ field_path: s.string, source: s.string, value: s.any })),
    request: s.object({ id: s.string, method: s.string, path: s.string, idempotency_key: s.string.orNull() }),
    status: s.integer,
    error: s.string.orNull(),
    suggestion: s.string.about('the closest call, if no operation has this method and path').optional(),
    fault: s.string.orNull(),
    scenario: s.string.orNull(),
    magic_values: s.list(s.string),
    stood_back: s
      .list(s.object({ pin: s.string, resource: s.string, id: s.string, path: s.string, value: s.any }))
      .about('overrides ("pins") that were ignored because the pack rejected their values'),
    unsupported: s
      .list(s.object({ kind: s.string, name: s.string }))
      .about('features that the request used, that the vendor documents, but the pack does not emulate')
      .optional(),
    replayed: s.boolean,
    transitions: s.list(s.object({ id: s.string, from: s.string, to: s.string, trigger: s.string })),
    events: s.list(EventNameSchema),
    deliveries: s.list(
      s.object({
        id: s.string,
        event: EventNameSchema,
        endpoint: s.string,
        url: s.string.orNull(),
        status: s.string,
        attempts: s.integer,
      }),
    ),
    at: InstantSchema,
    duration_ms: s.number,
    real_time: s.string.about('real time at which the response was sent, in ISO 8601').optional(),
    entry: s.integer.about('number of the last ledger entry when the response was sent'),
    version: s
      .object({ asked: s.string.orNull(), answered: s.string })
      .about("requested and used version of the vendor's API; only present if they differ")
      .optional(),
  }),
);

const MessageSchema = s.named(
  'Message',
  s.object({
    headers: s.mapOf(s.string).about('headers by name in lower case; API keys are masked'),
    body: s.string.orNull().about('null if it was larger than 64 KiB'),
    bytes: s.integer,
  }),
);

const ExchangeSchema = s.named(
  'Exchange',
  s.object({ url: s.string, request: MessageSchema, response: MessageSchema }),
);

const OF_TRACE = 'id of the trace, from the response header `X-Mock-Resolution-Trace`';

/** Routes of traces, which record why the vendor API returned each response. */
export const TRACE_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /trace/:id',
    {
      id: 'trace',
      tag: 'traces',
      about: 'How the response of a call was determined',
      names: OF_TRACE,
      response: TraceSchema,
      errors: [404],
    },
    (context, { id }) => {
      const trace = context.engine.world.traces.get(id);
      if (!trace) throw unknown('trace', id);
      return { body: view(context, trace) };
    },
  ),
  route(
    'GET /trace/:id/exchange',
    {
      id: 'exchange',
      tag: 'traces',
      about: 'HTTP request and response of a call; stored for the newest 1,000 calls',
      names: OF_TRACE,
      response: ExchangeSchema,
      errors: [404],
    },
    ({ exchanges }, { id }) => {
      const exchange = exchanges.find(id);
      if (!exchange) throw unknown('exchange', id);
      return { body: exchange };
    },
  ),
  route(
    'GET /traces',
    {
      id: 'traces',
      tag: 'traces',
      about: 'Traces of calls, newest first',
      query: {
        operation: optional(text, 'return only traces of this operation, as <collection>.<operation>'),
        limit: optional(count(1, MOST), 'maximum number of traces (default: 100)'),
      },
      response: s.object({ data: s.list(TraceSchema) }),
      errors: [404],
    },
    (context, { query: { operation, limit = 100 } }) => {
      const { engine } = context;
      const { traces } = engine.world;
      if (operation !== undefined) checkOperation(engine, operation);
      const all = traces.newest(operation === undefined ? limit : Infinity);
      const wanted = operation === undefined ? all : all.filter((trace) => trace.operation === operation);
      return { body: { data: wanted.slice(0, limit).map((trace) => view(context, trace)) } };
    },
  ),
];

function view({ engine, outbox }: ControlContext, trace: Trace): s.Shown<typeof TraceSchema> {
  const { method, path } = trace.request;
  const near = trace.status < 400 ? undefined : engine.pack.routes.near(method, path);
  const deliveries = trace.events.flatMap((event) =>
    (outbox?.list({ event: event.id }) ?? []).map((each) => ({
      id: each.id,
      event: { id: each.event, type: each.type },
      endpoint: each.endpoint,
      url: each.url,
      status: each.status,
      attempts: each.attempts.length,
    })),
  );
  return {
    id: trace.id,
    operation: trace.operation,
    outcome: trace.outcome,
    exogenous: engine.exogenous(trace),
    request: trace.request,
    status: trace.status,
    error: trace.error,
    ...(near === undefined ? {} : { suggestion: near }),
    fault: trace.fault,
    scenario: trace.scenario,
    magic_values: trace.magic_values,
    stood_back: trace.stood_back,
    ...(trace.unsupported === undefined ? {} : { unsupported: trace.unsupported }),
    replayed: trace.replayed,
    transitions: trace.transitions,
    events: trace.events,
    deliveries,
    at: trace.at,
    entry: trace.entry,
    duration_ms: trace.duration_ms,
    ...realTimeOf(trace),
    ...(trace.version === undefined ? {} : { version: trace.version }),
  };
}
