import { type EmitStep, inside, type Place } from '../../model/index.js';
import type { StepContext } from '../context.js';
import { stepKind } from './kind.js';
import { type Target, target } from './target.js';

/** `emit`: emits an event about an object, to all endpoints or to one alone. */
export const compileEmit = stepKind({
  check(step: EmitStep, place, context) {
    const { diagnostics, env, eventOwners, used } = context.compiler;
    const name = step.emit;
    const owner = eventOwners.get(name);
    used.events.add(name);
    if (!owner) {
      diagnostics.unknown(inside(place, 'emit'), 'event', name, eventOwners.keys());
      return undefined;
    }
    const object = target(context, step.object, inside(place, 'object'));
    const snapshot =
      step.snapshot === undefined
        ? undefined
        : diagnostics.template(inside(place, 'snapshot'), step.snapshot, context.scope, env);
    const receiver = step.only_to === undefined ? null : receiverOf(step.only_to, inside(place, 'only_to'), context);
    return object && receiver !== undefined ? { name, owner, object, snapshot, receiver } : undefined;
  },

  emit({ name, owner, object, snapshot, receiver }, { compiler, scope }) {
    const event = scope.unit.refer(compiler.programs[owner.index].events.get(name), 'event');
    const told = snapshot === undefined ? '' : `, ${snapshot.js}`;
    if (receiver) return [`x.address(${event}, ${object.row}, ${receiver.row}${told});`];
    return [`x.emit(${event}, ${object.row}${told});`];
  },
});

/** The endpoint that alone gets an event. */
function receiverOf(source: string, place: Place, context: StepContext): Target | undefined {
  const { diagnostics, model } = context.compiler;
  const found = target(context, source, place);
  const wanted = model.settings.delivery?.endpoint.resource;
  if (wanted === undefined)
    diagnostics.problem(place, 'no-delivery', 'the pack delivers no events: it has no `delivery`');
  else if (found && found.def.name !== wanted)
    diagnostics.problem(place, 'wrong-type', `events are delivered to a ${wanted}, this is a ${found.def.name}`);
  return found;
}
