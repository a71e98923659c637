import type { Json, JsonObject } from '../values/index.js';
import type { Dated, Host } from '../expression/index.js';
import type { Model, RequestInfo } from '../model/index.js';
import type { LateMaker, ResourceProgram, VersionShape } from '../program/index.js';
import type { Collection, LateForm, Row } from '../world/index.js';

/**
 * Returns the snapshot of an object in an event: the object's response without the fields that events drop, with nulls as the
 * pack writes them.
 * @param shape of the event's version; null: the base version's
 */
export function snapshotOf(
  host: Host,
  model: Model,
  resource: ResourceProgram,
  row: Row,
  shape: VersionShape | null,
): JsonObject {
  const response =
    shape === null
      ? responseOf(host, resource, row)
      : atHome(host, resource, row, () => shape.plan(resource.index).value(host, row.value));
  return eventForm(model, resource, response);
}

/** Returns the response of an object; cached until the object changes if it depends only on the object. */
export function responseOf(host: Host, resource: ResourceProgram, row: Row): JsonObject {
  const plan = resource.response();
  if (!plan.pure) return atHome(host, resource, row, () => plan.value(host, row.value));
  return (row.shown.answer ??= plan.value(host, row.value));
}

/**
 * Runs a function with the tenant and simulated time of an object as the current ones, so that the object has the same response
 * in every call. A tenant is shown within itself, and a shared object without a tenant.
 */
export function atHome<T>(host: Host, { def }: ResourceProgram, object: Dated, show: () => T): T {
  const own = def.isTenant ? object.id : object.tenant;
  if (own === host.tenant) return host.inTimeOf(object, show);
  return host.within(own, () => host.inTimeOf(object, show));
}

/** Returns the response of an object's value, cached with the row whose current value it is. */
export function responseOfObject(
  host: Host,
  collection: Collection,
  resource: ResourceProgram,
  object: JsonObject,
  shape?: string,
): JsonObject {
  const { id } = object;
  const row = typeof id === 'string' ? collection.get(id) : undefined;
  if (shape !== undefined) return inShapeOf(host, resource, object, row?.value === object ? row : null, shape);
  return row?.value === object ? responseOf(host, resource, row) : resource.response().value(host, object);
}

/** Returns an object in a shape of its resource. @param row with this value; null: none @param plan of a version */
export function inShapeOf(
  host: Host,
  resource: ResourceProgram,
  object: JsonObject,
  row: Row | null,
  shape: string,
  plan = resource.response(),
): JsonObject {
  const show = (): JsonObject => plan.shaped?.(host, object, shape) ?? plan.value(host, object);
  return row === null ? show() : atHome(host, resource, row, show);
}

/** Converts a field's value in a response to its value in events. */
export function eventValue(model: Model, resource: ResourceProgram, name: string, value: Json | undefined): Json {
  const { drop, nullAs } = eventRules(model, resource);
  if (drop?.includes(name)) return null;
  return value ?? nullAs;
}

function eventRules(
  model: Model,
  resource: ResourceProgram,
): { readonly drop: readonly string[] | undefined; readonly nullAs: Json } {
  const rules = resource.def.file.snapshot;
  return {
    drop: rules?.drop,
    nullAs: rules?.null_as !== undefined ? rules.null_as : (model.settings.events?.nullAs ?? null),
  };
}

/** Converts an object's response to its form in events. */
export function eventForm(model: Model, resource: ResourceProgram, response: JsonObject): JsonObject {
  const { drop, nullAs } = eventRules(model, resource);
  if (drop === undefined && nullAs === null) return response;
  const made: Record<string, Json> = {};
  for (const [key, value] of Object.entries(response) as [string, Json | undefined][]) {
    if (value === undefined || drop?.includes(key)) continue;
    made[key] = value === null ? nullAs : value;
  }
  return made;
}

/** A host for responses that depend only on the object, and so read nothing. */
const NO_HOST = { baseUrl: '' } as Host;

/** The data shared by all events of one name that are written on first read. */
export class EventForm implements LateForm {
  constructor(
    private readonly model: Model,
    private readonly maker: LateMaker,
    private readonly type: string,
    readonly about: ResourceProgram,
    private readonly version: string | null,
    readonly own: JsonObject,
    /** Previous attributes in the newest event of the name. */
    public previous: JsonObject | null,
  ) {}

  write(facts: JsonObject, state: JsonObject, previous: JsonObject | null, id: string): JsonObject {
    const { model, maker, own, type, about, version } = this;
    const shown = eventForm(model, about, about.response().value(NO_HOST, state));
    return maker.write(maker.common(facts['now'], eventRequest(facts)), own, type, state, shown, previous, id, version);
  }
}

/** Reads the causing request's id and idempotency key from the shared facts of a late event. */
export function eventRequest({ id, key }: JsonObject): Pick<RequestInfo, 'id' | 'idempotency_key'> {
  return { id: id as string | null, idempotency_key: key as string | null };
}
