import { isObject } from '../../values/index.js';
import { Diagnostics, inside, keyIn, type CausesFile, type SourceLocation } from '../../model/index.js';
import { type Problem, ProblemList } from '../../pack/index.js';
import { parameterDescription, type Program } from '../../program/index.js';

/**
 * Warns of operations, parameters, states, events and causes without a description (`validate-pack --complete`): references and
 * agents would have only their names.
 */
export function reportUndescribed({ model, resources }: Program): readonly Problem[] {
  const problems = new ProblemList();
  const diagnostics = new Diagnostics(problems);
  const lacks = (place: SourceLocation, what: string): void =>
    diagnostics.warning(keyIn(place), 'missing-description', `${what} has no \`description\``);
  for (const { def, operations } of resources) {
    const { file } = def;
    const files: unknown = file.operations;
    for (const each of operations.values()) {
      const { name, params } = each;
      const own: unknown = isObject(files) ? files[name] : null;
      const place = isObject(files) ? inside(def.place, 'operations', name) : inside(def.place, 'operations');
      const operation = isObject(own) ? own : {};
      if (!isDescribed(operation)) lacks(place, `operation '${name}'`);
      for (const key of ['params', 'filters']) {
        const given = Object.keys(isObject(operation[key]) ? operation[key] : {});
        const silent = given.filter(
          (param) => params().has(param) && parameterDescription(each, param, model) === undefined,
        );
        if (silent.length > 0) lacks(inside(place, key, silent[0]), `parameter ${silent.map(quoted).join(', ')}`);
      }
    }
    for (const [state, config] of Object.entries(file.machine?.states ?? {}))
      if (!isDescribed(config)) lacks(inside(def.place, 'machine', 'states', state), `state '${state}'`);
    for (const [event, own] of Object.entries(file.events ?? {}))
      if (!isDescribed(own)) lacks(inside(def.place, 'events', event), `event '${event}'`);
  }
  const causes = model.source.one('causes');
  for (const [cause, own] of Object.entries((causes?.data as CausesFile | undefined)?.causes ?? {}))
    if (causes !== undefined && !isDescribed(own)) lacks({ file: causes, path: ['causes', cause] }, `cause '${cause}'`);
  return problems.all;
}

function isDescribed(value: unknown): boolean {
  return isObject(value) && typeof value['description'] === 'string';
}

function quoted(name: string): string {
  return `'${name}'`;
}
