import { inside, type PackFile, type SourceLocation } from '../model/index.js';
import type { OtherPath } from '../program/index.js';
import type { Compiler } from './context.js';

const NAME = /\{(\w+)\}/g;

/** Reads `routes.also` of pack.yaml. Problems are reported. */
export function linkOtherPaths(
  files: NonNullable<NonNullable<PackFile['routes']>['also']>,
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): OtherPath[] {
  return files.flatMap(({ path, resource: name, as }, at) => {
    const resource = model.byName.get(name);
    if (resource === undefined) {
      diagnostics.unknown(inside(place, at, 'resource'), 'resource', name, model.byName.keys());
      return [];
    }
    const known = new Set(['id', ...resource.schema.fields.keys()]);
    for (const [key, text] of Object.entries({ path, as }))
      for (const [, field] of text.matchAll(NAME))
        if (!known.has(field)) diagnostics.unknown(inside(place, at, key), 'field', field, known);
    const fields = [...path.matchAll(NAME)].map(([, field]) => field);
    const source = path.split(NAME).map((part, n) => (n % 2 === 0 ? escaped(part) : '([^/?]+)'));
    return [{ resource, pattern: new RegExp(`^${source.join('')}(?=[/?]|$)(.*)$`), fields, as }];
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
