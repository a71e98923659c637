import { scriptLiteral } from '../../expression/index.js';
import { inside, type PinStep } from '../../model/index.js';
import { stepKind } from './kind.js';
import { compiledPinTarget } from './target.js';

/** `pin`: overrides a value of an object that otherwise comes from outside. */
export const compilePin = stepKind({
  check(step: PinStep, place, context) {
    const { diagnostics, env } = context.compiler;
    const object = compiledPinTarget(context, step.to, step.pin, place, 'pin');
    const value = diagnostics.template(inside(place, 'value'), step.value, context.scope, env);
    return object && { object, path: step.pin, value, once: step.once === true };
  },

  emit({ object, path, value, once }) {
    return [`x.pin(${object.row}, ${scriptLiteral(path)}, ${value.js}, ${once});`];
  },
});
