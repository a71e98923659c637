import { equal, isObject, type Json, type JsonObject } from '../values/index.js';
import type { ResourceDef } from '../model/index.js';
import { eachWhileMemoryLasts, type Engine } from '../runtime/index.js';
import {
  type HeldValue,
  type Provenance,
  type StoredChange,
  type StoredEntry,
  type World,
  writtenOf,
} from '../world/index.js';

/** A state of an object, and the entry that made it. */
export interface ChangeStep {
  readonly entry: StoredEntry;
  /** The object's state after the entry, decoded when read: large states exceed the heap. Undefined: no object. */
  readonly value: JsonObject | undefined;
  /** The origins of the object's external values that the entry recorded. */
  readonly sources: readonly Provenance[];
}

/** A value inside an object that differs between two states. */
export interface ObjectDifference {
  readonly path: readonly string[];
  /** The value before the change; undefined: there is none. */
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** Unique key of an object, including its tenant. */
export function objectKey(collection: string, id: string, tenant: string | null = null): string {
  return tenant === null ? `${collection} ${id}` : `${collection} ${id} ${tenant}`;
}

/** The states that ledger entries gave each of the named objects, oldest first. A reset removes every object. */
export function historiesOf(entries: readonly StoredEntry[], keys: Iterable<string>): Map<string, ChangeStep[]> {
  const histories = new Map<string, ChangeStep[]>([...keys].map((key) => [key, []]));
  for (const entry of entries) {
    for (const change of entry.changes) {
      if (change.op === 'reset')
        for (const steps of histories.values()) note(steps, { entry, value: undefined, sources: [] });
      else if (change.op === 'put' || change.op === 'delete') {
        const steps = histories.get(objectKey(change.collection, change.id, change.tenant));
        if (!steps) continue;
        note(steps, stepOf(entry, change));
      }
    }
  }
  return histories;
}

function stepOf(entry: StoredEntry, change: Extract<StoredChange, { op: 'put' | 'delete' }>): ChangeStep {
  if (change.op === 'delete') return { entry, value: undefined, sources: [] };
  return {
    entry,
    get value() {
      return change.value;
    },
    sources: change.from ?? [],
  };
}

/** Adds a state to an object's steps; of several within one entry only the last counts. */
function note(steps: ChangeStep[], step: ChangeStep): void {
  if (steps.at(-1)?.entry === step.entry) steps.pop();
  steps.push(step);
}

/** The differences between two values, compared as deep as both are objects. */
export function valueDifferences(
  from: Json | undefined,
  to: Json | undefined,
  path: readonly string[] = [],
): ObjectDifference[] {
  if (isObject(from) && isObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...names].flatMap((name) => valueDifferences(memberOf(from, name), memberOf(to, name), [...path, name]));
  }
  if (from === to || (from !== undefined && to !== undefined && equal(from, to))) return [];
  return [{ path, from, to }];
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, name) => (isObject(at) ? memberOf(at, name) : undefined), value);
}

/** Returns the steps that changed the value at a path. */
export function changesAt(
  before: JsonObject | undefined,
  steps: readonly ChangeStep[],
  path: readonly string[],
): (ChangeStep & ObjectDifference)[] {
  const changed: (ChangeStep & ObjectDifference)[] = [];
  let from = valueAt(before, path);
  for (const step of steps) {
    const to = valueAt(step.value, path);
    if (valueDifferences(from, to).length > 0) changed.push({ ...step, path, from, to });
    from = to;
  }
  return changed;
}

function memberOf(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An object with its tenant; null: it has none. */
export interface NamedObject {
  readonly def: ResourceDef;
  readonly id: string;
  readonly tenant: string | null;
}

/** Unique key of an object in histories. */
export function nameOf({ def, id, tenant }: NamedObject): string {
  return objectKey(def.collection, id, tenant);
}

/** An object that differs between two moments. Its values are decoded when read. */
export class Changed implements NamedObject {
  constructor(
    readonly def: ResourceDef,
    readonly id: string,
    readonly tenant: string | null,
    private readonly from: HeldValue | undefined,
    private readonly to: HeldValue | undefined,
  ) {}

  /** The object's value at the first moment; undefined: it didn't exist. */
  get before(): JsonObject | undefined {
    return this.from && writtenOf(this.from);
  }

  /** The object's value at the second moment; undefined: it no longer exists. */
  get after(): JsonObject | undefined {
    return this.to && writtenOf(this.to);
  }
}

/** The objects that differ between two moments of worlds of one pack. @throws MemoryShort */
export function changedBetween(engine: Engine, a: World, b: World): Iterable<Changed> {
  return eachWhileMemoryLasts(differing(engine, a, b));
}

function* differing({ model }: Engine, a: World, b: World): Generator<Changed> {
  const tenants = [null, ...new Set([...a.tenants.ids, ...b.tenants.ids])];
  for (const tenant of tenants) {
    for (const def of model.resources) {
      if (tenant !== null && def.shared) continue;
      // Compares the stored values: building a row for each object would take longer than everything else.
      const [from, to] = [a, b].map((each) => each.tenants.known(tenant, def.index)?.standing());
      const [fromCount, toCount] = [from?.count ?? 0, to?.count ?? 0];
      const changed = (id: string, before: HeldValue, after: HeldValue | undefined): readonly Changed[] =>
        after === before || (after !== undefined && equal(writtenOf(before), writtenOf(after)))
          ? []
          : [new Changed(def, id, tenant, before, after)];
      // Compares position by position first, since most objects have the same position in both states.
      let at = 0;
      for (; from && to && at < fromCount && at < toCount && from.row(at).id === to.row(at).id; at++)
        yield* changed(from.row(at).id, from.held(at), to.held(at));
      const others = new Map<string, HeldValue>();
      for (let other = at; to && other < toCount; other++) others.set(to.row(other).id, to.held(other));
      for (; from && at < fromCount; at++) {
        const { id } = from.row(at);
        yield* changed(id, from.held(at), others.get(id));
        others.delete(id);
      }
      for (const [id, held] of others) yield new Changed(def, id, tenant, undefined, held);
    }
  }
}
