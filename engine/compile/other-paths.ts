import { inside, keyIn, type PackFile, type ResourceDef, type SourceLocation } from '../model/index.js';
import type { Operation, OtherPath } from '../program/index.js';
import type { Compiler } from './context.js';

const NAME = /\{(\w+)\}/g;

/** Reads `routes.also` of pack.yaml. Problems are reported. */
export function linkOtherPaths(
  files: NonNullable<NonNullable<PackFile['routes']>['also']>,
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): OtherPath[] {
  return files.flatMap(({ path, resource: name, as }, at) => {
    const resource = diagnostics.find(inside(place, at, 'resource'), 'resource', name, model.byName);
    if (resource === undefined) return [];
    const known = new Set(['id', ...resource.schema.fields.keys()]);
    for (const [key, text] of Object.entries({ path, as }))
      for (const [, field] of text.matchAll(NAME)) diagnostics.known(inside(place, at, key), 'field', field, known);
    const fields = [...path.matchAll(NAME)].map(([, field]) => field);
    const source = path.split(NAME).map((part, n) => (n % 2 === 0 ? escaped(part) : '([^/?]+)'));
    return [{ resource, pattern: new RegExp(`^${source.join('')}(?=[/?]|$)(.*)$`), fields, as }];
  });
}

/** Reads `routes.ids` of pack.yaml. Problems are reported. */
export function linkRouteIds(
  files: Readonly<Record<string, string>>,
  operations: readonly Operation[],
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): ReadonlyMap<string, ResourceDef> {
  const names = new Set(operations.flatMap(({ routes }) => routes.flatMap((route) => route.names)));
  const found = new Map<string, ResourceDef>();
  for (const [name, resource] of Object.entries(files)) {
    const def = model.byName.get(resource);
    diagnostics.known(keyIn(place, name), 'parameter', name, names);
    if (def === undefined) diagnostics.unknown(inside(place, name), 'resource', resource, model.byName.keys());
    else found.set(name, def);
  }
  return found;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
