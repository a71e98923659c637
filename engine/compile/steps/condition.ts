import { accepts, bare, BOOLEAN, describe } from '../../expression/index.js';
import type { Place } from '../../model/index.js';
import type { StepContext } from '../context.js';

/** JavaScript of an expression that must be true or false; null counts as false. */
export function condition(source: string, place: Place, context: StepContext): string {
  const { diagnostics, env } = context.compiler;
  const { type, js, raw, gives } = diagnostics.bare(place, source, context.scope, env);
  if (!accepts(BOOLEAN, type))
    diagnostics.problem(place, 'wrong-type', `this must be true or false, it is ${describe(type)}`);
  return gives === 'boolean' ? bare(js) : `${raw ?? js} === true`;
}
