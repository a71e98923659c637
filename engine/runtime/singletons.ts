import type { ResourceProgram } from '../program/index.js';
import { bindPins } from './pins.js';
import type { Command } from './command.js';

/** Creates the object of a singleton resource in the world or the current tenant. */
export function makeSingleton(command: Command, resource: ResourceProgram): void {
  const { name } = resource.def;
  const made = resource.shape().blank();
  for (const { name: field, absent } of resource.stored()) made[field] = field === 'id' ? name : absent(command, made);
  const row = command.insert(resource, made);
  bindPins(command, resource, row, 'seed');
  command.waits.armSilently(resource, row, command.nowMs);
}

/** Creates the objects of all singleton resources for the current tenant. */
export function makeSingletons(command: Command): void {
  if (command.tenant === null) return;
  for (const resource of command.runtime.resources) {
    const { singleton, shared, name } = resource.def;
    if (singleton && !shared && command.row(resource.index, name) === undefined) makeSingleton(command, resource);
  }
}
