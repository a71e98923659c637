import { ANY, type Json } from '../../expression/index.js';
import { type CreateStep, inside } from '../../model/index.js';
import { programOf } from '../context.js';
import { compileMaker } from '../maker.js';
import { stepKind } from './kind.js';

/** `create`: makes an object and enters the initial state of its machine. */
export const compileCreate = stepKind({
  check(step: CreateStep, place, context) {
    const { compiler, scope } = context;
    const { model, diagnostics, env } = compiler;
    const def = model.byName.get(step.create);
    if (!def) {
      diagnostics.unknown(inside(place, 'create'), 'resource', step.create, model.byName.keys());
      scope.declare(step.as ?? step.create, ANY);
      return undefined;
    }
    const id = scope.unit.identifier('id');
    const making = compileMaker(context, def, step, place, id);
    const given = step.id === undefined ? undefined : diagnostics.template(inside(place, 'id'), step.id, scope, env);
    const { js } = scope.declare(step.as ?? step.create, def.type, true);
    const self = context.creates?.resource === def ? context.creates.self : undefined;
    return { def, id, given, making, js, self, silent: step.silent === true };
  },

  emit({ def, id, given, making, js, self, silent }, context) {
    const { unit } = context.scope;
    const made = `x.newId(${unit.refer(def, `def_${def.name}`)})`;
    return [
      `const ${id} = ${given === undefined ? made : `${unit.refer(givenId, 'givenId')}(${given.js}) ?? ${made}`};`,
      ...making.lines,
      `${context.declare}${js} = x.create(${programOf(def, context)}, ${making.made}, ${silent});`,
      ...(self === undefined ? [] : [`${self} ??= ${js};`]),
    ];
  },
});

function givenId(value: Json): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
