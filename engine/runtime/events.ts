import { equal, isObject, type Json, type JsonObject } from '../values/index.js';
import { glob } from '../model/index.js';
import type { DeliveryFault, Row } from '../world/index.js';
import { eventValue, snapshotOf } from './response.js';
import type { UnitOfWork } from './unit-of-work.js';
import {
  type EventMaker,
  type EventProgram,
  inShape,
  type ResourceProgram,
  type VersionShape,
} from '../program/index.js';

/** What the events of a command have shown of an object. */
export interface Emitted {
  /** The object as the newest of them showed it. */
  readonly value: JsonObject;
  /** That state as events freeze it. */
  readonly shown: JsonObject;
  /** The object before the change that they report; undefined when it was new. */
  readonly base: JsonObject | undefined;
  /** The events that showed it in this state. */
  readonly names: readonly string[];
}

/** An event for one endpoint alone; most are in no collection. */
export interface Addressed {
  readonly event: JsonObject;
  /** The event's object; null: it is in no collection. */
  readonly row: Row | null;
  readonly endpoint: Row;
}

/** What an event is about and shows. */
interface EventContent {
  readonly type: string;
  readonly about: Row;
  readonly snapshot: Json;
  readonly previous: Json;
}

/**
 * Emits an event about an object, in the tenant that the object belongs to.
 * @param given what it shows instead of what the event itself says, else the object
 */
export function emitEvent(command: UnitOfWork, event: EventProgram, row: Row, given?: Json): Row | null {
  const { runtime, tenant } = command;
  const { maker, shape, endpoints } = runtime;
  if (maker === null) return null;
  const { name } = event;
  const instead = given === undefined ? event.snapshot?.()(command, row, null) : given;
  if (event.kind !== null) {
    const shown = instead === undefined ? snapshotOf(command, runtime.resources[row.resource], row, shape) : instead;
    return report(command, event.kind, { type: name, about: row, snapshot: shown, previous: null }, null);
  }
  const last = command.emitted.get(row);
  const news = last?.value !== row.value;
  if (event.reportsPrevious && !news && last.names.includes(name)) return null;
  const { shown, snapshot, previous } = render(command, event, row, shape, instead);
  if (event.reportsPrevious && previous === null) return null;
  const base = news ? (last?.value ?? command.transaction.originals.get(row)?.value) : last.base;
  command.emitted.set(row, { value: row.value, shown, base, names: news ? [name] : [...last.names, name] });
  command.eventNames.push(name);
  const content = { type: name, about: row, snapshot, previous };
  const others = endpoints?.otherVersions(name, tenant) ?? [];
  const renderings = others.map((version) => {
    return { version, ...render(command, event, row, shapeOf(command, version), instead) };
  });
  const value = withRenderings(command, maker, content, makeEvent(command, maker, content), renderings);
  const made = add(command, maker, name, value, null);
  for (const { kind, as } of event.reported)
    if (endpoints?.isWanted(as, tenant, kind)) report(command, kind, { ...content, type: as }, made.value);
  return made;
}

/** Makes an event for one endpoint alone; unless it is `stored`, it is in no collection. */
export function addressEvent(
  command: UnitOfWork,
  event: EventProgram,
  row: Row,
  endpoint: Row,
  given: Json | undefined,
  stored: boolean,
): Row | null {
  const { runtime } = command;
  const maker = event.kind === null ? runtime.maker : runtime.pack.eventKinds.get(event.kind)?.maker;
  if (!maker) return null;
  const { shape } = runtime;
  const instead = given === undefined ? event.snapshot?.()(command, row, null) : given;
  const snapshot =
    instead === undefined
      ? snapshotOf(command, runtime.resources[row.resource], row, shape)
      : inShape(shape, command, instead);
  command.eventNames.push(event.name);
  const content = { type: event.name, about: row, snapshot, previous: null };
  const value =
    event.kind === null ? makeEvent(command, maker, content) : makeEventOfKind(command, maker, content, null);
  const made = stored ? command.create(maker.resource, value, true) : null;
  if (made !== null) command.events.push(made);
  command.addressed.push({ event: value, row: made, endpoint });
  return made;
}

/** Makes an event of another kind. @param event the ordinary event that it reports; null: none */
function report(command: UnitOfWork, kind: string, content: EventContent, event: JsonObject | null): Row | null {
  const maker = command.runtime.pack.eventKinds.get(kind)?.maker;
  if (maker === undefined) return null;
  command.eventNames.push(content.type);
  return add(command, maker, content.type, makeEventOfKind(command, maker, content, event), kind);
}

/** Makes an event an object of the world, which goes its way once the command is committed. */
function add(command: UnitOfWork, maker: EventMaker, name: string, value: JsonObject, kind: string | null): Row {
  const event = command.create(maker.resource, value, true);
  command.events.push(event);
  if (command.world.deliveryFaults.size > 0) meetFaults(command, name, event, kind);
  return event;
}

/** Lets a fault of deliveries concern an event that an endpoint receives: it is counted in this command, though sent after it. */
function meetFaults(command: UnitOfWork, name: string, event: Row, kind: string | null): void {
  const { world, runtime } = command;
  const receivers = runtime.endpoints?.receivers(name, event.tenant, kind).map(({ id }) => id) ?? [];
  const concerns = ({ event: pattern, endpoint }: DeliveryFault): boolean =>
    glob(pattern).test(name) && (endpoint === null ? receivers.length > 0 : receivers.includes(endpoint));
  const share = (text: string): number => world.stableShare(text);
  for (const [id, fault] of world.deliveryFaults.meet(event, concerns, share))
    command.transaction.write(world.deliveryFaults, id, fault);
}

/** An event in the shape of a version: its object, what it shows of it, and what the object was before. */
function render(
  command: UnitOfWork,
  { reportsPrevious }: EventProgram,
  row: Row,
  shape: VersionShape | null,
  given: Json | undefined,
): { readonly shown: JsonObject; readonly snapshot: Json; readonly previous: JsonObject | null } {
  const resource = command.runtime.resources[row.resource];
  const shown = snapshotOf(command, resource, row, shape);
  const previous = reportsPrevious ? previousAttributes(command, resource, row, shown, shape) : null;
  return { shown, previous, snapshot: given === undefined ? shown : inShape(shape, command, given) };
}

/** The shape of a version that an endpoint names; null: the base. */
function shapeOf({ runtime }: UnitOfWork, version: string): VersionShape | null {
  return runtime.pack.versions?.find(version, false)?.version.shape ?? null;
}

/**
 * What changed about an object since the events of an earlier state in this command (or since the command began): old values
 * of changed attributes, nested ones nested. Several events about one state report the same. Null when nothing changed. Only
 * fields that were touched, and those that show more than their own object, are compared.
 * @param shown the object as events freeze it now
 * @param shape of the version that the event is written in; null: the base
 */
function previousAttributes(
  command: UnitOfWork,
  resource: ResourceProgram,
  row: Row,
  shown: JsonObject,
  shape: VersionShape | null,
): JsonObject | null {
  const last = command.emitted.get(row);
  const original = command.transaction.originals.get(row);
  if (original === undefined) return null;
  const base = last?.value === row.value ? last.base : (last?.value ?? original.value);
  if (base === undefined || base === row.value) return null;
  const plan = shape?.plan(resource.index) ?? resource.response();
  const before = base === last?.value ? last.shown : null;
  const made: Record<string, Json> = {};
  let changed = false;
  for (const name of (shape?.fields(resource.index) ?? resource.def.schema.fields).keys()) {
    if (!plan.computed.has(name)) {
      if (!original.names.includes(name) || equal(base[name] ?? null, row.value[name] ?? null)) continue;
    }
    const old = before ? (before[name] ?? null) : eventValue(command, resource, name, plan.field(command, base, name));
    const now = shown[name] ?? null;
    if (equal(old, now)) continue;
    made[name] = isObject(old) && isObject(now) ? difference(old, now) : old;
    changed = true;
  }
  return changed ? made : null;
}

/** The value of an event. */
function makeEvent(command: UnitOfWork, maker: EventMaker, content: EventContent): JsonObject {
  const { type, about, snapshot, previous } = content;
  const version = accountVersion(command);
  return maker.make(command, type, about.value, snapshot, previous, command.newId(maker.resource.def), version);
}

/** The value of an event of another kind. @param event the ordinary event that it reports; null: none */
function makeEventOfKind(
  command: UnitOfWork,
  maker: EventMaker,
  { type, about, snapshot, previous }: EventContent,
  event: JsonObject | null,
): JsonObject {
  const version = accountVersion(command);
  const id = command.newId(maker.resource.def);
  const path = pathOf(command.runtime.resources[about.resource], about);
  return maker.make(command, type, about.value, snapshot, previous, id, version, path, event);
}

/** The version that events are written in, where endpoints have none of their own. */
function accountVersion(command: UnitOfWork): string | null {
  return command.runtime.model.settings.versions?.current ?? null;
}

/** Where an object is retrieved; null: nowhere. Other names of the route are fields of the object. */
function pathOf({ operations }: ResourceProgram, { id, value }: Row): string | null {
  const route = operations.get('retrieve')?.routes[0];
  if (route === undefined) return null;
  let path = route.path;
  for (const name of route.names) {
    const part = name === 'id' ? id : (value[name] ?? null);
    if (typeof part !== 'string') return null;
    path = path.replace(`{${name}}`, encodeURIComponent(part));
  }
  return path;
}

/** An event with what the endpoints get instead that have versions of their own. */
function withRenderings(
  command: UnitOfWork,
  maker: EventMaker,
  { type, about }: EventContent,
  made: JsonObject,
  others: readonly { readonly version: string; readonly snapshot: Json; readonly previous: Json }[],
): JsonObject {
  const field = command.runtime.model.settings.events?.renderings;
  if (others.length === 0 || field === undefined || field === null) return made;
  const renderings: Record<string, Json> = {};
  for (const { version, snapshot, previous } of others) {
    const other = maker.make(command, type, about.value, snapshot, previous, String(made['id']), version);
    const differs = Object.keys(other).filter((key) => !equal(other[key], made[key]));
    renderings[version] = Object.fromEntries(differs.map((key) => [key, other[key]]));
  }
  return { ...made, [field]: renderings };
}

function difference(before: JsonObject, after: JsonObject): JsonObject | null {
  const made: Record<string, Json> = {};
  let changed = false;
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key] ?? null, after[key] ?? null];
    if (equal(old, now)) continue;
    made[key] = isObject(old) && isObject(now) ? difference(old, now) : old;
    changed = true;
  }
  return changed ? made : null;
}
