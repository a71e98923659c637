import { equal, isObject, type Json, type JsonObject } from '../values/index.js';
import { unlessSame } from '../expression/index.js';
import { glob } from '../model/index.js';
import { type DeliveryFault, LateRow, type Row } from '../world/index.js';
import { EventForm, eventForm, eventValue, eventRequest, snapshotOf } from './response.js';
import type { Command } from './command.js';
import {
  type EventMaker,
  type EventProgram,
  inShape,
  type LateMaker,
  type ResourceProgram,
  type VersionShape,
} from '../program/index.js';

/** The content of an event: its name, its object, the snapshot, and the previous attributes. */
interface EventContent {
  readonly type: string;
  readonly about: Row;
  readonly snapshot: Json;
  readonly previous: Json;
}

/**
 * Emits an event about an object, in the object's tenant.
 * @param given replaces the event's own snapshot, which is the object by default
 */
export function emitEvent(command: Command, event: EventProgram, row: Row, given?: Json): Row | null {
  const { runtime, tenant } = command;
  const { maker, shape, endpoints } = runtime;
  if (maker === null) return null;
  const { name } = event;
  const instead = given === undefined ? event.snapshot?.()(command, row, null) : given;
  if (event.kind !== null) {
    const shown =
      instead === undefined ? snapshotOf(command, runtime.model, runtime.resources[row.resource], row, shape) : instead;
    return report(command, event.kind, { type: name, about: row, snapshot: shown, previous: null }, null);
  }
  const last = command.emitted.get(row);
  const news = last?.value !== row.value;
  if (event.reportsPrevious && !news && last.names.includes(name)) return null;
  const others = endpoints?.otherVersions(name, tenant) ?? [];
  const reported = event.reported.filter(({ kind, as }) => endpoints?.isWanted(as, tenant, kind));
  const isLate = instead === undefined && others.length + reported.length === 0 && canBeLate(command, maker, row);
  const { shown, snapshot, previous } =
    isLate && !event.reportsPrevious
      ? { shown: null, snapshot: null, previous: null }
      : render(command, event, row, shape, instead);
  if (event.reportsPrevious && previous === null) return null;
  const base = news ? (last?.value ?? command.transaction.originals.get(row)?.value) : last.base;
  command.emitted.set(row, { value: row.value, shown, base, names: news ? [name] : [...last.names, name] });
  command.eventNames.push(name);
  if (isLate) return addLate(command, maker, event, row, previous);
  const content = { type: name, about: row, snapshot, previous };
  const renderings = others.map((version) => {
    return { version, ...render(command, event, row, shapeOf(command, version), instead) };
  });
  const value = withRenderings(command, maker, content, makeEvent(command, maker, content), renderings);
  const made = add(command, maker, name, value, null);
  for (const { kind, as } of reported) report(command, kind, { ...content, type: as }, made.value);
  return made;
}

/** Makes an event for a single endpoint. @param stored whether the event becomes an object in its collection */
export function addressEvent(
  command: Command,
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
      ? snapshotOf(command, runtime.model, runtime.resources[row.resource], row, shape)
      : inShape(shape, command, instead);
  command.eventNames.push(event.name);
  const content = { type: event.name, about: row, snapshot, previous: null };
  const value =
    event.kind === null ? makeEvent(command, maker, content) : makeEventOfKind(command, maker, content, null);
  const made = stored ? command.create(maker.resource.def, value, true) : null;
  if (made !== null) command.events.push(made);
  command.addressed.push({ event: value, row: made, endpoint });
  return made;
}

/** Whether an event can be written on first read: nothing that it or its snapshot depends on changes until then. */
function canBeLate({ runtime, world }: Command, maker: EventMaker, about: Row): boolean {
  if (runtime.shape !== null || !runtime.resources[about.resource].response().pure) return false;
  const { def, pinsAt, waitsOnCreated } = maker.resource;
  const isPlain = def.status === null && def.sequences.length === 0 && !def.isTenant;
  if (!isPlain || world.config.collections[def.index].indexes.length > 0) return false;
  return pinsAt.size === 0 && waitsOnCreated.length === 0 && maker.late() !== null;
}

/** Adds an event to the world whose value is written on first read. */
function addLate(
  command: Command,
  { resource: { index }, late }: EventMaker,
  event: EventProgram,
  about: Row,
  previous: JsonObject | null,
): Row {
  const { runtime } = command;
  const maker = late() as LateMaker;
  const resource = runtime.resources[about.resource];
  const version = accountVersion(command);
  const events = runtime.resources[index];
  const id = command.newId(events.def);
  const own = maker.own(command, event.name, about.value, version);
  let form = runtime.eventForms.get(event);
  if (form?.about !== resource || unlessSame(form.own, own) !== form.own)
    runtime.eventForms.set(
      event,
      (form = new EventForm(runtime.model, maker, event.name, resource, version, own, null)),
    );
  if (previous !== null) form.previous = previous = equal(form.previous, previous) ? form.previous : previous;
  const facts = command.factsOfEvents;
  const collection = command.collection(index);
  const common = maker.common(facts.now, eventRequest(facts));
  const { order: field } = events.def.file;
  const isIn = (part: JsonObject): boolean => field === undefined || Object.hasOwn(part, field);
  const order = collection.orderOf(
    isIn(common) ? common : isIn(own) ? own : form.write(facts, about.value, previous, id),
  );
  const place = { seq: command.world.nextSeq(), order };
  const made = new LateRow(collection, id, place, form, facts, about.value, previous);
  command.transaction.createLate(collection, made, about, command.world.collectionOf(about));
  command.events.push(made);
  if (command.world.deliveryFaults.size > 0) applyDeliveryFaults(command, event.name, made, null);
  return made;
}

/** Emits an event of a kind besides ordinary ones. @param event the ordinary event that it reports; null: none */
function report(command: Command, kind: string, content: EventContent, event: JsonObject | null): Row | null {
  const maker = command.runtime.pack.eventKinds.get(kind)?.maker;
  if (maker === undefined) return null;
  command.eventNames.push(content.type);
  return add(command, maker, content.type, makeEventOfKind(command, maker, content, event), kind);
}

/** Adds an event to the world. Its deliveries are sent once the command is committed. */
function add(command: Command, maker: EventMaker, name: string, value: JsonObject, kind: string | null): Row {
  const event = command.create(maker.resource.def, value, true);
  command.events.push(event);
  if (command.world.deliveryFaults.size > 0) applyDeliveryFaults(command, name, event, kind);
  return event;
}

/** Applies delivery faults to an event. The faults count the event in this command, although deliveries are sent later. */
function applyDeliveryFaults(command: Command, name: string, event: Row, kind: string | null): void {
  const { world, runtime } = command;
  const receivers = runtime.endpoints?.receivers(name, event.tenant, kind).map(({ id }) => id) ?? [];
  const concerns = ({ event: pattern, endpoint }: DeliveryFault): boolean =>
    glob(pattern).test(name) && (endpoint === null ? receivers.length > 0 : receivers.includes(endpoint));
  const share = (text: string): number => world.stableShare(text);
  for (const [id, fault] of world.deliveryFaults.apply(event, concerns, share))
    command.transaction.write(world.deliveryFaults, id, fault);
}

/** Computes the content of an event in a version's shape: the snapshot and the previous attributes. */
function render(
  command: Command,
  { reportsPrevious }: EventProgram,
  row: Row,
  shape: VersionShape | null,
  given: Json | undefined,
): { readonly shown: JsonObject; readonly snapshot: Json; readonly previous: JsonObject | null } {
  const resource = command.runtime.resources[row.resource];
  const shown = snapshotOf(command, command.runtime.model, resource, row, shape);
  const previous = reportsPrevious ? previousAttributes(command, resource, row, shown, shape) : null;
  return { shown, previous, snapshot: given === undefined ? shown : inShape(shape, command, given) };
}

/** Returns the shape of objects in the version of an endpoint; null: the base version's. */
function shapeOf({ runtime }: Command, version: string): VersionShape | null {
  return runtime.pack.versions?.find(version, false)?.version.shape ?? null;
}

/**
 * Returns the earlier values of attributes that changed since this command's last event about the object, or since the command
 * began; nested attributes are nested. Null if nothing changed. Several events about the same state have the same previous
 * attributes. Compares only fields that were set, and fields that depend on other objects.
 * @param shown the current snapshot of the object
 * @param shape of the event's version; null: the base version's
 */
function previousAttributes(
  command: Command,
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
  const before =
    base === last?.value ? (last.shown ?? eventForm(command.runtime.model, resource, plan.value(command, base))) : null;
  const made: Record<string, Json> = {};
  let changed = false;
  for (const name of (shape?.fields(resource.index) ?? resource.def.schema.fields).keys()) {
    if (!plan.computed.has(name)) {
      if (!original.names.includes(name) || equal(base[name] ?? null, row.value[name] ?? null)) continue;
    }
    const old = before
      ? (before[name] ?? null)
      : eventValue(command.runtime.model, resource, name, plan.field(command, base, name));
    const now = shown[name] ?? null;
    if (equal(old, now)) continue;
    made[name] = isObject(old) && isObject(now) ? difference(old, now) : old;
    changed = true;
  }
  return changed ? made : null;
}

/** Builds the value of an ordinary event. */
function makeEvent(command: Command, maker: EventMaker, content: EventContent): JsonObject {
  const { type, about, snapshot, previous } = content;
  const version = accountVersion(command);
  return maker.make(command, type, about.value, snapshot, previous, command.newId(maker.resource.def), version);
}

/** Builds an event of a kind besides ordinary ones. @param event the ordinary event that it reports; null: none */
function makeEventOfKind(
  command: Command,
  maker: EventMaker,
  { type, about, snapshot, previous }: EventContent,
  event: JsonObject | null,
): JsonObject {
  const version = accountVersion(command);
  const id = command.newId(maker.resource.def);
  const path = pathOf(command.runtime.resources[about.resource], about);
  return maker.make(command, type, about.value, snapshot, previous, id, version, path, event);
}

/** Returns the account's API version, in which events for endpoints without a version are written. */
function accountVersion(command: Command): string | null {
  return command.runtime.model.settings.versions?.current ?? null;
}

/** Builds the path that retrieves an object; names other than `id` are its fields. Null if no path does. */
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

/** Adds the event's forms in other versions, which endpoints need, to its hidden field. */
function withRenderings(
  command: Command,
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
