import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Sandbox } from '../../../engine/index.js';
import type { Operation } from '../../../engine/program/index.js';

/** A world, or what a tenant of it has, as laws and actions see it: objects as they are stored, hidden fields included. */
export class ObservedWorld {
  readonly #kept = new Map<string, readonly JsonObject[]>();

  /** @param tenant whose objects it shows; null: those of no tenant */
  constructor(
    private readonly sandbox: Pick<Sandbox, 'engine'>,
    readonly tenant: string | null = null,
  ) {}

  /** The same world as a tenant sees it. */
  of(tenant: string | null): ObservedWorld {
    return new ObservedWorld(this.sandbox, tenant);
  }

  /** Tenants that have anything, those that are gone included. */
  get tenants(): readonly string[] {
    return this.sandbox.engine.world.tenants.ids;
  }

  /** Tenants that are there. In one that is gone nothing happens any more: time passes it by. */
  get living(): readonly string[] {
    const { world, runtime } = this.sandbox.engine;
    return this.tenants.filter((id) => world.collections[runtime.tenantResource].get(id) !== undefined);
  }

  /** What the pack's API can be asked for. */
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

  /** Objects of a resource, oldest first. */
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

  /** Objects of a resource by a field that is a text. */
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

/** A text of an object; empty when it is none. */
export function textField(object: JsonObject | undefined, field: string): string {
  const value = object?.[field];
  return typeof value === 'string' ? value : '';
}

/** A number of an object; 0 when it is none. */
export function num(object: JsonObject | undefined, field: string): number {
  const value = object?.[field];
  return typeof value === 'number' ? value : 0;
}

/** An object inside another; undefined when there is none. */
export function part(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return isObject(value) ? value : undefined;
}

/** The objects of a list inside an object. */
export function items(object: JsonObject | undefined, field: string): readonly JsonObject[] {
  const value = object?.[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
