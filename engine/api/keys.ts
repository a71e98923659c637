import type { Request } from 'express';
import type { KeyCheck, Guard } from '../http/index.js';
import { type Settings, TOKEN_KEY } from '../model/index.js';
import type { Operation } from '../program/index.js';
import { type Engine, scopesOf } from '../runtime/index.js';
import type { Row } from '../world/index.js';
import type { Input } from './input.js';

/** The key of a call: the world's own, one that the world issued (`token`), or an invalid or missing one. */
export type FoundKey =
  | (KeyCheck & { readonly token: null; readonly expired?: false; readonly tenant: string | null })
  | {
      readonly ok: true;
      readonly key: typeof TOKEN_KEY;
      readonly given: string;
      readonly token: Row;
      /** The tenant to which the key belongs; null: none. */
      readonly tenant: string | null;
    }
  | { readonly ok: false; readonly given: string; readonly token: null; readonly expired: true; readonly tenant: null };

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
