import { ANY, bare } from '../../expression/index.js';
import { inside, type RunStep } from '../../model/index.js';
import { bind, type Flow, held } from '../context.js';
import { compileArguments } from './arguments.js';
import { stepKind } from './kind.js';

/** `run`: runs a flow. */
export const compileRun = stepKind({
  check(step: RunStep, place, context) {
    const { flows, diagnostics, used } = context.compiler;
    const flow = flows.get(step.run);
    used.flows.add(step.run);
    if (!flow) {
      diagnostics.unknown(inside(place, 'run'), 'flow', step.run, flows.keys());
      if (step.as !== undefined) context.scope.declare(step.as, ANY);
      return undefined;
    }
    const args = compileArguments(context, step.with, flow.args, inside(place, 'with'), `flow ${step.run}`);
    const result = step.as === undefined ? undefined : bind(context, step.as, flow.returns);
    return { flow, args, result, internal: step.internal === true, dry: step.dry === true };
  },

  emit({ flow, args, result, internal, dry }, { scope, declare }) {
    const { unit } = scope;
    const called = unit.refer(flow, `flow_${flow.name}`);
    // Arguments are evaluated in the order of the step.
    const given = new Map(
      args.map(([name, value]) => [
        name,
        { local: unit.identifier(name), js: held(flow.args.get(name)?.resource, value, scope) },
      ]),
    );
    const passed = [...flow.args.keys()].map((name) => given.get(name)?.local ?? 'null');
    const call = `${called}.run(${['x', ...passed].join(', ')})`;
    const ended = dry ? dryRun(call, flow) : call;
    const into = result === undefined ? '' : `${declare}${result.js} = `;
    return [
      ...[...given.values()].map(({ local, js }) => `const ${local} = ${bare(js)};`),
      ...(internal ? ['x.internal++;'] : []),
      'x.enter();',
      `${into}${ended};`,
      'x.leave();',
      ...(internal ? ['x.internal--;'] : []),
    ];
  },
});

/** A dry run: the flow's changes are rolled back, and a returned object's value stays. */
function dryRun(call: string, { resource }: Flow): string {
  return resource === undefined ? `x.dry(() => ${call})` : `x.holder(${resource}, x.dry(() => ${call}?.value ?? null))`;
}
