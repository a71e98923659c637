import { accepts, describeType, DURATION } from '../../expression/index.js';
import { type DelayStep, inside } from '../../model/index.js';
import { stepKind } from './kind.js';

/** `delay`: delays the response, in real time. */
export const compileDelay = stepKind({
  check(step: DelayStep, place, { compiler: { diagnostics, env }, scope }) {
    const at = inside(place, 'delay');
    const duration = diagnostics.bare(at, step.delay, scope, env);
    if (!accepts(DURATION, duration.type))
      diagnostics.problem(
        at,
        'wrong-type',
        `this must be a duration, such as seconds(2), it is ${describeType(duration.type)}`,
      );
    return duration;
  },

  emit({ js }) {
    return [`x.delayResponse(${js} ?? 0);`];
  },
});
