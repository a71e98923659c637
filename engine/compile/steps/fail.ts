import { bare, literal } from '../../expression/index.js';
import { type FailStep, inside } from '../../model/index.js';
import { Rejection } from '../../program/index.js';
import { argumentsObject, compileArguments } from './arguments.js';
import { stepKind } from './kind.js';

/** `fail`: ends the command with an error of the pack. */
export const compileFail = stepKind({
  check(step: FailStep, place, context) {
    const { model, diagnostics, used } = context.compiler;
    const error = model.errors.get(step.fail);
    used.errors.add(step.fail);
    if (!error) {
      diagnostics.unknown(inside(place, 'fail'), 'error', step.fail, model.errors.keys());
      return undefined;
    }
    const declared = new Map(
      [...error.args].map(([arg, schema]) => [
        arg,
        { type: schema.expr, required: !schema.nullable && schema.default === undefined },
      ]),
    );
    const args = compileArguments(context, step.with, declared, inside(place, 'with'), `error ${step.fail}`);
    return { error: step.fail, args, keep: step.keep === true };
  },

  emit({ error, args, keep }, { scope }) {
    const rejection = scope.unit.refer(Rejection, 'Rejection');
    return [`throw new ${rejection}(${literal(error)}, ${bare(argumentsObject(args))}, ${keep});`];
  },
});
