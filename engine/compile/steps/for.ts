import { ANY, asList, describe, type Json } from '../../expression/index.js';
import { type ForStep, inside, type Place } from '../../model/index.js';
import { assign, bind, childContext, type StepContext } from '../context.js';
import { stepKind } from './kind.js';

/** `for`: does steps for each item of a list, and may collect a value of each round. */
export const compileFor = stepKind({
  check(step: ForStep, place, context) {
    const { diagnostics, env, steps } = context.compiler;
    const list = diagnostics.bare(inside(place, 'in'), step.in, context.scope, env);
    if (!['list', 'any', 'null'].includes(list.type.kind))
      diagnostics.problem(inside(place, 'in'), 'not-a-list', `this must be a list, it is ${describe(list.type)}`);
    const inner = childContext(context);
    const item = bind(inner, step.for, list.type.kind === 'list' ? list.type.of : ANY);
    const body = steps(step.do, inside(place, 'do'), inner);
    return { list, item, body, collect: compileCollect(step, place, context, inner) };
  },

  run({ list, item, body, collect }) {
    return (frame, execution) => {
      const collected: Json[] = [];
      for (const value of asList(list.run(frame), 'for')) {
        assign(item, frame, execution, value);
        const returned = body(frame, execution);
        if (returned !== undefined) return returned;
        if (collect) collected.push(collect.run(frame));
      }
      if (collect) assign(collect.binding, frame, execution, collected);
      return undefined;
    };
  },
});

/** The list of what `collect` gives in each round, bound to `as` once the loop is over. */
function compileCollect(step: ForStep, place: Place, outer: StepContext, inner: StepContext) {
  if (step.collect === undefined || step.as === undefined) return undefined;
  const { diagnostics, env } = outer.compiler;
  const { run, type } = diagnostics.template(inside(place, 'collect'), step.collect, inner.scope, env);
  return { run, binding: bind(outer, step.as, { kind: 'list', of: type }) };
}
