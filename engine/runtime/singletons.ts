import type { ResourceProgram } from '../program/index.js';
import { bindPins } from './pins.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Makes the object that every world, and every tenant of one, has of a resource. */
export function makeSingleton(command: UnitOfWork, resource: ResourceProgram): void {
  const { name } = resource.def;
  const made = resource.shape().blank();
  for (const { name: field, absent } of resource.stored()) made[field] = field === 'id' ? name : absent(command, made);
  const row = command.insert(resource, made);
  bindPins(command, resource, row, 'seed');
  command.waits.armSilently(resource, row, command.nowMs);
}
