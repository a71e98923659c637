import type { Dice } from './dice.js';
import type { Action } from './kit.js';
import { textField, type ObservedWorld } from './view.js';

/** What an action makes of the ids that it needs; null: not now. */
export type Maker = Action['make'];

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

/** An action on an object of some status. */
export function on(
  resource: string,
  statuses: readonly string[],
  make: (id: string, dice: Dice, view: ObservedWorld) => ReturnType<Maker>,
): Maker {
  return (dice, view) => {
    const id = some(dice, view, resource, ...statuses);
    return id === undefined ? null : make(id, dice, view);
  };
}
