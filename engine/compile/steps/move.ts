import { inside, type MoveStep } from '../../model/index.js';
import { definitionOf } from '../context.js';
import { stepKind } from './kind.js';
import { target } from './target.js';

/** `move`: gives an object, and all that belongs to it, another id. */
export const compileMove = stepKind({
  check(step: MoveStep, place, context) {
    const { diagnostics, env } = context.compiler;
    const object = target(context, step.move, inside(place, 'move'));
    const id = diagnostics.template(inside(place, 'id'), step.id, context.scope, env);
    if (object === undefined) return undefined;
    if (id.type.kind !== 'string' && id.type.kind !== 'any')
      diagnostics.problem(inside(place, 'id'), 'wrong-type', 'an id is a text');
    if (object.def.ids.prefix !== '' || object.def.file.id?.key === undefined)
      diagnostics.problem(
        inside(place, 'move'),
        'wrong-type',
        `${object.def.title} has ids that mean nothing: only objects with \`id: { key: [...] }\` move`,
      );
    return { ...object, id };
  },

  emit({ def, row, id }, context) {
    return [`x.move(${definitionOf(def, context)}, ${row}, String(${id.js}));`];
  },
});
