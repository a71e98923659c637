import { isObject } from '../values/index.js';
import type { ResourceDef } from '../model/index.js';
import type { World } from '../world/index.js';
import type { ChangeStep, ObjectDifference } from './changes.js';
import { textOrNull } from './lookup.js';
import * as s from './schema.js';

export const TransitionSchema = s.object({ from: s.string.orNull(), to: s.string, trigger: s.string.orNull() });

export type Transition = s.Shown<typeof TransitionSchema>;

/** Returns the transition of an object's machine that changed a value; null if the value isn't the object's status. */
export function transitionOf(
  world: World,
  def: ResourceDef,
  id: string,
  { entry, path, from, to }: ChangeStep & ObjectDifference,
): Transition | null {
  if (path.length !== 1 || path[0] !== def.status || typeof to !== 'string') return null;
  const { args } = entry;
  const seen = entry.trace === null ? undefined : world.traces.get(entry.trace);
  const traced = seen?.transitions.findLast((each) => each.id === id && each.to === to);
  const timer = entry.command === 'timer' && isObject(args) && args['object'] === id ? args['trigger'] : null;
  return { from: textOrNull(from), to, trigger: traced?.trigger ?? textOrNull(timer) };
}
