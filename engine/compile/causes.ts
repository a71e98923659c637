import { frameOf, type JsonObject, STRING } from '../expression/index.js';
import {
  type CausesFile,
  type CauseVariantFile,
  inside,
  parseFields,
  type Place,
  type ResourceDef,
  type Schema,
  typeOfFields,
} from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Command } from '../runtime/command.js';
import { lazy } from '../program/program.js';
import { type Compiler, rootScope } from './context.js';
import { condition } from './steps/condition.js';
import { compileSteps } from './steps/index.js';

/** One way of a world event: what it is about, what it takes, when it can be, what it does. */
export interface CauseVariant {
  readonly description: string;
  readonly subject: { readonly param: string; readonly resource: ResourceDef } | null;
  /** Parameters beside the subject's. */
  readonly params: ReadonlyMap<string, Schema>;
  readonly holds: (command: Command, self: Row | null, params: JsonObject) => boolean;
  readonly run: (command: Command, self: Row | null, params: JsonObject) => void;
  readonly check: () => void;
}

/** A world event. */
export interface Cause {
  readonly name: string;
  readonly variants: readonly CauseVariant[];
}

/** Reads causes.yaml; steps are compiled when first fired. */
export function linkCauses(file: CausesFile, place: Place, compiler: Compiler): Map<string, Cause> {
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
  const frame = (command: Command, row: Row | null, values: JsonObject) => {
    const { scope, given, self } = program();
    const made = frameOf(command, scope.layout.size);
    made[given] = values;
    if (self > 0) made[self] = row;
    return made;
  };
  return {
    description: file.description ?? '',
    subject: file.subject && resource ? { param: file.subject.param, resource } : null,
    params,
    holds: (command, row, values) => program().when?.(frame(command, row, values)) ?? true,
    run: (command, row, values) => void program().run(frame(command, row, values), command),
    check: () => void program(),
  };
}
