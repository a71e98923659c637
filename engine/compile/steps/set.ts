import { inside, type SetStep } from '../../model/index.js';
import { compileChanger } from '../changer.js';
import { stepKind } from './kind.js';
import { target } from './target.js';

/** `set`: changes fields of an object. */
export const compileSet = stepKind({
  check(step: SetStep, place, context) {
    const object = target(context, step.set, inside(place, 'set'));
    if (!object) return undefined;
    const row = context.scope.unit.identifier('row');
    return { object, row, changing: compileChanger(context, object.def, step, place, `${row}.value`) };
  },

  emit({ object, row, changing }) {
    return [`const ${row} = ${object.row};`, ...changing.lines, `x.change(${row}, ${changing.edits});`];
  },
});
