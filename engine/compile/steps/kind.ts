import type { Js } from '../../expression/index.js';
import type { SourceLocation, StepFile } from '../../model/index.js';
import type { StepContext } from '../context.js';

/** Compiles a step of one kind. Problems are reported; a step that has some does nothing. */
export type StepCompiler<S extends StepFile> = (step: S, place: SourceLocation, context: StepContext) => Js;

/** One kind of step, in its two halves. */
interface StepKindParts<S extends StepFile, P> {
  /**
   * Resolves the names of the step, compiles its expressions, declares the variables that it binds and reports problems.
   * @returns what `emit` needs; undefined when the step could not run
   */
  readonly check: (step: S, place: SourceLocation, context: StepContext) => P | undefined;
  /** The JavaScript of the step once it is checked. */
  readonly emit: (plan: P, context: StepContext) => Js;
}

/** Puts the halves of a kind of step together. */
export function stepKind<S extends StepFile, P>({ check, emit }: StepKindParts<S, P>): StepCompiler<S> {
  return (step, place, context) => {
    const plan = check(step, place, context);
    return plan === undefined ? [] : emit(plan, context);
  };
}
