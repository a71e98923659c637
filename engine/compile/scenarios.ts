import { isObject, type Json, type JsonObject, lazy } from '../values/index.js';
import { inside, keyIn, isPinnable, pinPathsOf, type SourceLocation, type ScenarioFile } from '../model/index.js';
import { LIMITS } from '../limits.js';
import { parseDuration } from '../world/index.js';
import type { CallPin, Scenario } from '../program/index.js';
import { type Compiler, operationKeys } from './context.js';
import { checkErrorUse } from './error-use.js';
import { linkRepeated } from './rows.js';

/** Reads scenarios.yaml; names are expanded when first needed. */
export function linkScenarios(
  files: readonly ScenarioFile[],
  place: SourceLocation,
  compiler: Compiler,
): () => ReadonlyMap<string, Scenario> {
  return lazy(() => {
    const scenarios = new Map<string, Scenario>();
    files.forEach((file, index) => {
      const at = inside(place, 'scenarios', index);
      const repeated = linkRepeated(file, at, compiler);
      const name = repeated.template(file.name, 'name');
      const description = repeated.template(file.description ?? '', 'description');
      const args = repeated.template(file.with ?? {}, 'with');
      const pins = repeated.template(file.pins ?? {}, 'pins');
      const provide = repeated.template(file.provide ?? {}, 'provide');
      if (file.fail !== undefined) checkErrorUse(file.fail, file.with, at, 'fail', compiler);
      const delayMs = file.delay === undefined ? 0 : parseDuration(file.delay);
      if (delayMs === undefined || delayMs > LIMITS.faultDelay.value) {
        const message = `'${file.delay}' is not a delay: a duration such as 500ms or 2s, of at most 10m`;
        compiler.diagnostics.problem(inside(at, 'delay'), 'invalid-value', message);
      }
      checkOperations(file.operations, at, compiler);
      for (const path of Object.keys(file.pins ?? {})) pinOf(path, null, inside(at, 'pins', path), compiler);
      for (const rows of repeated.combinations()) {
        const key = String(name(rows));
        if (scenarios.has(key))
          compiler.diagnostics.problem(inside(at, 'name'), 'duplicate-scenario', `two scenarios are called '${key}'`);
        scenarios.set(key, {
          name: key,
          description: String(description(rows)),
          operations: file.operations ? new Set(file.operations) : null,
          fail: file.fail === undefined ? null : { error: file.fail, args: mapOf(args(rows)) },
          delayMs: delayMs ?? 0,
          pins: Object.entries(mapOf(pins(rows))).flatMap(
            ([path, value]) => pinOf(path, value, inside(at, 'pins', path), compiler, true) ?? [],
          ),
          provide: mapOf(provide(rows)),
        });
      }
    });
    return scenarios;
  });
}

/** Reports names that aren't operations of the pack. */
function checkOperations(names: readonly string[] = [], place: SourceLocation, { model, diagnostics }: Compiler): void {
  const known = operationKeys(model);
  for (const [index, name] of names.entries())
    diagnostics.known(inside(place, 'operations', index), 'operation', name, known);
}

/** The map that a template returns; null after a reported problem. */
function mapOf(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

/** Reads `resource.path` of a scenario's pin. */
function pinOf(
  path: string,
  value: Json,
  place: SourceLocation,
  compiler: Compiler,
  quiet = false,
): CallPin | undefined {
  const [name, ...rest] = path.split('.');
  const def = compiler.model.byName.get(name);
  if (!def) {
    if (!quiet) compiler.diagnostics.unknown(keyIn(place), 'resource', name, compiler.model.byName.keys());
    return undefined;
  }
  if (!isPinnable(def, rest.join('.')) && !quiet)
    compiler.diagnostics.unknown(keyIn(place), 'pin-path', rest.join('.'), pinPathsOf(def));
  return { resource: def.index, path: rest.join('.'), value };
}
