import { type Json } from '../../values/index.js';
import { ANY } from '../../expression/index.js';
import { type CreateStep, inside, type ResourceDef } from '../../model/index.js';
import { definitionOf } from '../context.js';
import type { Execution } from '../../program/index.js';
import { compileMaker, numberedId } from '../maker.js';
import { stepKind } from './kind.js';

/** `create`: makes an object in the initial state of its machine. */
export const compileCreate = stepKind({
  check(step: CreateStep, place, context) {
    const { compiler, scope } = context;
    const { model, diagnostics, env } = compiler;
    const def = diagnostics.find(inside(place, 'create'), 'resource', step.create, model.byName);
    if (!def) {
      scope.declare(step.as ?? step.create, ANY);
      return undefined;
    }
    const id = scope.unit.identifier('id');
    const given = step.id === undefined ? undefined : diagnostics.template(inside(place, 'id'), step.id, scope, env);
    const constant = given?.constant;
    if (typeof constant === 'string' && !def.ids.pattern.test(constant))
      diagnostics.problem(
        inside(place, 'id'),
        'invalid-value',
        `'${constant}' is not an id of ${def.collection} (${def.ids.pattern.source})`,
      );
    const numbered = numberedId(def, context);
    if (given === undefined && def.file.id?.key !== undefined && numbered === null)
      diagnostics.problem(
        inside(place, 'create'),
        'missing-id',
        `the id of ${def.title} is its key (${def.file.id.key.join('/')}): write \`id:\` beside it`,
      );
    const { unit } = scope;
    const shape = definitionOf(def, context);
    const making = compileMaker(context, def, step, place, id, (kind) => {
      const made = numbered ?? `x.newId(${shape}${kind === undefined ? '' : `, ${kind}`})`;
      return given === undefined ? made : `${unit.refer(givenId, 'givenId')}(x, ${shape}, ${given.js}) ?? ${made}`;
    });
    const { js } = scope.declare(step.as ?? step.create, def.type, true);
    const self = context.creates?.resource === def ? context.creates.self : undefined;
    return { def, making, js, self, silent: step.silent === true };
  },

  emit({ def, making, js, self, silent }, context) {
    return [
      ...making.lines,
      `${context.declare}${js} = x.create(${definitionOf(def, context)}, ${making.made}, ${silent});`,
      ...(self === undefined ? [] : [`${self} ??= ${js};`]),
    ];
  },
});

/** The id that the pack gives; undefined if it gives none. */
function givenId(x: Execution, def: ResourceDef, value: Json): string | undefined {
  if (typeof value === 'number') return x.ownId(def, String(value));
  return typeof value === 'string' ? x.ownId(def, value) : undefined;
}
