import { accepts, bare, describeType } from '../../expression/index.js';
import { inside, type ReturnStep } from '../../model/index.js';
import { stepKind } from './kind.js';

/** `return`: ends the flow or operation with a value. */
export const compileReturn = stepKind({
  check(step: ReturnStep, place, context) {
    const { diagnostics, env } = context.compiler;
    const at = inside(place, 'return');
    const { result } = context;
    const value =
      result === undefined
        ? diagnostics.returned(at, step.return, context.scope, env)
        : diagnostics.template(at, step.return, context.scope, env);
    if (result !== undefined && value.constant !== undefined && !accepts(result, value.type)) {
      const isName = typeof step.return === 'string' && context.scope.lookup(step.return) !== undefined;
      const message = `the flow returns ${describeType(result)}, not ${describeType(value.type)}`;
      diagnostics.problem(at, 'wrong-type', message, isName ? { suggestion: `=${String(step.return)}` } : {});
    }
    return value;
  },

  emit(value, { returns }) {
    return [`return ${bare(returns(value))};`];
  },
});
