import { asList, equal, isObject, type Json, type JsonObject, member, putAt, toText } from '../values/index.js';
import { type Host } from '../expression/index.js';
import type { Pin, Provenance, Row, IneffectivePin, TraceSubject } from '../world/index.js';
import type { Command } from './command.js';
import { type PinPath, type ResourceProgram } from '../program/index.js';
import type { Runtime } from './runtime.js';

/** Applies pins to the values that are decided from outside at a moment (creation, state), and records origins. */
export function bindPins(command: Command, resource: ResourceProgram, row: Row, moment: string): void {
  const pins = resource.pinsAt.get(moment);
  if (pins === undefined) return;
  const { pins: armed } = command.world;
  const mayBeArmed = armed.size > 0 && armed.of(resource.index).length > 0;
  if (!mayBeArmed && command.options.pins === undefined) {
    explain(command, resource, row, pins);
    return;
  }
  for (const pin of pins) {
    if (!pin.isField) continue;
    for (const path of pin.members ? memberPaths(command, resource, row, pin) : [pin.path])
      bindPin(command, resource, row, path, pin.bySteps);
  }
}

/** Records the origins of values from outside that are decided at a moment, unless the call itself sent them. */
function explain(command: Command, resource: ResourceProgram, row: Row, pins: readonly PinPath[]): void {
  const source = sourceOf(command);
  if (source === null) return;
  for (const pin of pins) {
    const value = pin.isField ? read(row.value, pin.keys) : null;
    if (value !== null) command.decided(row, resource.index, { path: pin.path, source, value });
  }
}

/** Returns the origin of values that no pin overrides, from the kind of command; null: none is recorded. */
function sourceOf(command: Command): string | null {
  if (command.magicValues.length > 0) return 'magic_value';
  if (command.origin === 'rule') return 'cause';
  return command.origin === 'cause' || command.origin === 'control' ? command.origin : null;
}

/**
 * Lists the pins of given objects, and of objects in events, that had no effect since the call used a test value: branches that
 * no step read, and values that the object doesn't have in its state.
 */
export function ineffectivePins(command: Command, rows: readonly Row[]): IneffectivePin[] {
  const { pins } = command.world;
  if (command.magicValues.length === 0 || pins.size === 0) return [];
  return [...new Set([...rows, ...command.emitted.keys()])].flatMap((row) =>
    pins
      .for(row)
      .filter((pin) => isWithoutEffect(command, row, pin))
      .map(({ id, collection, path, value }) => ({ pin: id, resource: collection, id: row.id, path, value })),
  );
}

function isWithoutEffect(command: Command, row: Row, pin: Pin): boolean {
  const used = command.exogenous.some(
    ({ resource, value }) => resource === row.resource && value.path === pin.path && value.source === 'pin',
  );
  if (used) return false;
  const resource = command.runtime.resources[row.resource];
  const target = resource.pins.find(({ path }) => path === pin.path);
  if (target === undefined || !target.isField) return pin.path === 'branch';
  const status = resource.def.status === null ? null : row.value[resource.def.status];
  return typeof status === 'string' && target.moments.has(status) && !equal(read(row.value, target.keys), pin.value);
}

/** Returns the problems that the pack reports for pinning a value at a path of an object: `{param, message}` each. */
export function pinProblems(host: Host, pin: PinPath, row: Row, path: string, value: Json): JsonObject[] {
  if (pin.problems === null) return [];
  const problems = pin.problems();
  return asList(problems(host, row, value, path), 'problems').map((each) =>
    isObject(each) ? each : { param: path, message: toText(each) },
  );
}

/** A value that in reality is decided outside of the vendor, with the origin of its emulated value. */
export interface ExogenousValue {
  readonly field_path: string;
  readonly source: string;
  readonly value: Json;
}

/** Lists the values from outside in a trace's objects, each with its origin. */
export function exogenousOf(
  runtime: Runtime,
  subjects: readonly TraceSubject[],
  decided: readonly Provenance[],
): ExogenousValue[] {
  const main = subjects[0]?.resource;
  const found: ExogenousValue[] = decided.map(({ path, source, value }) => ({ field_path: path, source, value }));
  for (const { resource: index, value, provenance } of subjects) {
    const resource = runtime.resources[index];
    const name = (path: string) => (index === main ? path : `${resource.def.name}.${path}`);
    const explained = new Set<string>();
    for (const each of provenance ?? []) {
      for (const [path, pinned] of each.path.endsWith('.*') ? members(each) : [[each.path, each.value] as const]) {
        if (explained.has(path) || isGone(resource, value, path, pinned)) continue;
        explained.add(path);
        found.push({ field_path: name(path), source: each.source, value: pinned });
      }
    }
    for (const pin of resource.pins) {
      if (!pin.isField) continue;
      for (const path of pin.members
        ? Object.keys(asMap(read(value, pin.keys))).map((key) => `${pin.path.slice(0, -2)}.${key}`)
        : [pin.path]) {
        const current = read(value, path.split('.'));
        if (current !== null && !explained.has(path))
          found.push({ field_path: name(path), source: 'default', value: current });
      }
    }
  }
  return found;
}

/** Whether the field of a recorded value was emptied since. */
function isGone({ def }: ResourceProgram, value: JsonObject, path: string, pinned: Json): boolean {
  const [field] = path.split(/[.[]/);
  return pinned !== null && def.schema.fields.has(field) && member(value, field) === null;
}

/** Lists the paths and values of members that the recorded origin of `field.*` covers. */
function members({ path, value }: Provenance): [string, Json][] {
  return Object.entries(asMap(value)).flatMap(([key, each]) =>
    each === null ? [] : [[`${path.slice(0, -1)}${key}`, each]],
  );
}

/** Returns the value at a path; null if there is none. */
export function read(value: Json, keys: readonly string[]): Json {
  let found = value;
  for (const key of keys) found = member(found, key);
  return found;
}

/** Sets a field to its active pin, or records the value's origin. @param bySteps the pack's steps have set the field */
export function bindPin(command: Command, resource: ResourceProgram, row: Row, path: string, bySteps = false): void {
  const keys = path.split('.');
  if (keys.length > 1 && !isObject(read(row.value, keys.slice(0, -1)))) return;
  if (bySteps && command.exogenous.some((each) => each.row === row && each.value.path === path)) return;
  const pinned = bySteps ? undefined : command.pinFor(resource.index, row.id, path);
  if (pinned !== undefined) {
    command.replace(row, putAt(row.value, keys, pinned.value) as JsonObject);
    return;
  }
  const source = sourceOf(command);
  const value = source === null ? null : read(row.value, keys);
  if (source !== null && value !== null) command.decided(row, resource.index, { path, source, value });
}

/** Lists the paths of a map's members: those of the object, and those that pins would add. */
function memberPaths(command: Command, resource: ResourceProgram, row: Row, pin: PinPath): string[] {
  const field = pin.path.slice(0, -2);
  const names = new Set(Object.keys(asMap(read(row.value, pin.keys))));
  for (const each of [...command.world.pins.of(resource.index), ...(command.options.pins ?? [])]) {
    if (each.path.startsWith(`${field}.`)) names.add(each.path.slice(field.length + 1));
  }
  return [...names].map((name) => `${field}.${name}`);
}

function asMap(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
