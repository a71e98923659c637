import { isDeepStrictEqual } from 'node:util';
import type { Sandbox } from '../../../engine/index.js';
import { isList, type Json, type JsonObject } from '../../../engine/values/index.js';
import { timersOf, visitSchema } from '../../../engine/model/index.js';
import type { Kit } from './kit.js';
import type { Receivers } from './receivers.js';
import { num, part, textField, type ObservedWorld } from './view.js';

/** Maximum number of checked deliveries; no story causes as many. */
const MOST = 100_000;

/** Yields violations: each timer must belong to an existing object whose state uses it, and must not be overdue. */
export function* timersBroken({ engine }: Pick<Sandbox, 'engine'>): Iterable<string> {
  const { world, model } = engine;
  let own = 0;
  for (const { row, trigger, due } of world.timers.list()) {
    const def = model.resources[row.resource];
    const what = `timer '${trigger}' of ${def.name} ${row.id}`;
    if (!row.alive || world.tenants.known(row.tenant, row.resource)?.get(row.id) !== row)
      yield `${what}: the object is gone`;
    else if (!timersOf(def, row.value).some((timer) => timer.trigger === trigger))
      yield `${what}: nothing waits for it in ${def.status === null ? 'it' : textField(row.value, def.status)}`;
    if (due < world.nowMs) yield `${what}: it was due before now`;
    if (!row.timers.some((timer) => timer.trigger === trigger && timer.due === due))
      yield `${what}: the object does not know it`;
  }
  for (const collection of [...world.collections, ...world.tenants.collections()])
    for (const row of collection.ordered().all()) own += row.timers.length;
  if (own !== world.timers.size) yield `${own} timers of objects, ${world.timers.size} in the queue`;
}

/** Yields violations: new events must contain a status that matches their type, and previous values only of fields that have changed. */
export function* eventsBroken(kit: Kit, events: readonly JsonObject[]): Iterable<string> {
  for (const event of events) {
    const type = textField(event, 'type');
    const data = part(event, 'data');
    const object = part(data, 'object') ?? data;
    const id = textField(object, 'id');
    const status = textField(object, 'status');
    const statuses = kit.statusesOf(type);
    if (statuses && status !== '' && !statuses.includes(status)) yield `${type} of ${id} tells the status ${status}`;
    for (const [field, before] of Object.entries(part(data, 'previous_attributes') ?? {}))
      if (object && isDeepStrictEqual(object[field] ?? null, before))
        yield `${type} of ${id} tells that ${field} changed from what it is`;
  }
}

/** Yields violations: the newest event of an object must contain its current status. @param events of objects that the view contains */
export function* newsBroken(
  { engine }: Pick<Sandbox, 'engine'>,
  kit: Kit,
  view: ObservedWorld,
  events: readonly JsonObject[],
): Iterable<string> {
  const newest = new Map<string, JsonObject>();
  for (const event of events) {
    const data = part(event, 'data');
    const object = part(data, 'object') ?? data;
    if (object) newest.set(textField(object, 'id'), object);
  }
  for (const { name, status } of engine.model.resources) {
    if (status === null || kit.silent.includes(name)) continue;
    for (const value of view.all(name)) {
      const id = textField(value, 'id');
      const newestStatus = textField(newest.get(id), status);
      const is = textField(value, status);
      if (newestStatus !== '' && newestStatus !== is && !kit.silent.includes(`${name}.${is}`))
        yield `${name} ${id} is ${is}, its newest event tells ${newestStatus}`;
    }
  }
}

/** Yields violations: an object may only refer to objects of its own tenant, to shared ones, or in some fields to another tenant's. */
export function* leaksBroken({ engine }: Pick<Sandbox, 'engine'>, { tenants: kit }: Kit): Iterable<string> {
  const { world, model } = engine;
  for (const { name, index, schema } of model.resources) {
    const fields = [...schema.fields].map(([field, each]) => {
      const to: number[] = [];
      visitSchema(each, (inner) => {
        if (inner.kind === 'ref') for (const other of inner.refs) to.push(model.byName.get(other)?.index ?? -1);
      });
      return { field, to };
    });
    const naming = fields.filter(
      ({ field, to }) => to.length > 0 && kit?.crossing.includes(`${name}.${field}`) !== true,
    );
    for (const { id, tenant, value } of world.tenants.rows(index))
      for (const { field, to } of naming)
        for (const named of idsIn(value[field] ?? null)) {
          const isOwn = to.some((other) => world.tenants.known(tenant, other)?.placeOf(named) !== undefined);
          if (!isOwn && to.some((other) => world.tenants.find(other, named) !== undefined))
            yield `${name} ${id} of ${tenant ?? 'none'} names ${named} of another in ${field}`;
        }
  }
}

/** Yields all texts in a value, which may be ids. */
function* idsIn(value: Json): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (isList(value)) for (const each of value) yield* idsIn(each);
}

/** Yields violations: events must be stored in the order of their times. */
export function* orderBroken(events: readonly JsonObject[], read: (event: JsonObject) => number): Iterable<string> {
  for (let i = 1; i < events.length; i++)
    if (read(events[i - 1]) > read(events[i]))
      yield `event ${textField(events[i], 'id')} is older than the one before it`;
}

/** Yields violations: after all due attempts, deliveries must match the events. */
export function* deliveriesBroken(
  sandbox: Sandbox,
  receivers: Receivers,
  events: readonly JsonObject[],
  /** Endpoints by id: the receiver's path, and the index of the first event that the endpoint receives. */
  endpoints: ReadonlyMap<string, { readonly path: string; readonly from: number }>,
): Iterable<string> {
  const deliveries = sandbox.outbox.list({ limit: MOST }).reverse();
  // Paths of receivers that several endpoints share: the endpoint of an event is then unknown.
  const shared = new Set<string>();
  const owners = new Map<string, string>();
  for (const { endpoint, url } of deliveries) {
    if (url === null || !URL.canParse(url)) continue;
    const { pathname } = new URL(url);
    if ((owners.get(pathname) ?? endpoint) !== endpoint) shared.add(pathname);
    owners.set(pathname, endpoint);
  }
  const accepted = new Set<string>();
  const firsts = new Map<string, Set<string>>();
  for (const { path, event, accepted: isAccepted } of receivers.arrivals) {
    const key = `${path} ${event}`;
    if (accepted.has(key) && !shared.has(path)) yield `${event} came to ${path} again after it was accepted`;
    if (isAccepted) accepted.add(key);
    const order = firsts.get(path) ?? new Set();
    firsts.set(path, order.add(event));
  }
  for (const [id, { path, from }] of endpoints) {
    if (shared.has(path)) continue;
    const own = deliveries.filter(({ endpoint }) => endpoint === id);
    const made = new Set(own.map(({ event }) => event));
    for (const event of events.slice(from))
      if (!made.has(textField(event, 'id')))
        yield `${textField(event, 'type')} ${textField(event, 'id')} does not go to ${path}`;
    if (made.size !== own.length) yield `an event goes to ${path} twice`;
    for (const { event, status, attempts } of own) {
      const has = accepted.has(`${path} ${event}`);
      if ((status === 'delivered') !== has)
        yield `${event} is ${status} for ${path}, which ${has ? 'has' : 'lacks'} it`;
      if (attempts.length === 0 && status === 'pending') yield `${event} was never sent to ${path}`;
    }
    const reached = new Set(own.filter(({ attempts }) => attempts.at(0)?.status != null).map(({ event }) => event));
    const seen = [...(firsts.get(path) ?? [])].filter((event) => reached.has(event));
    if (!isDeepStrictEqual(seen, [...reached])) yield `first attempts came to ${path} in another order than the events`;
  }
}

/** Converts the time of an event, in seconds or ISO 8601, to milliseconds. */
export function eventInstantMs(event: JsonObject): number {
  return num(event, 'created') * 1000 || Date.parse(textField(event, 'created_at'));
}
