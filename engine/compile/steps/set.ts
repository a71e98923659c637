import { inside, type SetStep } from '../../model/index.js';
import { compileChanger } from '../maker.js';
import { stepKind } from './kind.js';
import { target } from './target.js';

/** `set`: changes fields of an object. */
export const compileSet = stepKind({
  check(step: SetStep, place, context) {
    const object = target(context, step.set, inside(place, 'set'));
    return object && { object, change: compileChanger(context, object.def, step, place) };
  },

  run({ object, change }) {
    return (frame, execution) => {
      const row = object.row(frame, execution);
      execution.change(row, change(frame, execution, row.value));
      return undefined;
    };
  },
});
