import type { Js } from '../../expression/index.js';
import {
  ALL_STEP_KINDS,
  inside,
  isStep,
  type SourceLocation,
  type StepFile,
  type StepKind,
  type StepKinds,
} from '../../model/index.js';
import { placed, type StepContext } from '../context.js';
import { compileAdvanceClock } from './advance-clock.js';
import { compileCall } from './call.js';
import { condition } from './condition.js';
import { compileCreate } from './create.js';
import { compileDelay } from './delay.js';
import { compileDelete } from './delete.js';
import { compileEmit } from './emit.js';
import { compileFail } from './fail.js';
import { compileFor } from './for.js';
import { compileIf } from './if.js';
import type { StepCompiler } from './kind.js';
import { compileLet } from './let.js';
import { compileMove } from './move.js';
import { compilePin } from './pin.js';
import { compileReturn } from './return.js';
import { compileRun } from './run.js';
import { compileSend } from './send.js';
import { compileSet } from './set.js';
import { declareSkipped } from './skip.js';
import { compileUnpin } from './unpin.js';
import { compileUnsupported } from './unsupported.js';
import { compileWait } from './wait.js';
import { compileWithin } from './within.js';

/** A compiler for each kind of step of the schemas. To add one, see CONTRIBUTING.md. */
const COMPILERS: { readonly [K in StepKind]: StepCompiler<StepKinds[K]> } = {
  let: compileLet,
  if: compileIf,
  for: compileFor,
  within: compileWithin,
  create: compileCreate,
  set: compileSet,
  delete: compileDelete,
  move: compileMove,
  send: compileSend,
  emit: compileEmit,
  run: compileRun,
  fail: compileFail,
  return: compileReturn,
  pin: compilePin,
  unpin: compileUnpin,
  wait: compileWait,
  advance_clock: compileAdvanceClock,
  unsupported: compileUnsupported,
  delay: compileDelay,
  call: compileCall,
};

/** Compiles a step list. Names that a step binds are visible to the steps after it. */
export function compileSteps(steps: readonly StepFile[], place: SourceLocation, context: StepContext): Js {
  if (steps.length === 0) return [];
  return [`x.spend(${steps.length});`, ...steps.flatMap((step, at) => compileStep(step, inside(place, at), context))];
}

function compileStep(step: StepFile, place: SourceLocation, context: StepContext): Js {
  if (step.when === undefined) return placed(place, ...compileKind(step, place, { ...context, declare: 'const ' }));
  const at = inside(place, 'when');
  const when = condition(step.when, at, context);
  const before = context.scope.own();
  const lines = compileKind(step, place, { ...context, declare: '' });
  return placed(at, ...declareSkipped(context.scope, before), `if (${when}) {`, placed(place, ...lines), '}');
}

/** Compiles a step by its kind: the schema admits exactly one kind's key. */
function compileKind(step: StepFile, place: SourceLocation, context: StepContext): Js {
  for (const kind of ALL_STEP_KINDS) {
    const lines = compileAs(kind, step, place, context);
    if (lines !== undefined) return lines;
  }
  throw new Error('a step of no kind');
}

function compileAs<K extends StepKind>(
  kind: K,
  step: StepFile,
  place: SourceLocation,
  context: StepContext,
): Js | undefined {
  return isStep(step, kind) ? COMPILERS[kind](step, place, context) : undefined;
}
