import { accepts, BOOLEAN, describe, type Frame } from '../../expression/index.js';
import type { Place } from '../../model/index.js';
import type { StepContext } from '../context.js';

/** An expression that must be true or false; null counts as false. */
export function condition(source: string, place: Place, context: StepContext): (frame: Frame) => boolean {
  const { diagnostics, env } = context.compiler;
  const compiled = diagnostics.bare(place, source, context.scope, env);
  if (!accepts(BOOLEAN, compiled.type))
    diagnostics.problem(place, 'not-boolean', `this must be true or false, it is ${describe(compiled.type)}`);
  return compiled.test ?? ((frame) => compiled.run(frame) === true);
}
