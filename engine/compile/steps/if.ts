import { type IfStep, inside } from '../../model/index.js';
import { childContext } from '../context.js';
import { condition } from './condition.js';
import { stepKind } from './kind.js';

/** `if`: runs one list of steps or another. */
export const compileIf = stepKind({
  check(step: IfStep, place, context) {
    const { steps } = context.compiler;
    return {
      test: condition(step.if, inside(place, 'if'), context),
      yes: steps(step.then, inside(place, 'then'), childContext(context)),
      no: steps(step.else ?? [], inside(place, 'else'), childContext(context)),
    };
  },

  emit({ test, yes, no }) {
    return [`if (${test}) {`, yes, ...(no.length === 0 ? [] : ['} else {', no]), '}'];
  },
});
