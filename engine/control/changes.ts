import { equal, isObject, type Json, type JsonObject } from '../values/index.js';
import type { Provenance, StoredEntry } from '../world/index.js';

/** A state of an object, and the entry that made it. */
export interface ChangeStep {
  readonly entry: StoredEntry;
  /** Undefined: it is not there. */
  readonly value: JsonObject | undefined;
  /** Where its values from outside came from. */
  readonly sources: readonly Provenance[];
}

/** A value inside an object that two states tell differently. */
export interface ObjectDifference {
  readonly path: readonly string[];
  /** Undefined: nothing is there. */
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** Names an object among all, those of tenants included. */
export function keyOf(collection: string, id: string, tenant: string | null = null): string {
  return tenant === null ? `${collection} ${id}` : `${collection} ${id} ${tenant}`;
}

/** What entries made of some objects, in order. A reset takes every object away. */
export function historiesOf(entries: readonly StoredEntry[], keys: Iterable<string>): Map<string, ChangeStep[]> {
  const histories = new Map<string, ChangeStep[]>([...keys].map((key) => [key, []]));
  for (const entry of entries) {
    for (const change of entry.changes) {
      if (change.op === 'reset')
        for (const steps of histories.values()) note(steps, { entry, value: undefined, sources: [] });
      else if (change.op === 'put' || change.op === 'delete') {
        const steps = histories.get(keyOf(change.collection, change.id, change.tenant));
        if (!steps) continue;
        note(
          steps,
          change.op === 'put'
            ? { entry, value: change.value, sources: change.from ?? [] }
            : { entry, value: undefined, sources: [] },
        );
      }
    }
  }
  return histories;
}

/** Of an entry the last state counts. */
function note(steps: ChangeStep[], step: ChangeStep): void {
  if (steps.at(-1)?.entry === step.entry) steps.pop();
  steps.push(step);
}

/** What differs between two values, as deep as both are objects. */
export function differences(
  from: Json | undefined,
  to: Json | undefined,
  path: readonly string[] = [],
): ObjectDifference[] {
  if (isMap(from) && isMap(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...names].flatMap((name) => differences(memberOf(from, name), memberOf(to, name), [...path, name]));
  }
  if (from === to || (from !== undefined && to !== undefined && equal(from, to))) return [];
  return [{ path, from, to }];
}

/** The value at a path; undefined: nothing is there. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, name) => (isMap(at) ? memberOf(at, name) : undefined), value);
}

/** The steps that changed the value at a path. */
export function changesAt(
  before: JsonObject | undefined,
  steps: readonly ChangeStep[],
  path: readonly string[],
): (ChangeStep & ObjectDifference)[] {
  const changed: (ChangeStep & ObjectDifference)[] = [];
  let from = valueAt(before, path);
  for (const step of steps) {
    const to = valueAt(step.value, path);
    if (differences(from, to).length > 0) changed.push({ ...step, path, from, to });
    from = to;
  }
  return changed;
}

function isMap(value: Json | undefined): value is JsonObject {
  return value !== undefined && isObject(value);
}

function memberOf(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
