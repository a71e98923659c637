import { ANY, mapType } from '../expression/index.js';
import { inside, type Model, type SourceLocation, type ResourceDef } from '../model/index.js';
import type { OverObject, Seeded, SeedRejection } from '../program/index.js';
import { type Compiler, functionScope, type FunctionScope, liveParameter, stepContext } from './context.js';
import { compileSteps } from './steps/index.js';

/** Compiles `seeded` of a resource: how objects of seeds are completed. */
export function linkSeeded(def: ResourceDef, compiler: Compiler): Seeded {
  const { seeded } = def.file;
  const place = inside(def.place, 'seeded');
  const steps = seeded?.do ?? [];
  return {
    complete: steps.length === 0 ? null : completion(def, steps, inside(place, 'do'), compiler),
    rejections: (seeded?.refuse ?? []).map((file, index): SeedRejection => {
      const at = inside(place, 'refuse', index);
      if (!def.schema.fields.has(file.path.split('.')[0]))
        compiler.diagnostics.unknown(inside(at, 'path'), 'field', file.path.split('.')[0], [
          ...def.schema.fields.keys(),
        ]);
      const { path, message } = file;
      return { path, message, applies: condition(def, file.when, inside(at, 'when'), compiler) };
    }),
    since: seeded?.since === undefined ? null : instant(def, seeded.since, inside(place, 'since'), compiler),
  };
}

/**
 * Numbers of resources, in the order in which seeded objects are completed: each comes after those that it names in `after`.
 * Unknown names and circles are problems of the model.
 */
export function seedOrder({ resources, byName, diagnostics }: Model): readonly number[] {
  const order: number[] = [];
  const settled = new Set<ResourceDef>();
  const visit = (def: ResourceDef, way: readonly ResourceDef[]): void => {
    if (settled.has(def)) return;
    for (const [index, name] of (def.file.seeded?.after ?? []).entries()) {
      const place = inside(def.place, 'seeded', 'after', index);
      const before = diagnostics.find(place, 'resource', name, byName);
      if (before !== undefined)
        if (before === def || way.includes(before))
          diagnostics.problem(place, 'seed-circle', `'${name}' is completed after '${def.name}' itself`);
        else visit(before, [...way, def]);
    }
    settled.add(def);
    order.push(def.index);
  };
  for (const def of resources) visit(def, []);
  return order;
}

/** The scope of the parts of `seeded`: the object, and its data in the seed. */
function seededScope(def: ResourceDef, name: string, place: SourceLocation, { env }: Compiler): FunctionScope {
  return functionScope(`${name} of seeded ${def.name}`, place, env, {
    self: liveParameter(def.type),
    given: mapType(ANY),
  });
}

function completion(
  def: ResourceDef,
  steps: NonNullable<NonNullable<ResourceDef['file']['seeded']>['do']>,
  place: SourceLocation,
  compiler: Compiler,
): Seeded['complete'] {
  const { scope, parameters } = seededScope(def, 'completion', place, compiler);
  const context = { ...stepContext(compiler, scope), scope: scope.child() };
  return scope.unit.function(parameters, compileSteps(steps, place, context));
}

function condition(def: ResourceDef, source: string, place: SourceLocation, compiler: Compiler): OverObject {
  const { scope, parameters } = seededScope(def, 'refusal', place, compiler);
  return scope.unit.expression(parameters, compiler.diagnostics.condition(place, source, scope, compiler.env));
}

function instant(def: ResourceDef, source: string, place: SourceLocation, compiler: Compiler): OverObject {
  const { scope, parameters } = seededScope(def, 'beginning', place, compiler);
  const compiled = compiler.diagnostics.bare(place, source, scope, compiler.env);
  return scope.unit.expression(parameters, compiled);
}
