import { bare } from '../../expression/index.js';
import { inside, type ReturnStep } from '../../model/index.js';
import { stepKind } from './kind.js';

/** `return`: ends the flow or operation with a value. */
export const compileReturn = stepKind({
  check(step: ReturnStep, place, context) {
    const { diagnostics, env } = context.compiler;
    return diagnostics.template(inside(place, 'return'), step.return, context.scope, env);
  },

  emit(value, { returns }) {
    return [`return ${bare(returns(value))};`];
  },
});
