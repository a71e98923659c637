import type { Dice } from './dice.js';
import type { Action } from './kit.js';
import { textField, type ObservedWorld } from './view.js';

/** Id of some object of a resource, of one status if it says so. Now and then one that fits badly. */
export function some(
  dice: Dice,
  view: ObservedWorld,
  resource: string,
  ...statuses: readonly string[]
): string | undefined {
  const all = view.all(resource);
  const fit =
    statuses.length === 0 || dice.chance(8) ? all : all.filter((each) => statuses.includes(textField(each, 'status')));
  // Mostly what is new: that is what applications work with.
  const found = dice.maybe(dice.chance(60) ? fit.slice(-4) : fit);
  return found && textField(found, 'id');
}

/** Something that can be done; the heavier the likelier. */
export function act(weight: number, make: Action['make']): Action {
  return { weight, make };
}

/** An action on an object of some status. */
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
