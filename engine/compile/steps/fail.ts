import { bare, scriptLiteral } from '../../expression/index.js';
import { type FailStep, inside } from '../../model/index.js';
import { Rejection } from '../../program/index.js';
import { argumentsObject, compileArguments } from './arguments.js';
import { stepKind } from './kind.js';
import { namesOf } from './names.js';

/** `fail`: ends the command with an error of the pack. */
export const compileFail = stepKind({
  check(step: FailStep, place, context) {
    const { model, used } = context.compiler;
    const { names, js } = namesOf(step.fail, inside(place, 'fail'), 'error', model.errors, context);
    for (const name of names) used.errors.add(name);
    const errors = names.flatMap((name) => model.errors.get(name) ?? []);
    if (errors.length === 0 || errors.length < names.length) return undefined;
    const declared = new Map(
      errors.flatMap(({ args }) =>
        [...args].map(([arg, schema]) => [
          arg,
          { type: schema.expr, required: !schema.nullable && schema.default === undefined },
        ]),
      ),
    );
    const args = compileArguments(context, step.with, declared, inside(place, 'with'), `error ${names.join(', ')}`);
    return { error: js ?? scriptLiteral(names[0]), args, keep: step.keep === true };
  },

  emit({ error, args, keep }, { scope }) {
    const rejection = scope.unit.refer(Rejection, 'Rejection');
    return [`throw new ${rejection}(${error}, ${bare(argumentsObject(args))}, ${keep});`];
  },
});
