import { inside, keyIn, type PackFile, type SourceLocation, type ResourceDef } from '../model/index.js';
import type { Operation, TenantPlan } from '../program/index.js';
import { type Compiler, functionScope, liveParameter } from './context.js';

/** Compiles `tenants` of pack.yaml; null if a world has one owner. */
export function compileTenants(operations: readonly Operation[], compiler: Compiler): TenantPlan | null {
  const { model, diagnostics } = compiler;
  const { settings, byName, packPlace } = model;
  const file = (packPlace.file.data as PackFile).tenants;
  if (file === undefined || settings.tenants === null) {
    for (const { file: each, place } of model.resources)
      if (each.shared === true) diagnostics.problem(keyIn(place, 'shared'), 'no-tenants', 'pack.yaml has no `tenants`');
    return null;
  }
  const place = inside(packPlace, 'tenants');
  const def = diagnostics.find(inside(place, 'resource'), 'resource', file.resource, byName);
  if (!def) return null;
  if (def.singleton)
    diagnostics.problem(
      inside(place, 'resource'),
      'invalid-value',
      `${def.name} has one object only: no tenants can be made`,
    );
  if (file.echo === true && file.headers === undefined)
    diagnostics.problem(keyIn(place, 'echo'), 'missing-key', '`echo` needs `headers`');
  if (!file.headers && !file.paths && file.key === undefined && file.token === undefined)
    diagnostics.problem(keyIn(place), 'missing-key', 'nothing chooses a tenant: headers, paths, key or token');
  const auth = (packPlace.file.data as PackFile).auth?.tokens;
  const tokens = auth && byName.get(auth.resource);
  if (file.token !== undefined && !tokens)
    diagnostics.problem(keyIn(place, 'token'), 'no-tokens', 'pack.yaml has no `auth.tokens`');
  if (!compiler.passed) {
    checkField(file.key, inside(place, 'key'), def, compiler);
    if (tokens) checkField(file.token, inside(place, 'token'), tokens, compiler);
    if (file.key !== undefined && def.schema.fields.has(file.key) && def.file.indexes?.includes(file.key) !== true)
      // Each request with a tenant's key looks up the tenant by the field `key`, which therefore needs an index.
      diagnostics.problem(
        inside(place, 'key'),
        'not-indexed',
        `'${file.key}' has to be one of the indexes of ${def.name}`,
      );
    checkPaths(file.paths ?? [], place, operations, compiler);
  }
  const { home, headers, echo } = settings.tenants;
  return {
    resource: def.index,
    home,
    headers,
    echo,
    pathNames: new Set(file.paths),
    keyField: file.key ?? null,
    tokenField: file.token ?? null,
    admits: compileAdmits(file.admits, inside(place, 'admits'), def, compiler),
  };
}

function checkField(
  name: string | undefined,
  place: SourceLocation,
  def: ResourceDef,
  { diagnostics }: Compiler,
): void {
  const { fields } = def.schema;
  if (name !== undefined) diagnostics.known(place, 'field', name, fields);
}

/** Reports tenant names in paths that no route has. */
function checkPaths(
  names: readonly string[],
  place: SourceLocation,
  operations: readonly Operation[],
  { diagnostics }: Compiler,
): void {
  const known = new Set(['id']);
  for (const { routes } of operations) for (const route of routes) for (const name of route.names) known.add(name);
  for (const [at, name] of names.entries()) diagnostics.known(inside(place, 'paths', at), 'argument', name, known);
}

function compileAdmits(
  source: string | undefined,
  place: SourceLocation,
  def: ResourceDef,
  { diagnostics, env }: Compiler,
): TenantPlan['admits'] {
  if (source === undefined) return null;
  const { scope, unit, parameters } = functionScope('tenants admits', place, env, { self: liveParameter(def.type) });
  return unit.expression(parameters, diagnostics.condition(place, source, scope, env));
}
