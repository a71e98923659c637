import type { UnpinStep } from '../../model/index.js';
import { stepKind } from './kind.js';
import { pinTarget } from './target.js';

/** `unpin`: takes back what pins decide at a path of an object. */
export const compileUnpin = stepKind({
  check(step: UnpinStep, place, context) {
    const object = pinTarget(context, step.to, step.unpin, place, 'unpin');
    return object && { object, path: step.unpin };
  },

  run({ object, path }) {
    return (frame, execution) => {
      execution.unpin(object.row(frame, execution), path);
      return undefined;
    };
  },
});
