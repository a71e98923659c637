import type { Dated } from '../expression/index.js';
import type { Json, JsonObject } from '../values/index.js';
import type { TimePlan } from '../program/index.js';
import { lineName, type World } from '../world/index.js';

/** Maximum number of references from an object to its time owner. */
const FARTHEST = 5;

/** Finds the time owners of objects: objects with clocks of their own. Costs nothing if no object has its own clock. */
export class TimeOwners {
  constructor(
    private readonly plan: TimePlan | null,
    private readonly world: World,
  ) {}

  /** Returns the name of a time owner's clock. @param tenant of the object that contains the id */
  nameOf(id: string, tenant: string | null): string {
    return lineName(this.plan?.shared === true ? null : tenant, id);
  }

  /** Returns the name of the clock that an object uses; null: the world's clock. */
  of({ resource, id, tenant, value }: Dated, depth = 0): string | null {
    const { plan, world } = this;
    if (plan === null || world.clocks.size === 0 || depth > FARTHEST) return null;
    if (resource !== plan.resource) return this.in(value, tenant, depth).next().value ?? null;
    const line = this.nameOf(id, tenant);
    return world.clocks.get(line) === undefined ? null : line;
  }

  /** Yields the names of clocks of the time owners to which fields of an object, or parameters of a call, refer. */
  *in(value: JsonObject, tenant: string | null, depth = 0): Generator<string, undefined> {
    if (this.plan === null || this.world.clocks.size === 0) return;
    for (const { field, resource } of this.plan.through) {
      const id: Json | undefined = value[field];
      const found = typeof id === 'string' ? this.world.tenants.collection(tenant, resource).get(id) : undefined;
      const line = found === undefined ? null : this.of(found, depth + 1);
      if (line !== null) yield line;
    }
  }

  /**
   * Selects the clock for a call: that of the object in its route, else that of the first parameter that leads to an object
   * with a clock.
   * @param onMixed called with the name of the pack's error if parameters lead to different clocks
   */
  ofCall(
    self: Dated | null,
    params: JsonObject,
    tenant: string | null,
    onMixed: (error: string) => never,
  ): string | null {
    if (this.plan === null || this.world.clocks.size === 0) return null;
    const own = self && this.of(self);
    const lines = new Set([...(own === null ? [] : [own]), ...this.in(params, tenant)]);
    if (lines.size > 1 && this.plan.mixed !== null) onMixed(this.plan.mixed);
    const [first = null] = lines;
    return first;
  }

  /** Returns the current time on a clock, in milliseconds; for an owner without a clock, that of the world's clock. */
  msOf(line: string | null): number {
    return (line === null ? undefined : this.world.clocks.get(line)) ?? this.world.nowMs;
  }
}
