import type { Request } from 'express';
import type { JsonObject } from '../../values/index.js';
import { ANONYMOUS_KEY, type Settings, TOKEN_KEY } from '../../model/index.js';
import type { Operation, TenantPlan } from '../../program/index.js';
import { type OperationResponse, type Engine, scopesOf } from '../../runtime/index.js';
import { isFromElsewhere } from '../cookies.js';
import { KeylessCalls } from '../keyless-calls.js';
import { signatureProblem } from '../signatures.js';
import { type ChosenTenant, NO_TENANT, type OperationVisit, type Stage, type Visit, type FoundKey } from '../visit.js';
import type { KeyCheck, Guard } from '../../http/index.js';
import type { Row } from '../../world/index.js';
import type { Input } from '../input.js';

/** Resolves the key of each request, from all places that the pack declares. */
export class Keys {
  /** Parameters that may contain a key. */
  readonly #parameters: Settings['auth']['keyPlaces'];

  constructor(
    private readonly engine: Engine,
    private readonly guard: Guard,
  ) {
    this.#parameters = engine.model.settings.auth.keyPlaces;
  }

  /** Resolves the key in the headers. */
  ofHeaders(headers: Request['headers']): FoundKey {
    return this.#withTokens(this.guard.find(headers));
  }

  /** Whether the query or body may contain the key, since the headers have none. @param key what the headers contain */
  mayBeCarried(operation: Operation, { ok, given }: FoundKey): boolean {
    if (ok || given !== null) return false;
    return (
      this.#parameters.length > 0 || (this.engine.model.settings.auth.keyParameters.size > 0 && operation.keys.size > 0)
    );
  }

  /** Resolves the key in the parameters, and removes it from them; null: no parameter contains a key. */
  ofParameters(input: Input): { readonly found: FoundKey; readonly rest: Input } | null {
    if (!input.ok) return null;
    for (const { name, beside, keyIn } of this.#parameters) {
      const text = input.given[name];
      if (typeof text !== 'string' || text === '') continue;
      const value = keyIn === null ? text : keyIn(text);
      if (value === undefined) continue;
      const given = Object.fromEntries(
        Object.entries(input.given).filter(([each]) => each !== name && !beside.includes(each)),
      );
      return { found: this.#withTokens(this.guard.look(value)), rest: { ...input, given } };
    }
    for (const [parameter, name] of this.engine.model.settings.auth.keyParameters) {
      const { [parameter]: value, ...given } = input.given;
      if (typeof value !== 'string' || value === '') continue;
      const found = this.guard.look(value);
      const isIt = found.ok && found.key === name;
      return {
        found: isIt ? withoutToken(found) : { ok: false, given: value, token: null, tenant: null },
        rest: { ...input, given },
      };
    }
    return null;
  }

  /** Returns the required scopes that a token lacks; all of the alternative ones if it has none of them. */
  lacking({ scopes, anyScope }: Operation, token: Row): readonly string[] {
    const plan = this.engine.pack.tokens;
    if (scopes.length + anyScope.length === 0 || plan === null) return [];
    const has = scopesOf(plan, this.engine.runtime.reader, token);
    if (has === null) return [];
    const lacks = scopes.filter((each) => !has.has(each));
    return lacks.length > 0 || anyScope.length === 0 || anyScope.some((each) => has.has(each)) ? lacks : anyScope;
  }

  #withTokens(found: KeyCheck): FoundKey {
    const { tokens: plan, tenants } = this.engine.pack;
    if (found.ok || found.given === null) return withoutToken(found);
    const { given } = found;
    if (tenants !== null && tenants.keyField !== null) {
      const tenant = this.#holder(tenants.resource, tenants.keyField, given);
      if (tenant !== undefined) return { ok: true, key: null, given, token: null, tenant: tenant.id };
    }
    if (plan === null) return withoutToken(found);
    const { reader } = this.engine.runtime;
    const token = this.#holder(plan.resource, plan.field, given);
    if (token === undefined) return withoutToken(found);
    if (plan.when !== null && reader.within(token.tenant, () => plan.when?.(reader, token)) !== true)
      return { ok: false, given, token: null, expired: true, tenant: null };
    return { ok: true, key: TOKEN_KEY, given, token, tenant: token.tenant ?? this.#tenantIn(token) };
  }

  /** Finds the object of a resource whose field equals the key, in any tenant. */
  #holder(resource: number, field: string, given: string): Row | undefined {
    const { runtime, world } = this.engine;
    for (const collection of world.tenants.everywhere(resource)) {
      const id = runtime.reader.findIn(collection, [[field, given]], 1).at(0)?.['id'];
      if (typeof id === 'string') return collection.get(id);
    }
    return undefined;
  }

  /** The tenant that a token names. */
  #tenantIn({ value }: Row): string | null {
    const field = this.engine.pack.tenants?.tokenField ?? null;
    const named = field === null ? null : value[field];
    return typeof named === 'string' && named !== this.engine.pack.tenants?.home ? named : null;
  }
}

/** The result for a key that isn't a token. Lists the members, since V8 spreads objects of several layouts slowly. */
function withoutToken(found: KeyCheck): FoundKey {
  if (!found.ok) return { ok: false, given: found.given, token: null, tenant: null };
  const { key, as, given } = found;
  return as === undefined
    ? { ok: true, key, given, token: null, tenant: null }
    : { ok: true, key, as, given, token: null, tenant: null };
}

/** Rejects calls without a valid key, and finds the tenant. */
export function authenticate(engine: Engine, keys: Keys): Stage {
  const keyless = new KeylessCalls();
  return (visit, next) => admit(engine, keys, visit) ?? admitKeyless(engine, keyless, visit) ?? next(visit);
}

/** Returns the error for a call without a key that may change the world, if another site embeds it or there are too many. */
function admitKeyless(engine: Engine, keyless: KeylessCalls, visit: OperationVisit): OperationResponse | null {
  const { request, operation, req } = visit;
  if (request.key !== ANONYMOUS_KEY || operation.changesNothing()) return null;
  // The pack's own pages submit this form; other sites mustn't submit it in the name of the signed-in person.
  if (operation.ofPages && isFromElsewhere(req)) return engine.error('call_embedded', {}, request);
  if (!operation.unguarded) return null;
  const problem = keyless.problemOf(req.socket.remoteAddress ?? '', req.headers);
  if (problem === null) return null;
  if (problem.kind === 'embedded') return engine.error('call_embedded', {}, request);
  const { retryAfterSeconds } = problem;
  const message = `Too many calls without a key: try again in ${retryAfterSeconds} seconds.`;
  visit.headers.push('Retry-After', String(retryAfterSeconds));
  return engine.error('fault', { status: 429, message }, request);
}

/** Checks the key of a call; returns the response if it is rejected. */
export function admit(engine: Engine, keys: Keys, visit: Visit): OperationResponse | null {
  const rejection = rejectionOf(engine, keys, visit);
  const { tenant } = visit.chosen;
  const echo = engine.pack.tenants?.echo ?? null;
  if (echo !== null && tenant !== null) visit.headers.push(echo, tenant);
  // No page may read a response to the world's own key, which must not be in a browser.
  if (visit.req.headers.origin !== undefined && !visit.secret && isForBrowsers(engine, visit.operation))
    visit.headers.push(...FOR_BROWSERS);
  return rejection;
}

/** Whether pages of other origins may call an operation. */
export function isForBrowsers(engine: Engine, operation: Operation | null): boolean {
  const { browserKeys } = engine.model.settings.auth;
  return operation !== null && [...operation.keys].some((name) => browserKeys.has(name));
}

/** Response headers that let pages of other origins read the response. */
export const FOR_BROWSERS = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', '*'] as const;

function rejectionOf(engine: Engine, keys: Keys, visit: Visit): OperationResponse | null {
  const reject = (error: string, args: JsonObject): OperationResponse => engine.error(error, args, visit.request);
  const { operation, input, key } = visit;
  const { headers } = visit.req;
  const carried = key.ok || key.given !== null ? null : keys.ofParameters(input);
  const found = carried?.found ?? key;
  if (!found.ok && operation?.open !== true) {
    const { given } = found;
    if (given === null) return reject('api_key_missing', {});
    return reject(found.expired === true ? 'token_expired' : 'api_key_invalid', { key: given });
  }
  const name = found.ok ? found.key : ANONYMOUS_KEY;
  visit.secret = name === null;
  if (name !== null) visit.request = { ...visit.request, key: name, token: found.token?.id ?? null };
  else if (found.ok && 'as' in found && found.as !== undefined) visit.request = { ...visit.request, key: found.as };
  if (found.ok && found.token !== null && operation !== null) {
    const scopes = keys.lacking(operation, found.token);
    if (scopes.length > 0) return reject('scope_missing', { scopes, key: found.given });
  } else if (found.ok && name !== null && operation?.open === false && !operation.keys.has(name))
    return reject('key_not_allowed', { key: found.given });
  const { tenants } = engine.pack;
  if (tenants !== null) {
    const chosen = chooseTenant(engine, tenants, { headers, operation, path: visit.path, owner: found.tenant });
    if ('unknown' in chosen) return reject('tenant_unknown', { tenant: chosen.unknown, key: found.given });
    visit.chosen = chosen;
  }
  if (carried !== null) visit.input = carried.rest;
  return engine.pack.signatures.length > 0 ? signatureProblem(engine, visit, found.ok ? found.given : null) : null;
}

/** The parts of a call that may name its tenant. */
interface TenantHints {
  readonly headers: Request['headers'];
  readonly operation: Operation | null;
  /** Values of path parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  /** The tenant to which the key belongs; null: none. */
  readonly owner: string | null;
}

/**
 * Selects the tenant of a call: the owner of its key, else the one in a header or the path.
 * @returns `unknown` with the id of a named tenant that doesn't exist, isn't admitted, or isn't the owner of the key
 */
function chooseTenant(
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
