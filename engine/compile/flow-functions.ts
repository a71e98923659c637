import { type Compiled, computeFlow, type FlowFunction, type Holder, type Scope } from '../expression/index.js';
import { type Json, type JsonObject, lazy } from '../values/index.js';
import {
  inside,
  isStep,
  type PlacedStep,
  type SourceLocation,
  type StepFile,
  type StepKind,
  stepsBelow,
} from '../model/index.js';
import type { Execution } from '../program/index.js';
import { type Compiler, type Flow, held, SeenObject } from './context.js';

/** Kinds of steps without an effect, besides `run` of a flow without one. */
const COMPUTING: readonly StepKind[] = ['let', 'if', 'for', 'return', 'fail'];

/** Makes a flow callable from expressions. */
export function flowFunction(flow: Flow, compiler: Compiler): FlowFunction {
  return {
    get args() {
      return flow.args;
    },
    unfit: lazy(() => {
      if (!flow.hasResult) return 'gives nothing (it has no `returns`): run it as a step';
      const change = changeOfFlow(flow, compiler, []);
      if (change === null) return null;
      const { file, path } = change.place;
      return `changes things (${change.kind}, ${file.path}:${String(file.locate(path).line)}): run it as a step`;
    }),
    call: (given, scope) => {
      const { used } = compiler;
      used.flows.add(flow.name);
      used.calls.push({ flow: flow.name, from: scope.unit.place });
      return called(flow, given, scope);
    },
  };
}

/** A step with an effect. */
interface Change {
  readonly kind: string;
  /** The step's location. Its line is computed only for messages: parsing all files of a large pack takes a second. */
  readonly place: SourceLocation;
}

/** The first step of a flow with an effect; null: none has. @param way the flows that led to this one */
function changeOfFlow(flow: Flow, compiler: Compiler, way: readonly Flow[]): Change | null {
  return changeIn(flow.steps, inside(flow.place, 'do'), compiler, [...way, flow]);
}

/** The first step with an effect; null: none has. @param way the flows that contain the steps, outermost first */
export function changeIn(
  steps: readonly StepFile[],
  at: SourceLocation,
  { flows }: Pick<Compiler, 'flows'>,
  way: readonly Flow[] = [],
): Change | null {
  const changeOf = ({ step, place }: PlacedStep): Change | null =>
    COMPUTING.some((kind) => isStep(step, kind)) ? null : { kind: Object.keys(step)[0], place };
  return firstOfSteps(steps, at, flows, changeOf, way);
}

/**
 * The first non-null result of `find` over steps and the flows that they run.
 * @param find called for each step that runs no flow
 * @param way the flows that contain the steps, outermost first
 */
export function firstOfSteps<T>(
  steps: readonly StepFile[],
  at: SourceLocation,
  flows: Compiler['flows'],
  find: (placed: PlacedStep) => T | null,
  way: readonly Flow[] = [],
): T | null {
  for (const placed of stepsBelow([...steps], at)) {
    const { step } = placed;
    const flow = isStep(step, 'run') && step.dry !== true ? flows.get(step.run) : undefined;
    if (flow !== undefined && way.includes(flow)) continue;
    const found =
      flow === undefined
        ? find(placed)
        : firstOfSteps(flow.steps, inside(flow.place, 'do'), flows, find, [...way, flow]);
    if (found !== null) return found;
  }
  return null;
}

function called(flow: Flow, given: readonly Compiled[], scope: Scope): Compiled {
  const { unit } = scope;
  const args = [...flow.args.values()].map(({ resource }, index) =>
    index < given.length ? argument(resource, given[index], scope) : 'null',
  );
  const js = `${unit.refer(computeFlow, 'compute')}(${['x', unit.refer(flow, `flow_${flow.name}`), ...args].join(', ')})`;
  return flow.resource === undefined
    ? { type: flow.returns, js }
    : { type: flow.returns, js: `(${js}?.value ?? null)`, row: js };
}

/**
 * JavaScript for an argument. An object that isn't in a variable keeps the state that the expression reads, which in views may
 * be an earlier one.
 */
function argument(resource: number | undefined, given: Compiled, scope: Scope): string {
  if (resource === undefined || given.row !== undefined || given.variable?.live) return held(resource, given, scope);
  return `${scope.unit.refer(seen, 'seen')}(x, ${resource}, ${given.js})`;
}

function seen(x: Execution, resource: number, value: Json): Holder | null {
  const holder = x.holder(resource, value);
  return holder === null || holder.value === value ? holder : new SeenObject(value as JsonObject);
}
