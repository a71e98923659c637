import { type Json } from '../values/index.js';
import { type Host } from '../expression/index.js';
import { ANONYMOUS_KEY, inside, keyIn, type PackFile, TOKEN_KEY } from '../model/index.js';
import type { ActorPlan, TokenPlan } from '../program/index.js';
import type { Row } from '../world/index.js';
import { type Compiler, functionScope, liveParameter } from './context.js';

/** Compiles `auth.tokens` of pack.yaml; null if no operation issues keys. */
export function compileTokens({ model, diagnostics, env }: Compiler): TokenPlan | null {
  for (const name of [TOKEN_KEY, ANONYMOUS_KEY]) {
    if (model.settings.auth.others.has(name))
      diagnostics.problem(
        keyIn(model.packPlace, 'auth', 'others', name),
        'invalid-value',
        `'${name}' is what \`request.key\` says of other calls`,
      );
  }
  const file = (model.packPlace.file.data as PackFile).auth?.tokens;
  if (file === undefined) return null;
  const place = inside(model.packPlace, 'auth', 'tokens');
  const def = diagnostics.find(inside(place, 'resource'), 'resource', file.resource, model.byName);
  if (!def) return null;
  const { field } = file;
  if (!def.schema.fields.has(field))
    diagnostics.unknown(inside(place, 'field'), 'field', field, def.schema.fields.keys());
  else if (field !== 'id' && def.file.indexes?.includes(field) !== true)
    // Each request looks up its token by the field, which therefore needs an index.
    diagnostics.problem(
      inside(place, 'field'),
      'not-indexed',
      `'${field}' has to be one of the indexes of ${def.name}`,
    );
  const compiled = (key: 'when' | 'scopes'): ((host: Host, self: Row) => Json) | null => {
    const source = file[key];
    if (source === undefined) return null;
    const at = inside(place, key);
    const { scope, unit, parameters } = functionScope(`tokens ${key}`, at, env, { self: liveParameter(def.type) });
    const expression = diagnostics[key === 'when' ? 'condition' : 'bare'](at, source, scope, env);
    return unit.expression(parameters, expression);
  };
  return {
    resource: def.index,
    field,
    when: compiled('when'),
    scopes: compiled('scopes'),
    implies: file.implies ?? {},
  };
}

/** Compiles `auth.actor` of pack.yaml; null if the pack has no actors. */
export function compileActor({ model, diagnostics, env }: Compiler): ActorPlan | null {
  const file = (model.packPlace.file.data as PackFile).auth?.actor;
  if (file === undefined) return null;
  const place = inside(model.packPlace, 'auth', 'actor');
  const def = diagnostics.find(inside(place, 'resource'), 'resource', file.resource, model.byName);
  if (!def) return null;
  const at = inside(place, 'id');
  const { scope, unit, parameters } = functionScope('actor', at, env, { request: env.request });
  // `id` determines the actor, so its expression can't read `actor`.
  const id = diagnostics.bare(at, file.id, scope, { ...env, actor: undefined });
  return {
    resource: def.index,
    id: unit.expression(parameters, id),
  };
}
