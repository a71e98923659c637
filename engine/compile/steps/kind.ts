import type { Place, ResourceDef, StepFile } from '../../model/index.js';
import type { Execution, ResourceProgram, Step } from '../../program/index.js';
import type { StepContext } from '../context.js';

/** Compiles a step of one kind. Mistakes are reported; a step that has some does nothing. */
export type StepCompiler<S extends StepFile> = (step: S, place: Place, context: StepContext) => Step;

/** One kind of step, in its two halves. */
interface StepKindParts<S extends StepFile, P> {
  /**
   * Resolves the names of the step, compiles its expressions, declares the variables that it binds and reports mistakes.
   * @returns what `run` needs; undefined when the step could not run
   */
  readonly check: (step: S, place: Place, context: StepContext) => P | undefined;
  /** What the step does once it is checked. */
  readonly run: (plan: P) => Step;
}

/** Puts the halves of a kind of step together. */
export function stepKind<S extends StepFile, P>({ check, run }: StepKindParts<S, P>): StepCompiler<S> {
  return (step, place, context) => {
    const plan = check(step, place, context);
    return plan === undefined ? () => undefined : run(plan);
  };
}

/** What can happen to objects of a resource, in the world in which steps run. */
export function programOf(execution: Execution, def: ResourceDef): ResourceProgram {
  return execution.program(def);
}
