import { type DeleteStep, inside } from '../../model/index.js';
import { programOf, stepKind } from './kind.js';
import { target } from './target.js';

/** `delete`: removes an object. */
export const compileDelete = stepKind({
  check(step: DeleteStep, place, context) {
    return target(context, step.delete, inside(place, 'delete'));
  },

  run(object) {
    return (frame, execution) => {
      execution.delete(programOf(execution, object.def), object.row(frame, execution));
      return undefined;
    };
  },
});
