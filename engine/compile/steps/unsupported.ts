import { scriptLiteral } from '../../expression/index.js';
import { inside, type UnsupportedStep } from '../../model/index.js';
import { toText } from '../../values/index.js';
import { stepKind } from './kind.js';

/** `unsupported`: reports a request that the pack doesn't emulate. */
export const compileUnsupported = stepKind({
  check(step: UnsupportedStep, place, { compiler: { diagnostics, env }, scope }) {
    const name = diagnostics.template(inside(place, 'unsupported'), step.unsupported, scope, env);
    return { name, kind: step.kind ?? 'parameter' };
  },

  emit({ name, kind }, { scope }) {
    return [`x.unsupported(${scriptLiteral(kind)}, ${scope.unit.refer(toText, 'toText')}(${name.js}));`];
  },
});
