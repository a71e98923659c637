import type { Compiled } from '../../expression/index.js';
import { inside, type LetStep, type Place } from '../../model/index.js';
import { assignResult, bind, type Binding, type StepContext } from '../context.js';
import { stepKind } from './kind.js';

/** `let`: binds values to names, in order. */
export const compileLet = stepKind({
  check(step: LetStep, place, context): readonly { readonly compiled: Compiled; readonly binding: Binding }[] {
    const { diagnostics, env } = context.compiler;
    return Object.entries(step.let).map(([name, value]) => {
      const at = inside(place, 'let', name);
      warnOfLostValue(name, value, at, context);
      const compiled = value.startsWith('${')
        ? diagnostics.template(at, value, context.scope, env)
        : diagnostics.bare(at, value, context.scope, env);
      return { compiled, binding: bind(context, name, compiled.type) };
    });
  },

  run(bindings) {
    return (frame, execution) => {
      for (const { compiled, binding } of bindings) assignResult(binding, frame, execution, compiled, frame);
      return undefined;
    };
  },
});

/** A block that adds to a value of the steps around it adds to a copy, which ends with the block. */
function warnOfLostValue(name: string, value: string, place: Place, { scope, compiler }: StepContext): void {
  const reads = new RegExp(`(?<![\\w.'"])${name}(?![\\w'":])`).test(value);
  if (!reads || scope.own().has(name) || !scope.outer(name)) return;
  const message = `'${name}' of the steps around this block stays as it was (a loop gathers values with \`collect\`)`;
  compiler.diagnostics.problem(place, 'lost-value', message, { at: 'key', severity: 'warning' });
}
