import type { Request } from 'express';
import type { Operation, TenantPlan } from '../program/index.js';
import type { Engine } from '../runtime/index.js';

/** The tenant that a call is about. */
export interface ChosenTenant {
  /** Null: none. */
  readonly tenant: string | null;
  /** What a header named; null: none did. */
  readonly named: string | null;
}

/** What a call says of the tenant that it is about. */
interface TenantHints {
  readonly headers: Request['headers'];
  readonly operation: Operation | null;
  /** Values of the names in the route. */
  readonly path: Readonly<Record<string, string>>;
  /** The tenant whose key came with it; null: that of none. */
  readonly owner: string | null;
}

export const NO_TENANT: ChosenTenant = { tenant: null, named: null };

/**
 * Finds the tenant that a call is about: the owner of its key, else the one that a header or its path names.
 * @returns what it names in vain, when that is not there, not admitted, or not whose key it is
 */
export function chooseTenant(
  engine: Engine,
  plan: TenantPlan,
  call: TenantHints,
): ChosenTenant | { readonly unknown: string } {
  const { owner } = call;
  const named = inHeaders(plan, call);
  const inRoute = inPath(plan, call);
  if (named === null && owner === null && inRoute.length === 0) return NO_TENANT;
  const found = named === null ? inRoute : [named, ...inRoute];
  for (const id of found) if (id !== (owner ?? found[0]) || !isThere(engine, plan, id)) return { unknown: id };
  const [first = owner] = found;
  if (owner !== null && !isThere(engine, plan, owner)) return { unknown: owner };
  const tenant = first === plan.home ? null : first;
  return tenant === null && named === null ? NO_TENANT : { tenant, named };
}

function inHeaders({ headers: names }: TenantPlan, { headers }: TenantHints): string | null {
  for (const name of names) {
    const given = headers[name];
    if (typeof given === 'string' && given !== '') return given;
  }
  return null;
}

function inPath({ resource, pathNames }: TenantPlan, { operation, path }: TenantHints): string[] {
  if (pathNames.size === 0) return [];
  const isOwn = operation?.resource.index === resource && pathNames.has('id');
  const found = isOwn && path['id'] !== undefined ? [path['id']] : [];
  for (const name of Object.keys(path)) if (name !== 'id' && pathNames.has(name)) found.push(path[name]);
  return found;
}

function isThere({ world, runtime }: Engine, { resource, home, admits }: TenantPlan, id: string): boolean {
  if (id === home) return true;
  const row = world.row(resource, id);
  return row !== undefined && (admits === null || admits(runtime.reader, row) === true);
}
