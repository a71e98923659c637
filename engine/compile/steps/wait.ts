import { scriptLiteral } from '../../expression/index.js';
import { inside, type WaitStep, waitTrigger } from '../../model/index.js';
import { definitionOf } from '../context.js';
import { stepKind } from './kind.js';
import { target } from './target.js';

/** `wait`: starts, restarts or ends a wait of an object. */
export const compileWait = stepKind({
  check(step: WaitStep, place, context) {
    const object = target(context, step.to, inside(place, 'to'));
    if (!object) return undefined;
    const known = Object.keys(object.def.file.waits ?? {});
    context.compiler.diagnostics.known(inside(place, 'wait'), 'wait', step.wait, known);
    return { object, trigger: waitTrigger(step.wait), stop: step.stop === true };
  },

  emit({ object, trigger, stop }, context) {
    return [`x.wait(${definitionOf(object.def, context)}, ${object.row}, ${scriptLiteral(trigger)}, ${stop});`];
  },
});
