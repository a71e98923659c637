import { ANY } from '../../expression/index.js';
import {
  type EmitStep,
  endpointNames,
  inside,
  keyIn,
  type SourceLocation,
  type ResourceDef,
} from '../../model/index.js';
import type { StepContext } from '../context.js';
import { stepKind } from './kind.js';
import { namesOf } from './names.js';
import { type StepTarget, target } from './target.js';

/** `emit`: emits an event about an object, to all endpoints or to one. */
export const compileEmit = stepKind({
  check(step: EmitStep, place, context) {
    const { diagnostics, env, eventOwners, used } = context.compiler;
    const { names, js } = namesOf(step.emit, inside(place, 'emit'), 'event', eventOwners, context);
    for (const each of names) used.events.add(each);
    const owners = names.flatMap((name) => {
      const owner = eventOwners.get(name);
      return owner === undefined ? [] : [{ name, owner }];
    });
    if (owners.length === 0 || owners.length < names.length) return undefined;
    const object = target(context, step.object, inside(place, 'object'));
    const snapshot =
      step.snapshot === undefined
        ? undefined
        : diagnostics.template(inside(place, 'snapshot'), step.snapshot, context.scope, env);
    const receiver = step.only_to === undefined ? null : receiverOf(step.only_to, inside(place, 'only_to'), context);
    const stored = step.stored === true;
    if (step.as !== undefined && receiver && !stored)
      diagnostics.problem(keyIn(place, 'as'), 'not-stored', "the event isn't an object: `stored: true` makes it one");
    const [{ owner, name }] = owners;
    const made = step.as === undefined ? null : madeOf(owner, name, step.as, context);
    return object && receiver !== undefined ? { owners, js, object, snapshot, receiver, stored, made } : undefined;
  },

  emit({ owners, js, object, snapshot, receiver, stored, made }, { compiler, scope, declare }) {
    const { unit } = scope;
    const events = owners.map(({ owner, name }) => [name, compiler.programs[owner.index].events.get(name)] as const);
    const event =
      js === null ? unit.refer(events[0][1], 'event') : `${unit.refer(new Map(events), 'events')}.get(${js})`;
    const payload = snapshot?.js ?? 'undefined';
    const into = made === null ? '' : `${declare}${made} = `;
    if (receiver) return [`${into}x.address(${event}, ${object.row}, ${receiver.row}, ${payload}, ${stored});`];
    return [`${into}x.emit(${event}, ${object.row}, ${payload});`];
  },
});

/** Declares the variable to which the step assigns the event; returns its JavaScript name. */
function madeOf(owner: ResourceDef, name: string, as: string, { compiler, scope }: StepContext): string {
  const { events } = compiler.model.settings;
  const kind = owner.file.events?.[name]?.kind;
  const resource = kind === undefined ? events?.resource : events?.kinds.get(kind)?.resource;
  return scope.declare(as, compiler.model.byName.get(resource ?? '')?.type ?? ANY, true).js;
}

/** Compiles `to`: the only endpoint that receives the event. */
function receiverOf(source: string, place: SourceLocation, context: StepContext): StepTarget | undefined {
  const { diagnostics, model } = context.compiler;
  const found = target(context, source, place);
  const { delivery } = model.settings;
  const wanted = delivery === null ? [] : endpointNames(delivery);
  if (delivery === null) diagnostics.problem(place, 'no-delivery', 'the pack delivers no events: it has no `delivery`');
  else if (found && !wanted.includes(found.def.name))
    diagnostics.problem(
      place,
      'wrong-type',
      `events are delivered to a ${wanted.join(' or ')}, this is a ${found.def.name}`,
    );
  return found;
}
