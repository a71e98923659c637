import { scriptLiteral } from '../../expression/index.js';
import type { UnpinStep } from '../../model/index.js';
import { stepKind } from './kind.js';
import { compiledPinTarget } from './target.js';

/** `unpin`: removes the overrides of a path of an object. */
export const compileUnpin = stepKind({
  check(step: UnpinStep, place, context) {
    const object = compiledPinTarget(context, step.to, step.unpin, place, 'unpin');
    return object && { object, path: step.unpin };
  },

  emit({ object, path }) {
    return [`x.unpin(${object.row}, ${scriptLiteral(path)});`];
  },
});
