import { Edits, Rejection, type ResourceProgram } from '../program/index.js';
import type { Row } from '../world/index.js';
import type { Command } from './command.js';

/**
 * Deletes or changes, as the pack declares, the objects that refer to an object which is about to be deleted.
 * @param leaving objects that are already being deleted
 * @throws Rejection (`still_referenced`) if the pack forbids the deletion while a reference exists
 */
export function releaseDependents(
  command: Command,
  { dependents, def }: ResourceProgram,
  row: Row,
  leaving: Set<Row>,
): void {
  const { id } = row;
  command.enter();
  leaving.add(row);
  for (const { resource, field, rule } of dependents) {
    const program = command.runtime.resources[resource];
    for (const object of command.findObjects(resource, [[field, id]], rule === 'refuse' ? 2 : Infinity)) {
      const each = command.row(resource, String(object['id']));
      if (each === undefined || leaving.has(each)) continue;
      command.spend(1);
      if (rule === 'refuse') {
        const { name, title } = program.def;
        const by = { by: name, by_title: title, by_id: each.id };
        throw new Rejection('still_referenced', { id, title: def.title, resource: def.name, ...by });
      }
      if (rule === 'cascade') command.delete(program.def, each);
      else {
        const edits = new Edits(each.value);
        edits.set(field, null);
        command.change(each, edits);
        command.emitUpdated(each);
      }
    }
  }
  leaving.delete(row);
  command.leave();
}
