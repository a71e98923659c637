import { inside, keyIn, type PackFile, type SourceLocation } from '../model/index.js';
import type { Compiler } from './context.js';

/** Checks that `packages` of pack.yaml names variables that the pack has. */
export function checkPackages(
  { packages = [] }: Pick<PackFile, 'packages'>,
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): void {
  const known = model.env.vars;
  for (const [index, { vars = {}, environment = {} }] of packages.entries()) {
    for (const name of Object.keys(vars)) diagnostics.known(keyIn(place, index, 'vars', name), 'variable', name, known);
    for (const [name, value] of Object.entries(environment)) {
      const variable = value.startsWith('vars.') ? value.slice('vars.'.length) : null;
      if (variable !== null) diagnostics.known(inside(place, index, 'environment', name), 'variable', variable, known);
    }
  }
}
