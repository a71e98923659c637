import { type DeleteStep, inside } from '../../model/index.js';
import { definitionOf } from '../context.js';
import { stepKind } from './kind.js';
import { target } from './target.js';

/** `delete`: removes an object. */
export const compileDelete = stepKind({
  check(step: DeleteStep, place, context) {
    return target(context, step.delete, inside(place, 'delete'));
  },

  emit(object, context) {
    return [`x.delete(${definitionOf(object.def, context)}, ${object.row});`];
  },
});
