import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Sandbox } from '../../../engine/index.js';
import type { Operation } from '../../../engine/program/index.js';

/** The stored objects of a world or one of its tenants, including hidden fields, for invariants and actions. */
export class ObservedWorld {
  readonly #kept = new Map<string, readonly JsonObject[]>();

  /** Creates a view of a world. @param tenant whose objects are included; null: objects without a tenant */
  constructor(
    private readonly sandbox: Pick<Sandbox, 'engine'>,
    readonly tenant: string | null = null,
  ) {}

  /** Returns the view of a tenant. */
  of(tenant: string | null): ObservedWorld {
    return new ObservedWorld(this.sandbox, tenant);
  }

  /** Ids of tenants with any objects, including deleted tenants. */
  get tenants(): readonly string[] {
    return this.sandbox.engine.world.tenants.ids;
  }

  /** Ids of existing tenants. Objects of a deleted tenant never change. */
  get living(): readonly string[] {
    const { world, runtime } = this.sandbox.engine;
    return this.tenants.filter((id) => world.collections[runtime.tenantResource].get(id) !== undefined);
  }

  get engine(): Sandbox['engine'] {
    return this.sandbox.engine;
  }

  /** Runs a function in which expressions read the objects of this tenant. */
  within<T>(run: () => T): T {
    return this.engine.runtime.reader.within(this.tenant, run);
  }

  /** The operations of the pack. */
  get operations(): readonly Operation[] {
    return this.sandbox.engine.pack.operations;
  }

  /** Simulated time in milliseconds. */
  get nowMs(): number {
    return this.sandbox.engine.world.nowMs;
  }

  /** Simulated time in whole seconds. */
  get now(): number {
    return Math.floor(this.nowMs / 1000);
  }

  /** Returns the objects of a resource, oldest first. */
  all(resource: string): readonly JsonObject[] {
    const known = this.#kept.get(resource);
    if (known) return known;
    const { engine } = this.sandbox;
    const def = engine.model.byName.get(resource);
    if (!def) throw new Error(`the pack has no ${resource}`);
    const rows = engine.world.tenants.known(this.tenant, def.index)?.ordered().all() ?? [];
    const objects = rows.map(({ value }) => value);
    this.#kept.set(resource, objects);
    return objects;
  }

  where(resource: string, field: string, value: Json): readonly JsonObject[] {
    return this.all(resource).filter((each) => each[field] === value);
  }

  /** Groups the objects of a resource by a text field. */
  by(resource: string, field: string): ReadonlyMap<string, readonly JsonObject[]> {
    const found = new Map<string, JsonObject[]>();
    for (const each of this.all(resource)) {
      const known = found.get(textField(each, field));
      if (known) known.push(each);
      else found.set(textField(each, field), [each]);
    }
    return found;
  }

  get(resource: string, id: Json | undefined): JsonObject | undefined {
    const { engine } = this.sandbox;
    const def = engine.model.byName.get(resource);
    if (typeof id !== 'string' || !def) return undefined;
    return engine.world.tenants.known(this.tenant, def.index)?.get(id)?.value;
  }
}

/** Returns a text field of an object; empty if the value isn't a text. */
export function textField(object: JsonObject | undefined, field: string): string {
  const value = object?.[field];
  return typeof value === 'string' ? value : '';
}

/** Returns a number field of an object; 0 if the value isn't a number. */
export function num(object: JsonObject | undefined, field: string): number {
  const value = object?.[field];
  return typeof value === 'number' ? value : 0;
}

/** Returns a nested object; undefined if there is none. */
export function part(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return isObject(value) ? value : undefined;
}

/** Returns the objects in a list field. */
export function items(object: JsonObject | undefined, field: string): readonly JsonObject[] {
  const value = object?.[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}
