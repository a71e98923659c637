import { bare } from '../../expression/index.js';
import type { SourceLocation } from '../../model/index.js';
import type { StepContext } from '../context.js';

/** Compiles an expression that has to be a boolean; null counts as false. */
export function condition(source: string, place: SourceLocation, context: StepContext): string {
  const { diagnostics, env } = context.compiler;
  const { js, raw, gives } = diagnostics.condition(place, source, context.scope, env);
  return gives === 'boolean' ? bare(js) : `${raw ?? js} === true`;
}
