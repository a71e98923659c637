import type { Js } from '../../expression/index.js';
import type { SourceLocation, StepFile } from '../../model/index.js';
import type { StepContext } from '../context.js';

/** Compiles a step of one kind, and reports its problems; a step with problems compiles to nothing. */
export type StepCompiler<S extends StepFile> = (step: S, place: SourceLocation, context: StepContext) => Js;

/** The two parts of a compiler for one kind of step: a check and an emitter. */
interface StepKindParts<S extends StepFile, P> {
  /**
   * Resolves the step's names, compiles its expressions, declares the variables that it binds and reports problems.
   * @returns the input of `emit`; undefined if the step can't run
   */
  readonly check: (step: S, place: SourceLocation, context: StepContext) => P | undefined;
  /** Writes the JavaScript of a checked step. */
  readonly emit: (plan: P, context: StepContext) => Js;
}

/** Makes the compiler for one kind of step from its two parts. */
export function stepKind<S extends StepFile, P>({ check, emit }: StepKindParts<S, P>): StepCompiler<S> {
  return (step, place, context) => {
    const plan = check(step, place, context);
    return plan === undefined ? [] : emit(plan, context);
  };
}
