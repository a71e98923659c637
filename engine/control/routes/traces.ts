import type { Trace } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { checkOperation } from '../lookup.js';
import { unknown } from '../rejection.js';
import { count, optional, text } from '../shape.js';

const MOST = 1_000;

/** Why vendor calls were answered as they were. */
export function traceRoutes({ engine, outbox, exchanges }: ControlContext): ControlRoute[] {
  const { traces } = engine.world;
  return [
    route('GET /trace/:id', {}, ({ id }) => {
      const trace = traces.get(id);
      if (!trace) throw unknown('trace', id);
      return { body: view(trace) };
    }),
    route('GET /trace/:id/exchange', {}, ({ id }) => {
      const exchange = exchanges.find(id);
      if (!exchange) throw unknown('exchange', id);
      return { body: exchange };
    }),
    route(
      'GET /traces',
      { query: { operation: optional(text), limit: optional(count(1, MOST)) } },
      ({ query: { operation, limit = 100 } }) => {
        if (operation !== undefined) checkOperation(engine, operation);
        const all = traces.newest(operation === undefined ? limit : Infinity);
        const wanted = operation === undefined ? all : all.filter((trace) => trace.operation === operation);
        return { body: { data: wanted.slice(0, limit).map(view) } };
      },
    ),
  ];

  function view(trace: Trace): object {
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
      replayed: trace.replayed,
      transitions: trace.transitions,
      events: trace.events,
      deliveries,
      at: trace.at,
      entry: trace.entry,
      duration_ms: trace.duration_ms,
      ...(trace.version === undefined ? {} : { version: trace.version }),
    };
  }
}
