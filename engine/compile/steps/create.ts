import { ANY } from '../../expression/index.js';
import { type CreateStep, inside } from '../../model/index.js';
import { compileMaker } from '../maker.js';
import { programOf, stepKind } from './kind.js';

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
    const make = compileMaker(context, def, step, place);
    const id = step.id === undefined ? undefined : diagnostics.template(inside(place, 'id'), step.id, scope, env).run;
    const { slot } = scope.declare(step.as ?? step.create, def.type, true);
    const self = context.creates?.resource === def ? context.creates.slot : undefined;
    return { def, make, id, slot, self, silent: step.silent === true };
  },

  run({ def, make, id, slot, self, silent }) {
    return (frame, execution) => {
      const resource = programOf(execution, def);
      const given = id?.(frame);
      const made = make(frame, execution, typeof given === 'string' ? given : execution.newId(def));
      const row = execution.create(resource, made, silent);
      frame[slot] = row;
      if (self !== undefined && frame[self] === null) frame[self] = row;
      return undefined;
    };
  },
});
