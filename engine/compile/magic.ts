import { isObject, lazy, packPattern } from '../values/index.js';
import { inside, keyIn, type MagicFile, type SourceLocation } from '../model/index.js';
import type { Execution, Magic, MagicFamily, Recipe } from '../program/index.js';
import type { Compiler } from './context.js';
import { callFlow } from './flows.js';
import { linkRepeated } from './rows.js';

/** Reads magic.yaml. Values are expanded on first use. */
export function linkMagic(file: MagicFile | undefined, place: SourceLocation, compiler: Compiler): Magic {
  const families: MagicFamily[] = [];
  for (const [name, each] of Object.entries(file?.families ?? {})) {
    const at = inside(place, 'families', name);
    const resource = compiler.diagnostics.find(
      inside(at, 'stands_for'),
      'resource',
      each.stands_for,
      compiler.model.byName,
    );
    if (!resource) continue;
    const values = lazy(() => {
      const map = new Map<string, Recipe>();
      each.values.forEach((value, index) => {
        const here = inside(at, 'values', index);
        const repeated = linkRepeated(value, here, compiler);
        const text = repeated.template(value.value, 'value');
        const args = repeated.template(value.with ?? {}, 'with');
        compiler.used.flows.add(value.run);
        const flow = compiler.diagnostics.find(inside(here, 'run'), 'flow', value.run, compiler.flows);
        for (const arg of Object.keys(value.with ?? {})) {
          if (flow) compiler.diagnostics.known(keyIn(here, 'with', arg), 'argument', arg, flow.args);
        }
        for (const rows of repeated.combinations()) {
          const key = String(text(rows));
          if (map.has(key))
            compiler.diagnostics.problem(inside(here, 'value'), 'duplicate-magic-value', `'${key}' is in two entries`);
          const given = args(rows);
          map.set(key, { flow: value.run, args: isObject(given) ? given : {} });
        }
      });
      return map;
    });
    families.push({ name, resource, looksLike: packPattern(each.looks_like), values });
  }
  return {
    families,
    make(execution, resource, value) {
      for (const family of families) {
        if (family.resource.index !== resource || !family.looksLike.test(value)) continue;
        const recipe = family.values().get(value);
        if (!recipe) return 'unknown';
        execution.useTestValue(value);
        return { id: runRecipe(execution, compiler, recipe) };
      }
      return undefined;
    },
  };
}

function runRecipe(execution: Execution, compiler: Compiler, recipe: Recipe): string {
  const flow = compiler.flows.get(recipe.flow);
  if (!flow) throw new Error(`flow '${recipe.flow}' was not linked`);
  const made = callFlow(flow, execution, recipe.args);
  if (!isObject(made) || typeof made['id'] !== 'string')
    throw new Error(`flow '${recipe.flow}' must return the object of a test value`);
  return made['id'];
}
