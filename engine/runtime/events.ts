import { equal, isObject, type Json, type JsonObject } from '../values/index.js';
import type { Row } from '../world/index.js';
import { eventValue } from './response.js';
import type { UnitOfWork } from './unit-of-work.js';
import type { EventMaker, ResourceProgram, VersionShape } from '../program/index.js';

/** What the events of a command have told of an object. */
export interface Emitted {
  /** The object as the newest of them showed it. */
  readonly value: JsonObject;
  /** That state as events freeze it. */
  readonly shown: JsonObject;
  /** The object before the change that they tell of; undefined when it was new. */
  readonly base: JsonObject | undefined;
  /** The events that showed it in this state. */
  readonly names: readonly string[];
}

/**
 * What changed about an object since the events of an earlier state in this command (or since the command began): old values
 * of changed attributes, nested ones nested. Several events about one state tell the same. Null when nothing changed. Only
 * fields that were touched, and those that tell of more than their own object, are compared.
 * @param shown the object as events freeze it now
 * @param shape of the version that the event is written in; null: the base
 */
export function previousAttributes(
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

/** An event as it is written in a version that is not the account's. */
export interface Rendering {
  /** As an endpoint names it. */
  readonly version: string;
  readonly snapshot: Json;
  readonly previous: Json;
}

/**
 * Makes the event object; it is an ordinary object of the world.
 * @param others as it is written for endpoints that have versions of their own
 */
export function createEvent(
  command: UnitOfWork,
  maker: EventMaker,
  type: string,
  about: Row,
  snapshot: Json,
  previous: Json,
  others: readonly Rendering[] = [],
): Row {
  const made = makeEvent(command, maker, type, about, snapshot, previous);
  return command.create(
    maker.resource,
    others.length === 0 ? made : withRenderings(command, maker, type, about, made, others),
    true,
  );
}

/** The value of an event of another kind. @param event the ordinary event that it tells; null: none */
export function makeEventOfKind(
  command: UnitOfWork,
  maker: EventMaker,
  type: string,
  about: Row,
  snapshot: Json,
  previous: Json,
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

/** An event with what its endpoints get instead that have versions of their own. */
function withRenderings(
  command: UnitOfWork,
  maker: EventMaker,
  type: string,
  about: Row,
  made: JsonObject,
  others: readonly Rendering[],
): JsonObject {
  const field = command.runtime.model.settings.events?.renderings;
  if (field === undefined || field === null) return made;
  const renderings: Record<string, Json> = {};
  for (const { version, snapshot, previous } of others) {
    const other = maker.make(command, type, about.value, snapshot, previous, String(made['id']), version);
    const differs = Object.keys(other).filter((key) => !equal(other[key], made[key]));
    renderings[version] = Object.fromEntries(differs.map((key) => [key, other[key]]));
  }
  return { ...made, [field]: renderings };
}

/** The value of an event object, which is in no collection. */
export function makeEvent(
  command: UnitOfWork,
  maker: EventMaker,
  type: string,
  about: Row,
  snapshot: Json,
  previous: Json,
): JsonObject {
  const version = accountVersion(command);
  return maker.make(command, type, about.value, snapshot, previous, command.newId(maker.resource.def), version);
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
