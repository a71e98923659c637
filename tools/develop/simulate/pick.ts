import type { Dice } from './dice.js';
import type { Action } from './kit.js';
import { textField, type ObservedWorld } from './view.js';

/** Chooses the id of a random object, mostly one with the given status. Sometimes an unsuitable one. */
export function some(
  dice: Dice,
  view: ObservedWorld,
  resource: string,
  ...statuses: readonly string[]
): string | undefined {
  const all = view.all(resource);
  const fit =
    statuses.length === 0 || dice.chance(8) ? all : all.filter((each) => statuses.includes(textField(each, 'status')));
  // Chooses mostly new objects, since applications use those most.
  const found = dice.maybe(dice.chance(60) ? fit.slice(-4) : fit);
  return found && textField(found, 'id');
}

/** Declares an action with its weight. */
export function act(weight: number, make: Action['make']): Action {
  return { weight, make };
}

/** Declares an action on an object with a status. */
export function actOn(
  weight: number,
  resource: string,
  statuses: readonly string[],
  make: (id: string, dice: Dice, view: ObservedWorld) => ReturnType<Action['make']>,
): Action {
  return act(weight, (dice, view) => {
    const id = some(dice, view, resource, ...statuses);
    return id === undefined ? null : make(id, dice, view);
  });
}
