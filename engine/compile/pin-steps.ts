import type { JsonObject } from '../expression/index.js';
import { inside, isPinnable, pinPathsOf, type Place } from '../model/index.js';
import type { Step } from '../program/index.js';
import { type StepContext, target } from './context.js';

/** Compiles `pin`: decides a value of an object from outside. */
export function compilePin(step: JsonObject, place: Place, context: StepContext): Step {
  const path = String(step['pin']);
  const found = pinTarget(step, path, place, context);
  const value = context.compiler.linking.template(
    inside(place, 'value'),
    step['value'] ?? null,
    context.scope,
    context.compiler.env,
  );
  if (!found) return () => undefined;
  const once = step['once'] === true;
  return (frame, execution) => {
    const row = found.row(frame, execution);
    execution.pin(row, path, value.run(frame), once);
    return undefined;
  };
}

/** Compiles `unpin`: takes back what pins decide at a path of an object. */
export function compileUnpin(step: JsonObject, place: Place, context: StepContext): Step {
  const path = String(step['unpin']);
  const found = pinTarget(step, path, place, context);
  if (!found) return () => undefined;
  return (frame, execution) => {
    execution.unpin(found.row(frame, execution), path);
    return undefined;
  };
}

function pinTarget(step: JsonObject, path: string, place: Place, context: StepContext): ReturnType<typeof target> {
  const found = target(context, step['to'] as string | undefined, inside(place, 'to'));
  if (found && !isPinnable(found.def, path)) {
    const known = pinPathsOf(found.def);
    context.compiler.linking.unknown(
      inside(place, step['pin'] === undefined ? 'unpin' : 'pin'),
      'pin path',
      path,
      known,
    );
  }
  return found;
}
