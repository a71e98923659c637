import type { Frame } from '../../expression/index.js';
import {
  ALL_STEP_KINDS,
  inside,
  isStep,
  type Place,
  type StepFile,
  type StepKind,
  type StepKinds,
} from '../../model/index.js';
import type { Step } from '../../program/index.js';
import type { StepContext } from '../context.js';
import { compileAdvanceClock } from './advance-clock.js';
import { condition } from './condition.js';
import { compileCreate } from './create.js';
import { compileDelete } from './delete.js';
import { compileEmit } from './emit.js';
import { compileFail } from './fail.js';
import { compileFor } from './for.js';
import { compileIf } from './if.js';
import type { StepCompiler } from './kind.js';
import { compileLet } from './let.js';
import { compilePin } from './pin.js';
import { compileReturn } from './return.js';
import { compileRun } from './run.js';
import { compileSend } from './send.js';
import { compileSet } from './set.js';
import { skipBindings } from './skip.js';
import { compileUnpin } from './unpin.js';

/**
 * A compiler for every kind of step that the schemas know. A further kind is: its definition in definitions.schema.json
 * (`NAME_step`, and its key in `step`), `npm run types:pack`, a file here, and its row in docs/pack-language.md.
 */
const COMPILERS: { readonly [K in StepKind]: StepCompiler<StepKinds[K]> } = {
  let: compileLet,
  if: compileIf,
  for: compileFor,
  create: compileCreate,
  set: compileSet,
  delete: compileDelete,
  send: compileSend,
  emit: compileEmit,
  run: compileRun,
  fail: compileFail,
  return: compileReturn,
  pin: compilePin,
  unpin: compileUnpin,
  advance_clock: compileAdvanceClock,
};

/** A step with what decides whether it runs, and what its variables hold when it does not. */
interface GuardedStep {
  readonly when: ((frame: Frame) => boolean) | undefined;
  readonly run: Step;
  readonly skip: ((frame: Frame) => void) | undefined;
}

/** Compiles a step list. Names that a step binds are visible to the steps after it. */
export function compileSteps(steps: readonly StepFile[], place: Place, context: StepContext): Step {
  const compiled = steps.map((step, index) => compileStep(step, inside(place, index), context));
  return (frame, execution) => {
    for (const { when, run, skip } of compiled) {
      execution.spend();
      if (when === undefined || when(frame)) {
        const returned = run(frame, execution);
        if (returned !== undefined) return returned;
      } else skip?.(frame);
    }
    return undefined;
  };
}

function compileStep(step: StepFile, place: Place, context: StepContext): GuardedStep {
  const when = step.when === undefined ? undefined : condition(step.when, inside(place, 'when'), context);
  const before = context.scope.own();
  const run = compileKind(step, place, context);
  return { when, run, skip: when && skipBindings(context.scope, before) };
}

/** The schemas let exactly one kind's key through. */
function compileKind(step: StepFile, place: Place, context: StepContext): Step {
  for (const kind of ALL_STEP_KINDS) {
    const run = compileAs(kind, step, place, context);
    if (run !== undefined) return run;
  }
  throw new Error('a step of no kind');
}

function compileAs<K extends StepKind>(kind: K, step: StepFile, place: Place, context: StepContext): Step | undefined {
  return isStep(step, kind) ? COMPILERS[kind](step, place, context) : undefined;
}
