import { inside, keyIn, type PackFile, type SourceLocation } from '../model/index.js';
import type { Operation, Start } from '../program/index.js';
import type { Compiler } from './context.js';

/** Reads `start` of pack.yaml; null: the pack has none. */
export function linkStart(
  { start }: Pick<PackFile, 'start'>,
  place: SourceLocation,
  operations: readonly Operation[],
  { diagnostics }: Compiler,
): Start | null {
  if (!start) return null;
  const { languages, collections = [], tries = [] } = start;
  const known = new Set(operations.map(({ resource }) => resource.collection));
  for (const [index, name] of collections.entries())
    diagnostics.known(inside(place, 'collections', index), 'collection', name, known);
  return {
    languages: languages.map(({ name, install = null, code }) => ({ name, install, code })),
    collections,
    tries: tries.flatMap(({ title, text, call, with: params = {} }, index) => {
      const at = inside(place, 'tries', index, 'call');
      const operation = operations.find(({ key }) => key === call);
      const route = operation?.routes.at(0);
      if (!operation || !route) {
        const keys = operations.map(({ key }) => key);
        diagnostics.unknown(at, 'operation', call, keys);
        return [];
      }
      if (route.names.length > 0)
        diagnostics.problem(at, 'invalid-value', `'${call}' needs ${route.names.join(', ')} in its path`);
      for (const name of Object.keys(params))
        diagnostics.known(keyIn(place, 'tries', index, 'with', name), 'parameter', name, operation.params());
      return [{ title, text, method: route.method, path: route.path, params }];
    }),
  };
}
