import { inside, keyIn, type PackFile, type ResourceDef } from '../model/index.js';
import type { Operation, TimePlan } from '../program/index.js';
import type { Compiler } from './context.js';
import { checkErrorUse } from './error-use.js';

/** Compiles `times` of pack.yaml; null if all objects share the world's clock. */
export function compileTimes(operations: readonly Operation[], compiler: Compiler): TimePlan | null {
  const { model, diagnostics } = compiler;
  const { byName, packPlace } = model;
  const file = (packPlace.file.data as PackFile).times;
  if (file === undefined) return null;
  const place = inside(packPlace, 'times');
  if (file.mixed !== undefined) checkErrorUse(file.mixed, {}, place, 'mixed', compiler);
  const owner = diagnostics.find(inside(place, 'resource'), 'resource', file.resource, byName);
  if (!owner) return null;
  if (owner.singleton)
    diagnostics.problem(
      inside(place, 'resource'),
      'invalid-value',
      `${owner.name} has one object only: there is one clock, the world's`,
    );
  const through = Object.entries(file.through).flatMap(([field, name]) => {
    const target = diagnostics.find(inside(place, 'through', field), 'resource', name, byName);
    return target ? { field, target } : [];
  });
  if (!compiler.passed) checkThrough(file.through, through, owner, operations, compiler);
  return {
    resource: owner.index,
    shared: owner.shared,
    through: through.map(({ field, target }) => ({ field, resource: target.index })),
    mixed: file.mixed ?? null,
  };
}

/**
 * Reports `through` fields that no resource has, and fields that don't lead to an owner. Skipped at a start, since it reads the
 * parameters of all operations.
 */
function checkThrough(
  given: Readonly<Record<string, string>>,
  through: Through,
  owner: ResourceDef,
  operations: readonly Operation[],
  { model: { packPlace, resources }, diagnostics }: Compiler,
): void {
  const place = inside(packPlace, 'times', 'through');
  const fields = new Set([
    ...resources.flatMap(({ schema }) => [...schema.fields.keys()]),
    ...operations.flatMap(({ params }) => [...params().keys()]),
  ]);
  for (const field of Object.keys(given)) diagnostics.known(keyIn(place, field), 'field', field, fields);
  const leading = leadingTo(owner, through);
  for (const { field, target } of through)
    if (!leading.has(target))
      diagnostics.problem(
        inside(place, field),
        'leads-nowhere',
        `no field of ${target.name} leads on to ${owner.name}: ${[...fieldsOf(through)].join(', ')}`,
      );
}

type Through = readonly { readonly field: string; readonly target: ResourceDef }[];

function fieldsOf(through: Through): ReadonlySet<string> {
  return new Set(through.map(({ field }) => field));
}

/** The resources whose fields lead to the owner, including itself. */
function leadingTo(owner: ResourceDef, through: Through): ReadonlySet<ResourceDef> {
  const leading = new Set([owner]);
  for (let before = 0; before !== leading.size;) {
    before = leading.size;
    for (const { target } of through)
      if (through.some((each) => leading.has(each.target) && target.schema.fields.has(each.field))) leading.add(target);
  }
  return leading;
}
