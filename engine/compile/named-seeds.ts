import { isObject, type Json, type JsonObject, lazy } from '../values/index.js';
import { inside, keyIn, misfit, type SourceLocation, type ResourceDef, type SeedFile } from '../model/index.js';
import type { NamedSeed } from '../program/index.js';
import type { Compiler } from './context.js';

/**
 * Reads `seeds/`. Checks each object by itself: collection, id, fields and values. References are checked when the seed is
 * applied to a world.
 */
export function linkSeeds(compiler: Compiler): () => ReadonlyMap<string, NamedSeed> {
  return lazy(() => {
    const seeds = new Map<string, NamedSeed>();
    const { source, diagnostics } = compiler.model;
    for (const file of source.all('seed')) {
      const { seed: name, description, ...body } = file.data as SeedFile;
      const place: SourceLocation = { file, path: [] };
      if (seeds.has(name))
        diagnostics.problem(inside(place, 'seed'), 'duplicate-seed', `two files have seed data called '${name}'`);
      checkShare(body, place, compiler);
      for (const [tenant, share] of Object.entries(body.tenants ?? {}))
        if (isObject(share)) checkShare(share, inside(place, 'tenants', tenant), compiler);
      seeds.set(name, { name, description, body });
    }
    return seeds;
  });
}

/** Checks the existing and deleted objects of a seed, or of one tenant in it. */
function checkShare(share: JsonObject, place: SourceLocation, compiler: Compiler): void {
  const { model } = compiler;
  for (const part of ['resources', 'deleted']) {
    for (const [collection, objects] of Object.entries(mapOf(share[part]))) {
      const at = inside(place, part, collection);
      const def = model.diagnostics.find(keyIn(at), 'collection', collection, model.byCollection);
      if (def !== undefined)
        if (Array.isArray(objects))
          for (const [index, each] of (objects as readonly Json[]).entries())
            checkObject(mapOf(each), def, inside(at, index), compiler);
    }
  }
}

function checkObject(given: JsonObject, def: ResourceDef, place: SourceLocation, { model }: Compiler): void {
  const { diagnostics, settings } = model;
  const { id } = given;
  if (id === undefined && !def.singleton)
    diagnostics.problem(place, 'missing-id', `each of ${def.collection} needs an id`);
  else if (typeof id === 'string' && !def.singleton && !def.ids.pattern.test(id)) {
    const message = `'${id}' is not an id of ${def.collection} (${def.ids.pattern.source})`;
    diagnostics.problem(inside(place, 'id'), 'invalid-value', message);
  }
  for (const [name, value] of Object.entries(given)) {
    const schema = diagnostics.find(keyIn(place, name), 'field', name, def.schema.fields);
    if (schema === undefined) continue;
    // Computed fields are checked later, once the object is complete.
    const wrong = schema.view === undefined ? misfit(schema, value, '', settings.time) : undefined;
    if (wrong) diagnostics.problem(inside(place, name, ...partsOf(wrong.path)), 'invalid-value', wrong.message);
  }
}

/** The keys and positions of a path such as `.lines[0].price`. */
function partsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) => (index === undefined ? part : Number(index)));
}

function mapOf(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}
