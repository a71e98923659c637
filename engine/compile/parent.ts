import { inside, keyIn, parentField, type ResourceDef } from '../model/index.js';
import type { Parent } from '../program/index.js';
import { compileAccess, parentDef } from './access.js';
import type { Compiler } from './context.js';

/** Reads the parent of a resource's objects; null if they have none, or after a reported problem. */
export function linkParent(def: ResourceDef, compiler: Compiler): Parent | null {
  const own = parentField(def.file);
  if (own === null) return null;
  const { diagnostics, model } = compiler;
  const { field, names } = own;
  const isShort = names === undefined;
  const value = isShort ? inside(def.place, 'parent') : inside(def.place, 'parent', field);
  const place = isShort ? value : keyIn(value);
  const schema = diagnostics.find(place, 'field', field, def.schema.fields);
  if (schema === undefined) return null;
  const problem = (message: string, where = place): null => {
    diagnostics.problem(where, 'bad-parent', message);
    return null;
  };
  if (schema.kind !== 'ref' || schema.refs.length !== 1 || schema.view !== undefined)
    return problem(`'${field}' does not refer to objects of one resource: a parent is one \`{ ref: RESOURCE }\``);
  const resource = model.byName.get(schema.refs[0]);
  if (resource === undefined) return null;
  if (resource.singleton) return problem(`${resource.title} is a single object, which routes do not name`);
  const chain = [def.name];
  for (let each: ResourceDef | undefined = resource; each !== undefined; each = parentDef(each, compiler)) {
    if (chain.includes(each.name)) return problem(`it belongs to itself: ${[...chain, each.name].join(' -> ')}`);
    chain.push(each.name);
  }
  const key = resource.file.id?.key;
  if (names !== undefined && names.length !== (key?.length ?? 1))
    return problem(
      `the id of ${resource.title} has ${String(key?.length ?? 1)} part${key === undefined ? '' : `s (${key.join(', ')})`}, not ${String(names.length)}`,
      value,
    );
  const access = compileAccess(resource, 'retrieve', compiler);
  return {
    resource,
    field,
    names: names ?? key ?? [field],
    check: access === null ? null : (execution, row) => access().check(execution, row),
  };
}
