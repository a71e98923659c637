import {
  accepts,
  asList,
  BOOLEAN,
  describe,
  type Frame,
  frameOf,
  type Json,
  type JsonObject,
} from '../expression/index.js';
import { inside, type Place, type ResourceDef } from '../model/index.js';
import type { Execution } from '../program/index.js';
import { Failure } from '../program/index.js';
import { lazy, Returned, type ResourceProgram, type Step } from '../program/index.js';
import { compileCollect, skipBindings, warnOfLostValue } from './bindings.js';
import {
  assign,
  assignResult,
  bind,
  childContext,
  compileArguments,
  evaluateArguments,
  resourceOf,
  type StepContext,
  target,
} from './context.js';
import { compileChanger, compileMaker } from './maker.js';
import { compilePin, compileUnpin } from './pin-steps.js';

type StepCompiler = (step: JsonObject, place: Place, context: StepContext) => Step;

const STEPS: Readonly<Record<string, StepCompiler>> = {
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
export function compileSteps(steps: readonly JsonObject[], place: Place, context: StepContext): Step {
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

function compileStep(step: JsonObject, place: Place, context: StepContext): GuardedStep {
  const kind = Object.keys(STEPS).find((name) => Object.hasOwn(step, name));
  if (kind === undefined) {
    context.compiler.linking.problem(place, 'unknown-step', 'this is no step');
    return { when: undefined, run: () => undefined, skip: undefined };
  }
  const when = typeof step['when'] === 'string' ? condition(step['when'], inside(place, 'when'), context) : undefined;
  const before = context.scope.own();
  const run = STEPS[kind](step, place, context);
  return { when, run, skip: when && skipBindings(context.scope, before) };
}

/** An expression that must be true or false; null counts as false. */
export function condition(source: string, place: Place, context: StepContext): (frame: Frame) => boolean {
  const { linking, env } = context.compiler;
  const compiled = linking.bare(place, source, context.scope, env);
  if (!accepts(BOOLEAN, compiled.type))
    linking.problem(place, 'not-boolean', `this must be true or false, it is ${describe(compiled.type)}`);
  return compiled.test ?? ((frame) => compiled.run(frame) === true);
}

function compileLet(step: JsonObject, place: Place, context: StepContext): Step {
  const { linking, env } = context.compiler;
  const bindings = Object.entries(step['let'] as JsonObject).map(([name, value]) => {
    const at = inside(place, 'let', name);
    warnOfLostValue(name, value, at, context);
    const compiled =
      typeof value === 'string' && !value.startsWith('${')
        ? linking.bare(at, value, context.scope, env)
        : linking.template(at, value, context.scope, env);
    return { compiled, binding: bind(context, name, compiled.type) };
  });
  return (frame, execution) => {
    for (const { compiled, binding } of bindings) assignResult(binding, frame, execution, compiled, frame);
    return undefined;
  };
}

function compileIf(step: JsonObject, place: Place, context: StepContext): Step {
  const test = condition(String(step['if']), inside(place, 'if'), context);
  const yes = compileSteps(stepsOf(step['then']), inside(place, 'then'), childContext(context));
  const no = compileSteps(stepsOf(step['else']), inside(place, 'else'), childContext(context));
  return (frame, execution) => (test(frame) ? yes(frame, execution) : no(frame, execution));
}

function compileFor(step: JsonObject, place: Place, context: StepContext): Step {
  const { linking, env } = context.compiler;
  const list = linking.bare(inside(place, 'in'), String(step['in']), context.scope, env);
  if (!['list', 'any', 'null'].includes(list.type.kind))
    linking.problem(inside(place, 'in'), 'not-a-list', `this must be a list, it is ${describe(list.type)}`);
  const inner = childContext(context);
  const binding = bind(inner, String(step['for']), list.type.kind === 'list' ? list.type.of : { kind: 'any' });
  const body = compileSteps(stepsOf(step['do']), inside(place, 'do'), inner);
  const collect = compileCollect(step, place, context, inner);
  return (frame, execution) => {
    const collected: Json[] = [];
    for (const item of asList(list.run(frame), 'for')) {
      assign(binding, frame, execution, item);
      const returned = body(frame, execution);
      if (returned !== undefined) return returned;
      if (collect) collected.push(collect.run(frame));
    }
    if (collect) assign(collect.binding, frame, execution, collected);
    return undefined;
  };
}

function compileCreate(step: JsonObject, place: Place, context: StepContext): Step {
  const { compiler } = context;
  const name = String(step['create']);
  const def = compiler.model.byName.get(name);
  if (!def) {
    compiler.linking.unknown(inside(place, 'create'), 'resource', name, compiler.model.byName.keys());
    context.scope.declare(String(step['as'] ?? name), { kind: 'any' });
    return () => undefined;
  }
  const make = compileMaker(
    context,
    def,
    { with: step['with'] as JsonObject | undefined, from: step['from'] as string | undefined },
    place,
  );
  const id =
    step['id'] === undefined
      ? undefined
      : compiler.linking.template(inside(place, 'id'), step['id'], context.scope, compiler.env).run;
  const { slot } = context.scope.declare(String(step['as'] ?? name), def.type, true);
  const also = context.creates?.resource === def ? context.creates.slot : undefined;
  const silent = step['silent'] === true;
  return (frame, execution) => {
    const resource = programOf(execution, def);
    const given = id?.(frame);
    const made = make(frame, execution, typeof given === 'string' ? given : execution.newId(def));
    const row = execution.create(resource, made, silent);
    frame[slot] = row;
    if (also !== undefined && frame[also] === null) frame[also] = row;
    return undefined;
  };
}

function compileSet(step: JsonObject, place: Place, context: StepContext): Step {
  const found = target(context, String(step['set']), inside(place, 'set'));
  if (!found) return () => undefined;
  const change = compileChanger(
    context,
    found.def,
    { to: step['to'] as JsonObject | undefined, from: step['from'] as string | undefined },
    place,
  );
  return (frame, execution) => {
    const row = found.row(frame, execution);
    execution.change(row, change(frame, execution, row.value));
    return undefined;
  };
}

function compileDelete(step: JsonObject, place: Place, context: StepContext): Step {
  const found = target(context, String(step['delete']), inside(place, 'delete'));
  if (!found) return () => undefined;
  return (frame, execution) => {
    execution.delete(programOf(execution, found.def), found.row(frame, execution));
    return undefined;
  };
}

function compileSend(step: JsonObject, place: Place, context: StepContext): Step {
  const { linking, env } = context.compiler;
  const found = target(context, step['to'] as string | undefined, inside(place, 'to'));
  const payload = Object.entries((step['with'] ?? {}) as JsonObject).map(
    ([name, value]) => [name, linking.template(inside(place, 'with', name), value, context.scope, env)] as const,
  );
  if (!found) return () => undefined;
  const trigger = String(step['send']);
  const { machine } = found.def;
  if (!machine) linking.problem(inside(place, 'send'), 'no-machine', `${found.def.title} has no machine`);
  else if (!machine.triggers().includes(trigger))
    linking.unknown(inside(place, 'send'), 'trigger', trigger, machine.triggers());
  return (frame, execution) => {
    execution.send(
      programOf(execution, found.def),
      found.row(frame, execution),
      trigger,
      evaluateArguments(payload, frame),
    );
    return undefined;
  };
}

function compileEmit(step: JsonObject, place: Place, context: StepContext): Step {
  const { compiler } = context;
  const name = String(step['emit']);
  const owner = compiler.eventOwners.get(name);
  compiler.used.events.add(name);
  if (!owner) {
    compiler.linking.unknown(inside(place, 'emit'), 'event', name, compiler.eventOwners.keys());
    return () => undefined;
  }
  const found = target(context, step['object'] as string | undefined, inside(place, 'object'));
  const snapshot =
    step['snapshot'] === undefined
      ? undefined
      : compiler.linking.template(inside(place, 'snapshot'), step['snapshot'], context.scope, compiler.env).run;
  const receiver =
    step['only_to'] === undefined ? null : receiverOf(step['only_to'], inside(place, 'only_to'), context);
  if (!found || receiver === undefined) return () => undefined;
  return (frame, execution) => {
    const event = programOf(execution, owner).events.get(name);
    if (event && receiver)
      execution.address(event, found.row(frame, execution), receiver.row(frame, execution), snapshot?.(frame));
    else if (event) execution.emit(event, found.row(frame, execution), snapshot?.(frame));
    return undefined;
  };
}

/** The endpoint that alone gets an event. */
function receiverOf(source: Json, place: Place, context: StepContext): ReturnType<typeof target> {
  const { linking, model } = context.compiler;
  const found = target(context, String(source), place);
  const wanted = model.settings.delivery?.endpoint.resource;
  if (wanted === undefined) linking.problem(place, 'no-delivery', 'the pack delivers no events: it has no `delivery`');
  else if (found && found.def.name !== wanted)
    linking.problem(place, 'wrong-type', `events are delivered to a ${wanted}, this is a ${found.def.name}`);
  return found;
}

function compileRun(step: JsonObject, place: Place, context: StepContext): Step {
  const { compiler } = context;
  const name = String(step['run']);
  const flow = compiler.flows.get(name);
  compiler.used.flows.add(name);
  if (!flow) {
    compiler.linking.unknown(inside(place, 'run'), 'flow', name, compiler.flows.keys());
    if (typeof step['as'] === 'string') context.scope.declare(step['as'], { kind: 'any' });
    return () => undefined;
  }
  const args = compileArguments(
    context,
    step['with'] as JsonObject | undefined,
    flow.args,
    inside(place, 'with'),
    `flow ${name}`,
  );
  const result = typeof step['as'] === 'string' ? bind(context, step['as'], flow.returns) : undefined;
  const internal = step['internal'] === true ? 1 : 0;
  const dry = step['dry'] === true;
  const given = lazy(() =>
    args.flatMap(([arg, compiled]) => {
      const binding = flow.program().bindings.get(arg);
      return binding ? [{ compiled, binding }] : [];
    }),
  );
  return (frame, execution) => {
    const program = flow.program();
    const inner = frameOf(execution, program.size);
    for (const { compiled, binding } of given()) assignResult(binding, inner, execution, compiled, frame);
    execution.internal += internal;
    const returned = dry ? execution.dry(() => execution.nested(program, inner)) : execution.nested(program, inner);
    execution.internal -= internal;
    if (result) assign(result, frame, execution, returned?.value ?? null);
    return undefined;
  };
}

function compileFail(step: JsonObject, place: Place, context: StepContext): Step {
  const { compiler } = context;
  const name = String(step['fail']);
  const error = compiler.model.errors.get(name);
  compiler.used.errors.add(name);
  if (!error) {
    compiler.linking.unknown(inside(place, 'fail'), 'error', name, compiler.model.errors.keys());
    return () => undefined;
  }
  const declared = new Map(
    [...error.args].map(([arg, schema]) => [
      arg,
      { type: schema.expr, required: !schema.nullable && schema.default === undefined },
    ]),
  );
  const args = compileArguments(
    context,
    step['with'] as JsonObject | undefined,
    declared,
    inside(place, 'with'),
    `error ${name}`,
  );
  const keep = step['keep'] === true;
  return (frame) => {
    throw new Failure(name, evaluateArguments(args, frame), keep);
  };
}

function compileReturn(step: JsonObject, place: Place, context: StepContext): Step {
  const value = context.compiler.linking.template(
    inside(place, 'return'),
    step['return'] ?? null,
    context.scope,
    context.compiler.env,
  );
  const resource = resourceOf(value.type, context.compiler.env) ?? null;
  return (frame) => new Returned(value.run(frame), resource);
}

/** The clock moves when the execution is committed; its answer waits for what happens until then. */
function compileAdvanceClock(step: JsonObject, place: Place, context: StepContext): Step {
  const { linking, env } = context.compiler;
  if (!context.params) linking.problem(place, 'misplaced-step', 'only the steps of an operation can move the clock');
  const to = linking.template(inside(place, 'advance_clock'), step['advance_clock'] ?? null, context.scope, env);
  if (!accepts(env.timestamp, to.type))
    linking.problem(
      inside(place, 'advance_clock'),
      'wrong-type',
      `this must be a timestamp, it is ${describe(to.type)}`,
    );
  return (frame, execution) => {
    const ms = env.toMs(to.run(frame));
    if (Number.isFinite(ms)) execution.advanceClock(ms);
    return undefined;
  };
}

function stepsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function programOf(execution: Execution, def: ResourceDef): ResourceProgram {
  return execution.program(def);
}
