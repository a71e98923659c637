import { inside, type ReturnStep } from '../../model/index.js';
import { Returned } from '../../program/index.js';
import { resourceOf } from '../context.js';
import { stepKind } from './kind.js';

/** `return`: ends the flow or operation with a value. */
export const compileReturn = stepKind({
  check(step: ReturnStep, place, context) {
    const { diagnostics, env } = context.compiler;
    const value = diagnostics.template(inside(place, 'return'), step.return, context.scope, env);
    return { value, resource: resourceOf(value.type, env) ?? null };
  },

  run({ value, resource }) {
    return (frame) => new Returned(value.run(frame), resource);
  },
});
