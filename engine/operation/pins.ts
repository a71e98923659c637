import { asList, copyOf, type Host, isObject, type Json, type JsonObject, member, toText } from '../expression/index.js';
import type { Provenance, Row, TraceSubject } from '../world/index.js';
import type { Command } from './command.js';
import { frameOf, type PinPath, type ResourceProgram } from './program.js';
import type { Runtime } from './runtime.js';

/** Lets armed pins overwrite the fields that bind at this moment, and remembers where outside values came from. */
export function bindPins(command: Command, resource: ResourceProgram, row: Row, moment: string): void {
  for (const pin of resource.pinsAt.get(moment) ?? []) {
    if (!pin.isField) continue;
    for (const path of pin.members ? memberPaths(command, resource, row, pin) : [pin.path]) bindPin(command, resource, row, path);
  }
}

/** What the pack has against pinning a value at a path of an object: `{param, message}` each. */
export function pinProblems(host: Host, pin: PinPath, row: Row, path: string, value: Json): JsonObject[] {
  if (pin.problems === null) return [];
  const expression = pin.problems();
  const frame = frameOf(host, expression.size);
  frame[expression.self] = row;
  frame[expression.value] = value;
  frame[expression.path] = path;
  return asList(expression.run(frame), 'problems').map((each) => (isObject(each) ? each : { param: path, message: toText(each) }));
}

/** The exogenous values that the objects of a trace tell, with where each came from. */
export function exogenousOf(runtime: Runtime, subjects: readonly TraceSubject[], decided: readonly Provenance[]): JsonObject[] {
  const main = subjects[0]?.resource;
  const found: JsonObject[] = decided.map(({ path, source, value }) => ({ field_path: path, source, value }));
  for (const { resource: index, value, provenance } of subjects) {
    const resource = runtime.resources[index];
    const name = (path: string) => (index === main ? path : `${resource.def.name}.${path}`);
    const explained = new Set<string>();
    for (const each of provenance ?? []) {
      explained.add(each.path);
      found.push({ field_path: name(each.path), source: each.source, value: each.value });
    }
    for (const pin of resource.pins) {
      if (!pin.isField) continue;
      for (const path of pin.members ? Object.keys(asMap(read(value, pin.keys))).map((key) => `${pin.path.slice(0, -2)}.${key}`) : [pin.path]) {
        const current = read(value, path.split('.'));
        if (current !== null && !explained.has(path)) found.push({ field_path: name(path), source: 'default', value: current });
      }
    }
  }
  return found;
}

/** A value with another one at a path inside. Null where the path leads through null. */
export function write(value: Json, keys: readonly string[], to: Json): Json {
  if (keys.length === 0) return to;
  if (!isObject(value)) return value;
  const [key, ...rest] = keys;
  const made = copyOf(value);
  made[key] = write(value[key] ?? null, rest, to);
  return made;
}

/** The value at a path; null where there is none. */
export function read(value: Json, keys: readonly string[]): Json {
  return keys.reduce<Json>(member, value);
}

/** Lets the pin that is armed for a path overwrite the field now. */
export function bindPin(command: Command, resource: ResourceProgram, row: Row, path: string): void {
  const keys = path.split('.');
  if (keys.length > 1 && !isObject(read(row.value, keys.slice(0, -1)))) return;
  const pinned = command.pinFor(resource.index, row.id, path);
  if (pinned !== undefined) {
    command.replace(row, write(row.value, keys, pinned.value) as JsonObject);
    return;
  }
  if (command.origin === 'call' && command.magicValues.length === 0) return;
  const value = read(row.value, keys);
  if (value === null || command.origin === 'seed' || command.origin === 'clock') return;
  command.decided(row, resource.index, { path, source: command.magicValues.length > 0 ? 'magic_value' : command.origin, value });
}

/** Paths of members: those the object has and those that pins would add. */
function memberPaths(command: Command, resource: ResourceProgram, row: Row, pin: PinPath): string[] {
  const field = pin.path.slice(0, -2);
  const names = new Set(Object.keys(asMap(read(row.value, pin.keys))));
  for (const each of [...command.world.pins.of(resource.index), ...(command.options.pins ?? [])]) {
    if (each.path.startsWith(`${field}.`)) names.add(each.path.slice(field.length + 1));
  }
  return [...names].map((name) => `${field}.${name}`);
}

/** The paths of pins that are a path itself or lie below it, outer ones first. */
export function pathsWithin(pins: readonly { readonly path: string }[], path: string): string[] {
  const paths = new Set(pins.map((pin) => pin.path).filter((each) => each === path || each.startsWith(`${path}.`)));
  return [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** The keys that lead from a path to one below it. */
export function keysBelow(path: string, below: string): string[] {
  return below === path ? [] : below.slice(path.length + 1).split('.');
}

function asMap(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
