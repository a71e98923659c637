import { ControlRejection, foldedPast, type ForkOptions, momentNamed, type WorldOptions } from '../control/index.js';
import type { Engine } from '../runtime/index.js';

/** Names that look like the id of a world. */
const idPattern = /^w\d+$/;

/** The rejection (400) for an invalid option of a new world. */
export function invalidOption(path: string, message: string): ControlRejection {
  return new ControlRejection(400, 'invalid_value', message, { path });
}

/** Checks the name of a new world. @throws ControlRejection for a name that looks like an id, or that databases don't accept */
export function requireWorldName(name: string | undefined): void {
  if (name?.includes('\0')) throw invalidOption('name', 'a name has no character U+0000');
  if (name !== undefined && idPattern.test(name))
    throw invalidOption('name', `'${name}' is the form of ids: a name must be another one`);
}

export function nameTaken(name: string): ControlRejection {
  return new ControlRejection(409, 'name_taken', `there is a world '${name}' already`, { path: 'name' });
}

/** Checks that several new worlds have no common name. @throws ControlRejection if a name is given */
export function requireNoName({ name }: WorldOptions): void {
  if (name !== undefined) throw invalidOption('name', "'name' cannot stand beside 'count': each world has its own");
}

/** Checks the options of a fork. @throws ControlRejection if they include options that a fork inherits */
export function requireForkAlone(options: WorldOptions): void {
  for (const key of ['pack', 'seed', 't0'] as const)
    if (options[key] !== undefined)
      throw invalidOption(key, `'${key}' is not possible with 'from': a fork keeps its world's`);
}

/**
 * Finds the start of a fork.
 * @returns number of the ledger entry after which it begins
 * @throws ControlRejection for an unknown moment
 */
export function forkEntry(engine: Engine, { at }: ForkOptions): number {
  const entry = at === undefined ? engine.world.ledger.count : momentNamed(engine, at);
  foldedPast(engine, entry);
  return entry;
}

/**
 * Checks that more worlds can be created.
 * @param owner of the worlds
 * @throws ControlRejection if the limit of worlds would be exceeded
 */
export function requireRoom(count: number, more: number, most: number, owner?: string): void {
  if (count + more <= most) return;
  const there = owner === undefined ? `there are ${count} worlds` : `team ${owner} has ${count} worlds`;
  throw new ControlRejection(409, 'too_many_worlds', `${there}, and no more than ${most} may be`, { limit: most });
}

/**
 * The rejection (409) of a call that would delete the first world.
 * @param lifetime what ends the first world: its server or its store
 */
export function firstWorldStays(lifetime: string): ControlRejection {
  return new ControlRejection(
    409,
    'first_world',
    `the first world exists as long as the ${lifetime}; POST /__admin__/reset empties it`,
  );
}
