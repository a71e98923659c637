import { ANY, describeType, itemsOf, MISTAKEN } from '../../expression/index.js';
import { type ForStep, inside, type SourceLocation } from '../../model/index.js';
import { bind, childContext, type StepContext } from '../context.js';
import { stepKind } from './kind.js';

/** `for`: runs steps for each item of a list; `collect` gathers a value of each round. */
export const compileFor = stepKind({
  check(step: ForStep, place, context) {
    const { diagnostics, env, steps } = context.compiler;
    const list = diagnostics.bare(inside(place, 'in'), step.in, context.scope, env);
    if (!['list', 'any', 'null'].includes(list.type.kind))
      diagnostics.problem(inside(place, 'in'), 'wrong-type', `this must be a list, it is ${describeType(list.type)}`);
    const inner = childContext(context);
    const item = bind(
      inner,
      step.for,
      list.type.kind === 'list' ? list.type.of : list.type === MISTAKEN ? MISTAKEN : ANY,
    );
    const body = steps(step.do, inside(place, 'do'), inner);
    return { list, item, body, collect: compileCollect(step, place, context, inner) };
  },

  emit({ list, item, body, collect }, { scope, declare }) {
    const value = scope.unit.identifier(`each_${item.js}`);
    const variable = item.resource === undefined ? item.js : value;
    const current = item.resource === undefined ? [] : [`const ${item.js} = x.holder(${item.resource}, ${value});`];
    const loop = [
      `for (const ${variable} of ${scope.unit.refer(itemsOf, 'itemsOf')}(${list.js})) {`,
      [...current, ...body],
    ];
    if (!collect) return [...loop, '}'];
    const { gathered, into, each } = collect;
    return [
      `const ${gathered} = [];`,
      ...loop,
      [`${gathered}.push(${each.js});`],
      '}',
      `${declare}${into} = ${gathered};`,
    ];
  },
});

/** Compiles `collect`: the value gathered in each round, and the variable `as` for the list of them. */
function compileCollect(step: ForStep, place: SourceLocation, outer: StepContext, inner: StepContext) {
  if (step.collect === undefined || step.as === undefined) return undefined;
  const { diagnostics, env } = outer.compiler;
  const each = diagnostics.template(inside(place, 'collect'), step.collect, inner.scope, env);
  const gathered = outer.scope.unit.identifier('gathered');
  return { each, gathered, into: bind(outer, step.as, { kind: 'list', of: each.type }).js };
}
