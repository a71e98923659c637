import { frameOf, type JsonObject, STRING } from '../expression/index.js';
import {
  type CausesFile,
  type CauseVariantFile,
  inside,
  parseFields,
  type Place,
  type Schema,
  typeOfFields,
} from '../model/index.js';
import { type Cause, type CauseVariant, type Execution, lazy } from '../program/index.js';
import type { Row } from '../world/index.js';
import { type Compiler, rootScope } from './context.js';
import { compileSteps, condition } from './steps.js';

/** Reads causes.yaml; steps are compiled when first fired. */
export function linkCauses(file: CausesFile, place: Place, compiler: Compiler): Map<string, Cause> {
  const causes = new Map<string, Cause>();
  for (const [name, each] of Object.entries(file.causes)) {
    const at = inside(place, 'causes', name);
    const variants = each.variants
      ? each.variants.map((variant, index) =>
          linkVariant({ description: each.description, ...variant }, inside(at, 'variants', index), compiler),
        )
      : [linkVariant(each, at, compiler)];
    causes.set(name, { name, variants });
  }
  return causes;
}

function linkVariant(file: CauseVariantFile, place: Place, compiler: Compiler): CauseVariant {
  const { model } = compiler;
  const resource = file.subject ? model.byName.get(file.subject.resource) : undefined;
  if (file.subject && !resource)
    compiler.linking.unknown(
      inside(place, 'subject', 'resource'),
      'resource',
      file.subject.resource,
      model.byName.keys(),
    );
  const params = parseFields(file.params, inside(place, 'params'), model.context);
  const program = lazy(() => {
    const scope = rootScope();
    const known = new Map<string, Schema>(params);
    if (file.subject) known.set(file.subject.param, { kind: 'string', nullable: false, expr: STRING, place });
    const given = scope.declare('params', typeOfFields(known, 'params')).slot;
    const self = resource ? scope.declare('self', resource.type, true).slot : 0;
    const context = { compiler, scope: scope.child() };
    const when = file.when === undefined ? undefined : condition(file.when, inside(place, 'when'), context);
    const run = compileSteps(file.do, inside(place, 'do'), context);
    return { scope, given, self, when, run };
  });
  const frame = (execution: Execution, row: Row | null, values: JsonObject) => {
    const { scope, given, self } = program();
    const made = frameOf(execution, scope.layout.size);
    made[given] = values;
    if (self > 0) made[self] = row;
    return made;
  };
  return {
    description: file.description ?? '',
    subject: file.subject && resource ? { param: file.subject.param, resource } : null,
    params,
    holds: (execution, row, values) => program().when?.(frame(execution, row, values)) ?? true,
    run: (execution, row, values) => void program().run(frame(execution, row, values), execution),
    check: () => void program(),
  };
}
