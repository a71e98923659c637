import { type Json, type JsonObject, member } from '../../values/index.js';
import { LIMITS } from '../../limits.js';
import type { EndpointRequest } from '../../program/index.js';
import type { UnitOfWork, Endpoints } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';
import { type ControlContext, type ControlRoute, type Deliveries, type DeliveryReport, route } from '../context.js';
import { allEventTypes, checkEvents, kindsNamed, objectWith, unknownEntry } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { count, listOf, optional, type FieldReader, required, text, wrongValue } from '../shape.js';

const MOST = LIMITS.controlList.value;

const webUrl: FieldReader<string> = (value, path) => {
  const url = text(value, path);
  if (!/^https?:\/\/[^\s/]/i.test(url) || !URL.canParse(url))
    throw wrongValue(path, 'must be an absolute http or https URL');
  return url;
};

const ENDPOINT = { url: required(webUrl), events: optional(listOf(text)), description: optional(text) };

/** Endpoints that receive events, and what was delivered. */
export function webhookRoutes({ engine, outbox }: ControlContext): ControlRoute[] {
  return [
    route('POST /webhooks/endpoints', { body: ENDPOINT }, ({ body, why }) => {
      const { url, events = ['*'], description = null } = body;
      if (events.length === 0) throw wrongValue('events', 'must name at least one event, or *');
      events.forEach((name, index) => checkEvents(engine, name, `events[${index}]`));
      const endpoints = receivers();
      const row = create(endpoints, { url, events, description }, kindOf(events), why);
      return { status: 201, body: endpointView(endpoints, row) };
    }),
    route('GET /webhooks/endpoints', {}, () => {
      const endpoints = receivers();
      return { body: { data: endpoints.all().map((row) => endpointView(endpoints, row)) } };
    }),
    route('DELETE /webhooks/endpoints/:id', {}, ({ id, why }) => {
      const row = receivers()
        .own()
        .find((each) => each.id === id);
      if (!row) throw noEndpoint(id);
      engine.command('remove endpoint', 'control', (command) => command.remove(row), why);
      return { body: { id, deleted: true } };
    }),
    route(
      'GET /webhooks/deliveries',
      { query: { endpoint: optional(text), event: optional(text), limit: optional(count(1, MOST)) } },
      ({ query: { endpoint, event, limit = 100 } }) => {
        const list = ofEvent(event, { endpoint, limit });
        // What was sent to a deleted endpoint stays in the list.
        if (endpoint !== undefined && list.length === 0 && !receivers().isKnown(endpoint)) throw noEndpoint(endpoint);
        return { body: { data: list.map(deliveryView) } };
      },
    ),
    route('POST /webhooks/deliveries/:id/replay', {}, async ({ id }) => {
      const replayed = await deliveries().replay(id);
      if (!replayed) throw unknown('delivery', id);
      return { body: deliveryView(replayed) };
    }),
    route('POST /webhooks/flush', {}, async () => {
      const left = await deliveries().flush();
      return { body: left === 0 ? { flushed: true } : { flushed: false, under_way: left } };
    }),
  ];

  /** Deliveries of one event, by its id, or of all events of a type. */
  function ofEvent(
    event: string | undefined,
    filter: { readonly endpoint?: string; readonly limit: number },
  ): readonly DeliveryReport[] {
    const list = deliveries().list({ ...filter, event });
    if (event === undefined || list.length > 0 || objectWith(engine, event)) return list;
    const known = allEventTypes(engine.pack);
    if (!known.includes(event)) throw unknown('event', event, engine.model.env.suggest(event, known));
    const all = deliveries().list({ ...filter, limit: Infinity });
    return all.filter(({ type }) => type === event).slice(0, filter.limit);
  }

  function receivers(): Endpoints {
    const { endpoints } = engine.runtime;
    if (!endpoints) throw new ControlRejection(404, 'no_deliveries', 'this pack delivers no events');
    return endpoints;
  }

  function deliveries(): Deliveries {
    if (!outbox) throw new ControlRejection(404, 'no_deliveries', 'this world delivers no events');
    return outbox;
  }

  function noEndpoint(id: string): ControlRejection {
    return unknownEntry(
      'endpoint',
      id,
      receivers()
        .own()
        .map((row) => row.id),
    );
  }

  /** The kind of events that an endpoint is registered for; null: ordinary ones. */
  function kindOf(events: readonly string[]): string | null {
    const kinds = new Set(events.flatMap((name) => kindsNamed(engine, name)));
    if (kinds.size > 1) {
      const named = [...kinds].map((kind) => kind ?? 'ordinary ones').join(', ');
      throw wrongValue('events', `must be of one kind, these are of several: ${named}`);
    }
    return [...kinds][0] ?? null;
  }

  /** Silent: an endpoint that a test registers is no event of the vendor's. */
  function create(endpoints: Endpoints, request: EndpointRequest, kind: string | null, why: JsonObject): Row {
    const { register, registerKinds } = endpoints.plan;
    const make = kind === null ? register : registerKinds.get(kind);
    if (make === undefined)
      throw wrongValue('events', `the pack registers no endpoint for events of the kind '${kind}'`);
    let row: Row | undefined;
    const write = (command: UnitOfWork): void => {
      command.silent = true;
      row = make(command, request);
    };
    engine.command('register endpoint', 'control', write, why);
    if (!row) throw new Error('the pack registers no endpoints');
    return row;
  }

  function endpointView(endpoints: Endpoints, row: Row): JsonObject {
    const status = member(row.value, endpoints.resourceOf(row)?.status ?? 'status');
    return {
      id: row.id,
      url: endpoints.urlOf(row),
      events: endpoints.eventsOf(row),
      status: status ?? (endpoints.isActive(row) ? 'active' : 'inactive'),
      secret: endpoints.secretOf(row),
    };
  }
}

/** A delivery as tests see it. */
function deliveryView({
  event,
  type,
  ...rest
}: DeliveryReport): Readonly<Record<string, unknown>> & { readonly event: Json } {
  return { ...rest, event: { id: event, type } };
}
