import type { JsonObject } from '../expression/index.js';
import { inside, type Place, type ResourceDef } from '../model/index.js';
import type { Step } from '../program/program.js';
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
  return (frame, command) => {
    const row = found.row(frame, command);
    const id = `pin_${command.randomString(16)}`;
    command.pin({ id, resource: row.resource, object: row.id, path, value: value.run(frame), once });
    return undefined;
  };
}

/** Compiles `unpin`: takes back what pins decide at a path of an object. */
export function compileUnpin(step: JsonObject, place: Place, context: StepContext): Step {
  const path = String(step['unpin']);
  const found = pinTarget(step, path, place, context);
  if (!found) return () => undefined;
  return (frame, command) => {
    const row = found.row(frame, command);
    for (const pin of [...command.world.pins.of(row.resource)]) {
      if (pin.object === row.id && pin.path === path) command.transaction.write(command.world.pins, pin.id, undefined);
    }
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

/** Pin paths that a resource declares, `branch` among them when it has branches. */
export function pinPathsOf(def: ResourceDef): string[] {
  return [...Object.keys(def.file.pins ?? {}), ...(def.file.branches ? ['branch'] : [])];
}

/** Whether a path is pinnable: declared itself or as a member of a `path.*`. */
export function isPinnable(def: ResourceDef, path: string): boolean {
  const paths = pinPathsOf(def);
  return (
    paths.includes(path) ||
    paths.some((each) => each.endsWith('.*') && path.startsWith(each.slice(0, -1)) && path.length >= each.length)
  );
}
