import { lazy } from '../values/index.js';
import { STRING } from '../expression/index.js';
import {
  type CausesFile,
  type CauseVariantFile,
  inside,
  parseParams,
  type SourceLocation,
  type Schema,
  typeOfFields,
} from '../model/index.js';
import type { Cause, CauseVariant } from '../program/index.js';
import { type Compiler, rootScope, stepContext } from './context.js';
import { condition } from './steps/condition.js';
import { compileSteps } from './steps/index.js';

/** Reads causes.yaml; steps are compiled when first fired. */
export function linkCauses(file: CausesFile, place: SourceLocation, compiler: Compiler): Map<string, Cause> {
  const causes = new Map<string, Cause>();
  for (const [name, each] of Object.entries(file.causes)) {
    const at = inside(place, 'causes', name);
    const variants =
      'variants' in each
        ? each.variants.map((variant, index) =>
            linkVariant({ description: each.description, ...variant }, inside(at, 'variants', index), compiler),
          )
        : [linkVariant(each, at, compiler)];
    causes.set(name, { name, variants });
  }
  return causes;
}

function linkVariant(file: CauseVariantFile, place: SourceLocation, compiler: Compiler): CauseVariant {
  const { model } = compiler;
  const resource = file.subject ? model.byName.get(file.subject.resource) : undefined;
  if (file.subject && !resource)
    compiler.diagnostics.unknown(
      inside(place, 'subject', 'resource'),
      'resource',
      file.subject.resource,
      model.byName.keys(),
    );
  const params = parseParams(file.params, inside(place, 'params'), model.context);
  const program = lazy(() => {
    const scope = rootScope(`cause ${place.path.slice(1).join(' ')}`, place, compiler.env);
    const known = new Map<string, Schema>(params);
    if (file.subject) known.set(file.subject.param, { kind: 'string', nullable: false, expr: STRING, place });
    const given = scope.declare('params', typeOfFields(known, 'params')).js;
    const self = resource ? scope.declare('self', resource.type, true).js : scope.unit.identifier('self');
    const context = { ...stepContext(compiler, scope), scope: scope.child() };
    const parameters = ['x', self, given];
    const when = file.when === undefined ? 'true' : condition(file.when, inside(place, 'when'), context);
    return {
      holds: scope.unit.function<CauseVariant['holds']>(parameters, [`return ${when};`]),
      run: scope.unit.function<CauseVariant['run']>(parameters, compileSteps(file.do, inside(place, 'do'), context)),
    };
  });
  return {
    description: file.description ?? '',
    subject: file.subject && resource ? { param: file.subject.param, resource } : null,
    params,
    holds: (...given) => program().holds(...given),
    run: (...given) => program().run(...given),
    check: () => void program(),
  };
}
