import { bare, scriptLiteral } from '../../expression/index.js';
import { inside, type SendStep } from '../../model/index.js';
import { definitionOf } from '../context.js';
import { argumentsObject } from './arguments.js';
import { stepKind } from './kind.js';
import { target } from './target.js';

/** `send`: sends a trigger to the machine of an object. */
export const compileSend = stepKind({
  check(step: SendStep, place, context) {
    const { diagnostics, env } = context.compiler;
    const object = target(context, step.to, inside(place, 'to'));
    const payload = Object.entries(step.with ?? {}).map(
      ([name, value]) => [name, diagnostics.template(inside(place, 'with', name), value, context.scope, env)] as const,
    );
    if (!object) return undefined;
    const { machine } = object.def;
    if (!machine) diagnostics.problem(inside(place, 'send'), 'no-machine', `${object.def.title} has no machine`);
    else diagnostics.known(inside(place, 'send'), 'trigger', step.send, machine.triggers());
    return { object, payload, trigger: step.send };
  },

  emit({ object, payload, trigger }, context) {
    const definition = definitionOf(object.def, context);
    return [`x.send(${definition}, ${object.row}, ${scriptLiteral(trigger)}, ${bare(argumentsObject(payload))});`];
  },
});
