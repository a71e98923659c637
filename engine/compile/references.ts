import { inside, keyIn, type ResourceDef, visitSchema } from '../model/index.js';
import type { Dependent } from '../program/index.js';
import { checkErrorUse } from './error-use.js';
import type { Compiler } from './context.js';

/** Links the rules (`on_delete`) for objects that refer to a deleted object, by the number of its resource. */
export function linkDependents({ model, ...compiler }: Compiler): Map<number, Dependent[]> {
  const { diagnostics } = compiler;
  const dependents = new Map<number, Dependent[]>();
  if (compiler.passed && !model.resources.some(saysOnDelete)) return dependents;
  for (const def of model.resources) {
    if (def.file.retention !== undefined) checkRetention(def, { model, ...compiler });
    for (const [field, schema] of def.schema.fields) {
      const own = onDeleteOf(def, field);
      const at = inside(def.place, 'fields', field);
      if (schema.kind !== 'ref' || schema.view !== undefined) {
        if (own !== undefined)
          diagnostics.problem(keyIn(at, 'on_delete'), 'wrong-type', `'${field}' is not a stored reference`);
        continue;
      }
      for (const name of schema.refs) {
        const target = model.byName.get(name);
        const rule = own ?? target?.file.on_delete;
        if (target === undefined || rule === undefined) continue;
        const from = own === undefined ? target.place : at;
        if (rule === 'clear' && !schema.nullable)
          diagnostics.problem(
            inside(from, 'on_delete'),
            'invalid-value',
            `'${field}' of ${def.name} cannot be null, so it cannot be cleared`,
          );
        if (rule === 'refuse') checkErrorUse('still_referenced', {}, from, 'on_delete', { model, ...compiler });
        const all = dependents.get(target.index) ?? [];
        dependents.set(target.index, [...all, { resource: def.index, field, rule }]);
      }
    }
    if (def.file.on_delete !== undefined && !dependents.has(def.index) && !isNamed(def, model.resources))
      diagnostics.problem(keyIn(def.place, 'on_delete'), 'invalid-value', `nothing refers to ${def.name}`);
  }
  return dependents;
}

/** Checks `retention`: expiring records need a field for their order, and neither a machine, waits nor references to them. */
function checkRetention({ name, place, file, machine }: ResourceDef, { model, diagnostics }: Compiler): void {
  const problem = (message: string): void => diagnostics.problem(keyIn(place, 'retention'), 'invalid-value', message);
  if (file.order === undefined) problem('it counts from the field that `order` names, and there is none');
  if (machine !== null || file.waits !== undefined)
    problem('only records that stay as they are expire, and this resource has a machine or waits');
  for (const { name: other, schema } of model.resources)
    visitSchema(schema, (each) => {
      if (each.kind === 'ref' && each.view === undefined && each.refs.includes(name))
        problem(`a field of ${other} refers to ${name}, so it cannot expire`);
    });
}

function saysOnDelete(def: ResourceDef): boolean {
  return (
    def.file.on_delete !== undefined ||
    Object.keys(def.file.fields ?? {}).some((field) => onDeleteOf(def, field) !== undefined)
  );
}

/** Returns `on_delete` of a field in the resource's file; undefined if not given. */
function onDeleteOf({ file }: ResourceDef, field: string): Dependent['rule'] | undefined {
  const own = file.fields?.[field];
  return typeof own === 'object' && own !== null ? own.on_delete : undefined;
}

function isNamed({ name }: ResourceDef, resources: readonly ResourceDef[]): boolean {
  return resources.some(({ schema }) =>
    [...schema.fields.values()].some((field) => field.kind === 'ref' && field.refs.includes(name)),
  );
}
