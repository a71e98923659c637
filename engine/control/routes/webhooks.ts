import { isList, type JsonObject, member } from '../../values/index.js';
import { LIMITS } from '../../limits.js';
import type { EndpointRequest } from '../../program/index.js';
import type { Endpoints, Engine, CommandExecution } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';
import type { ControlContext } from '../context.js';
import type { Deliveries, DeliveryReport } from '../deliveries.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import {
  allEventTypes,
  checkEventPattern,
  DeletedSchema,
  EventNameSchema,
  kindsNamed,
  objectWith,
  textOrNull,
  unknownEntry,
} from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { count, InstantSchema, listOf, optional, reader, required, text, wrongValue } from '../shape.js';

const MOST = LIMITS.controlList.value;

const webUrl = reader(s.string.with({ format: 'uri' }), (value, path) => {
  const url = text(value, path);
  if (!/^https?:\/\/[^\s/]/i.test(url) || !URL.canParse(url))
    throw wrongValue(path, 'must be an absolute http or https URL');
  return url;
});

const ENDPOINT = {
  url: required(webUrl),
  events: optional(
    reader(s.list(s.string).with({ minItems: 1 }), listOf(text)),
    'names or patterns of the events to send (default: all)',
    {
      default: ['*'],
    },
  ),
  description: optional(text, 'description of the endpoint, for people'),
};

const EndpointSchema = s.named(
  'Endpoint',
  s.object({
    id: s.string,
    url: s.string.orNull(),
    events: s.list(s.string),
    status: s.string,
    secret: s.string.orNull().about('secret with which deliveries are signed; the same after a restart'),
  }),
);

const DeliverySchema = s.named(
  'Delivery',
  s.object({
    id: s.string,
    event: EventNameSchema,
    endpoint: s.string,
    transport: s.string.optional(),
    url: s.string.orNull().optional(),
    status: s.oneOf('pending', 'delivered', 'failed', 'recorded'),
    attempts: s.list(s.map),
    next_attempt_at: InstantSchema.orNull().optional(),
    message: s.any.optional(),
    fault: s.string.about('id of the delivery fault that affected it; absent if none did').optional(),
  }),
);

/** Routes of endpoints that receive events, and of the deliveries to them. */
export const WEBHOOK_ROUTES: readonly ControlRoute[] = [
  route(
    'POST /webhooks/endpoints',
    {
      id: 'registerEndpoint',
      tag: 'webhooks',
      about: 'Register a webhook endpoint',
      body: ENDPOINT,
      status: 201,
      response: EndpointSchema,
      errors: [404],
    },
    ({ engine }, { body, why }) => {
      const { url, events = ['*'], description = null } = body;
      if (events.length === 0) throw wrongValue('events', 'must name at least one event, or *');
      events.forEach((name, index) => checkEventPattern(engine, name, `events[${index}]`));
      const endpoints = receivers(engine);
      const row = create(engine, { url, events, description }, kindOf(engine, events), why);
      return { body: endpointView(endpoints, row) };
    },
  ),
  route(
    'GET /webhooks/endpoints',
    {
      id: 'endpoints',
      tag: 'webhooks',
      about: 'Webhook endpoints',
      response: s.object({ data: s.list(EndpointSchema) }),
      errors: [404],
    },
    ({ engine }) => {
      const endpoints = receivers(engine);
      return { body: { data: endpoints.all().map((row) => endpointView(endpoints, row)) } };
    },
  ),
  route(
    'DELETE /webhooks/endpoints/:id',
    {
      id: 'removeEndpoint',
      tag: 'webhooks',
      about: 'Remove a webhook endpoint',
      names: 'id of the endpoint',
      response: DeletedSchema,
      errors: [404],
    },
    ({ engine }, { id, why }) => {
      const row = receivers(engine)
        .own()
        .find((each) => each.id === id);
      if (!row) throw noEndpoint(engine, id);
      engine.command('remove endpoint', 'control', (command) => command.remove(row), why);
      return { body: { id, deleted: true } };
    },
  ),
  route(
    'GET /webhooks/deliveries',
    {
      id: 'deliveries',
      tag: 'webhooks',
      about: 'Deliveries, newest first',
      query: {
        endpoint: optional(text, 'return only deliveries to the endpoint with this id'),
        event: optional(text, 'return only deliveries of the event with this id, or of events of this type'),
        limit: optional(count(1, MOST), 'maximum number of deliveries (default: 100)'),
      },
      response: s.object({ data: s.list(DeliverySchema) }),
      errors: [404],
    },
    (context, { query: { endpoint, event, limit = 100 } }) => {
      const { engine } = context;
      const list = ofEvent(context, event, { endpoint, limit });
      // An unknown endpoint with deliveries was deleted; its deliveries are still listed.
      if (endpoint !== undefined && list.length === 0 && !receivers(engine).isKnown(endpoint))
        throw noEndpoint(engine, endpoint);
      return { body: { data: list.map(deliveryView) } };
    },
  ),
  route(
    'POST /webhooks/deliveries/:id/replay',
    {
      id: 'replay',
      tag: 'webhooks',
      about: 'Send a delivery again',
      names: 'id of the delivery',
      response: DeliverySchema,
      errors: [404],
    },
    async (context, { id }) => {
      const replayed = await deliveries(context).replay(id);
      if (!replayed) throw unknown('delivery', id);
      return { body: deliveryView(replayed) };
    },
  ),
  route(
    'POST /webhooks/flush',
    {
      id: 'flush',
      tag: 'webhooks',
      about: 'Wait until every due delivery has been attempted',
      response: s.object({
        flushed: s.boolean.about('false if attempts are still in flight after 30 seconds'),
        under_way: s.integer.about('number of attempts in flight; absent if there are none').optional(),
      }),
      errors: [404],
    },
    async (context) => {
      const left = await deliveries(context).flush();
      return { body: left === 0 ? { flushed: true } : { flushed: false, under_way: left } };
    },
  ),
];

/** Deliveries of one event, by its id, or of all events of a type. */
function ofEvent(
  context: ControlContext,
  event: string | undefined,
  filter: { readonly endpoint?: string; readonly limit: number },
): readonly DeliveryReport[] {
  const { engine } = context;
  const list = deliveries(context).list({ ...filter, event });
  if (event === undefined || list.length > 0 || objectWith(engine, event)) return list;
  const known = allEventTypes(engine.pack);
  if (!known.includes(event)) throw unknown('event', event, engine.model.env.suggest(event, known));
  const all = deliveries(context).list({ ...filter, limit: Infinity });
  return all.filter(({ type }) => type === event).slice(0, filter.limit);
}

function receivers({ runtime: { endpoints } }: Engine): Endpoints {
  if (!endpoints) throw new ControlRejection(404, 'no_deliveries', 'this pack delivers no events');
  return endpoints;
}

function deliveries({ outbox }: ControlContext): Deliveries {
  if (!outbox) throw new ControlRejection(404, 'no_deliveries', 'this world delivers no events');
  return outbox;
}

function noEndpoint(engine: Engine, id: string): ControlRejection {
  return unknownEntry(
    'endpoint',
    id,
    receivers(engine)
      .own()
      .map((row) => row.id),
  );
}

/** The kind of events that an endpoint subscribes to; null: ordinary ones. */
function kindOf(engine: Engine, events: readonly string[]): string | null {
  const kinds = new Set(events.flatMap((name) => kindsNamed(engine, name)));
  if (kinds.size > 1) {
    const named = [...kinds].map((kind) => kind ?? 'ordinary ones').join(', ');
    throw wrongValue('events', `must be of one kind, these are of several: ${named}`);
  }
  return [...kinds][0] ?? null;
}

/** Creates an endpoint without emitting events, since a vendor has no event for what a test registers. */
function create(engine: Engine, request: EndpointRequest, kind: string | null, why: JsonObject): Row {
  const { register, registerKinds } = receivers(engine).plan;
  const make = kind === null ? register : registerKinds.get(kind);
  if (make === undefined) throw wrongValue('events', `the pack registers no endpoint for events of the kind '${kind}'`);
  let row: Row | undefined;
  const write = (command: CommandExecution): void => {
    command.silent = true;
    row = make(command, request);
  };
  engine.command('register endpoint', 'control', write, why);
  if (!row) throw new Error('the pack registers no endpoints');
  return row;
}

function endpointView(endpoints: Endpoints, row: Row): s.Shown<typeof EndpointSchema> {
  const events = endpoints.eventsOf(row);
  const status = member(row.value, endpoints.resourceOf(row)?.status ?? 'status');
  return {
    id: row.id,
    url: textOrNull(endpoints.urlOf(row)),
    events: isList(events) ? events.map(String) : [],
    status: textOrNull(status) ?? (endpoints.isActive(row) ? 'active' : 'inactive'),
    secret: textOrNull(endpoints.secretOf(row)),
  };
}

/** A delivery as responses show it. */
function deliveryView({ event, type, ...rest }: DeliveryReport): s.Shown<typeof DeliverySchema> {
  return { ...rest, event: { id: event, type } };
}
