import { ANY, frameOf } from '../../expression/index.js';
import { inside, type RunStep } from '../../model/index.js';
import { lazy } from '../../program/index.js';
import { assign, assignResult, bind } from '../context.js';
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
    // A flow is compiled when it first runs; its variables are not known before.
    const given = lazy(() =>
      args.flatMap(([arg, compiled]) => {
        const binding = flow.program().bindings.get(arg);
        return binding ? [{ compiled, binding }] : [];
      }),
    );
    return { flow, given, result, internal: step.internal === true ? 1 : 0, dry: step.dry === true };
  },

  run({ flow, given, result, internal, dry }) {
    return (frame, execution) => {
      const program = flow.program();
      const inner = frameOf(execution, program.size);
      for (const { compiled, binding } of given()) assignResult(binding, inner, execution, compiled, frame);
      execution.internal += internal;
      const returned = dry ? execution.dry(() => execution.nested(program, inner)) : execution.nested(program, inner);
      execution.internal -= internal;
      if (result) assign(result, frame, execution, returned?.value ?? null);
      return undefined;
    };
  },
});
