import { equal, isObject, type Json, type JsonObject } from '../expression/index.js';
import type { Row } from '../world/index.js';
import { snapshotOf } from './answer.js';
import type { Command } from './command.js';
import type { EventMaker, ResourceProgram } from './program.js';

/**
 * What changed about an object since its last event in this command (or since the command began): old values of changed
 * attributes, nested ones nested. Null when nothing changed.
 */
export function previousAttributes(command: Command, resource: ResourceProgram, row: Row): JsonObject | null {
  const base = command.told.get(row) ?? command.transaction.originals.get(row);
  if (base === undefined || base === row.value) return null;
  return difference(snapshotOf(command, resource, base), snapshotOf(command, resource, row.value));
}

/** Makes the event object; it is an ordinary object of the world. */
export function createEvent(command: Command, maker: EventMaker, type: string, about: Row, snapshot: Json, previous: Json): Row {
  const id = command.newId(maker.resource.def);
  return command.create(maker.resource, maker.make(command, type, about.value, snapshot, previous, id), true);
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
