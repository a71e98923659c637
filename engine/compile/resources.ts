import { type Json, lazy } from '../values/index.js';
import { accepts, ANY, BOOLEAN, describeType, DURATION, mapType, STRING, type Type } from '../expression/index.js';
import {
  type EventFile,
  type EventKindSettings,
  collectionConfig,
  inside,
  keyIn,
  type Model,
  type OperationFile,
  type SourceLocation,
  type ResourceDef,
  type StepFile,
  waitTrigger,
} from '../model/index.js';
import type {
  CompiledStep,
  EventProgram,
  Operation,
  OverObject,
  PinPath,
  ResourceProgram,
  WaitProgram,
} from '../program/index.js';
import { parseDuration } from '../world/index.js';
import { planResponse } from './response.js';
import { type Compiler, functionScope, type FunctionScope, liveParameter, rootScope, stepContext } from './context.js';
import { linkLayout, linkShape } from './layout.js';
import { machinePlace } from './machine-place.js';
import { compileMail } from './message.js';
import { linkOperation } from './operations/index.js';
import { linkParent } from './parent.js';
import { linkSeeded } from './seeded.js';
import { compileSteps } from './steps/index.js';
import { compileTag } from './tag.js';
import { linkPins, toList } from './pin-paths.js';

/** Compiles the program of a resource: responses, machine, events and pins. */
export function linkProgram(def: ResourceDef, compiler: Compiler): ResourceProgram {
  const { file, place } = def;
  const { model } = compiler;
  const events = linkEvents(def, model, compiler);
  const on = (moment: EventFile['on']) => [...events.values()].filter((event) => event.file.on === moment);
  const onEnter = new Map<string, EventProgram[]>();
  for (const event of events.values()) {
    for (const state of toList(event.file.enter)) onEnter.set(state, [...(onEnter.get(state) ?? []), event]);
  }
  const pins = linkPins(def, compiler);
  const pinsAt = new Map<string, PinPath[]>();
  for (const pin of pins) {
    const moments = pin.moments.has('always') ? new Set([...pin.moments, 'created', 'seed']) : pin.moments;
    for (const moment of moments) pinsAt.set(moment, [...(pinsAt.get(moment) ?? []), pin]);
  }
  if (!compiler.passed) checkMachineNames(def, compiler);
  const guards = lazy(
    () =>
      new Map(
        (def.machine?.guards ?? []).map((name) => [name, lazy(() => guardExpression(def, name, compiler))] as const),
      ),
  );
  const delays = new Map(
    Object.entries(file.delays ?? {}).map(([name, source]) => [
      name,
      lazy(() => objectExpression(def, `delay ${name}`, source, inside(place, 'delays', name), DURATION, compiler)),
    ]),
  );
  const actions = new Map(
    Object.keys(file.actions ?? {}).map((name) => [name, lazy(() => actionProgram(def, name, compiler))]),
  );
  const rejections = new Map(
    Object.keys(file.refusals ?? {}).map((trigger) => [trigger, lazy(() => rejection(def, trigger, compiler))]),
  );
  return {
    def,
    index: def.index,
    shape: lazy(() => linkShape(def, compiler)),
    collection: { ...collectionConfig(def), layout: lazy(() => linkLayout(def, compiler)) },
    stored: lazy(() => compiler.defaults(def).stored()),
    seeded: lazy(() => linkSeeded(def, compiler)),
    guards,
    actions,
    delays,
    ...linkWaits(def, compiler),
    rejections,
    events,
    onCreated: on('created'),
    onUpdated: on('updated'),
    onChanged: on('changed'),
    onDeleted: on('deleted'),
    onEnter,
    dependents: compiler.dependents.get(def.index) ?? [],
    movedTo: linkMoved(def, compiler),
    pins,
    pinsAt,
    branches: file.branches ?? [],
    message: compileMail(def, compiler),
    response: lazy(() => planResponse(def, model)),
    operations: linkOperations(def, compiler),
  };
}

/** Compiles the look-up of objects that have moved. */
function linkMoved(def: ResourceDef, compiler: Compiler): ResourceProgram['movedTo'] {
  const source = def.file.id?.moved;
  if (source === undefined) return null;
  return lazy(() => {
    const place = inside(def.place, 'id', 'moved');
    const scope = rootScope(`moved of ${def.name}`, place, compiler.env);
    const id = scope.declare('id', STRING).js;
    return scope.unit.expression(['x', id], compiler.diagnostics.bare(place, source, scope, compiler.env));
  });
}

/** Reports names in the machine that the resource doesn't declare. */
function checkMachineNames(def: ResourceDef, { diagnostics, model, used }: Compiler): void {
  const { actions = {}, delays = {} } = def.file;
  for (const name of def.machine?.actions ?? []) {
    if (actions[name]) continue;
    diagnostics.unknown(machinePlace(def, 'action', name), 'action', name, Object.keys(actions));
  }
  for (const name of def.machine?.delays ?? []) {
    used.durations.add(name);
    if (delays[name] || model.env.durations.has(name)) continue;
    const at = machinePlace(def, 'delay', name);
    if (parseDuration(name) === undefined)
      diagnostics.unknown(at, 'delay', name, [...Object.keys(delays), ...model.env.durations]);
    else {
      const message = `a wait has a name here: write '${name}' behind one in pack.yaml \`durations\``;
      diagnostics.problem(at, 'unknown-delay', message);
    }
  }
}

function linkOperations(def: ResourceDef, compiler: Compiler): Map<string, Operation> {
  const { operations } = def.file;
  const shared = { parent: linkParent(def, compiler), tag: compileTag(def, compiler) };
  const place = inside(def.place, 'operations');
  if (Array.isArray(operations)) {
    return new Map(
      (operations as readonly string[]).map((name, index) => [
        name,
        linkOperation(name, {}, def, inside(place, index), compiler, shared),
      ]),
    );
  }
  const files = Object.entries((operations ?? {}) as Record<string, OperationFile | null>);
  return new Map(
    files.map(([name, file]) => [name, linkOperation(name, file ?? {}, def, inside(place, name), compiler, shared)]),
  );
}

function linkEvents(def: ResourceDef, model: Model, compiler: Compiler): Map<string, EventProgram> {
  const previous = model.settings.events?.previousAttributes ?? [];
  const kinds = model.settings.events?.kinds ?? new Map<string, EventKindSettings>();
  const place = inside(def.place, 'events');
  return new Map(
    Object.entries(def.file.events ?? {}).map(([name, file]) => {
      const { when } = file;
      if (!compiler.passed) checkStates(toList(file.enter), inside(place, name, 'enter'), def, compiler);
      const test =
        when === undefined
          ? null
          : lazy(() => objectExpression(def, `event ${name}`, when, inside(place, name, 'when'), BOOLEAN, compiler));
      const snapshot =
        file.snapshot === undefined ? null : lazy(() => eventSnapshot(def, name, file.snapshot ?? null, compiler));
      const kind = file.kind ?? null;
      if (kind !== null) compiler.diagnostics.known(inside(place, name, 'kind'), 'event-kind', kind, kinds);
      const reported = kind === null ? reportedBy(name, kinds) : [];
      return [
        name,
        {
          name,
          file,
          when: test,
          snapshot,
          reportsPrevious: kind === null && previous.some((pattern) => pattern.test(name)),
          kind,
          reported,
        },
      ];
    }),
  );
}

function checkStates(
  names: readonly string[],
  place: SourceLocation,
  def: ResourceDef,
  { diagnostics }: Compiler,
): void {
  const states = def.machine?.states ?? [];
  for (const name of names) diagnostics.known(place, 'state', name, states);
}

/** Links the waits of a resource, and finds the states that start them. */
function linkWaits(
  def: ResourceDef,
  compiler: Compiler,
): Pick<ResourceProgram, 'waits' | 'waitsOnCreated' | 'waitsOnEnter'> {
  const { model, diagnostics } = compiler;
  const waits = new Map<string, WaitProgram>();
  const onCreated: WaitProgram[] = [];
  const onEnter = new Map<string, WaitProgram[]>();
  for (const [name, file] of Object.entries(def.file.waits ?? {})) {
    const place = inside(def.place, 'waits', name);
    const { when } = file;
    compiler.used.durations.add(file.after);
    if (!def.file.delays?.[file.after] && !model.env.durations.has(file.after)) {
      const known = [...Object.keys(def.file.delays ?? {}), ...model.env.durations];
      diagnostics.unknown(inside(place, 'after'), 'delay', file.after, known);
    }
    const wait: WaitProgram = {
      name,
      trigger: waitTrigger(name),
      delay: file.after,
      when:
        when === undefined
          ? null
          : lazy(() => objectExpression(def, `wait ${name}`, when, inside(place, 'when'), BOOLEAN, compiler)),
      run: lazy(() => objectSteps(def, `wait ${name}`, file.do, inside(place, 'do'), compiler)),
    };
    waits.set(wait.trigger, wait);
    if (file.on === 'created') onCreated.push(wait);
    const entered = toList(file.enter);
    if (!compiler.passed) checkStates(entered, inside(place, 'enter'), def, compiler);
    for (const state of entered) onEnter.set(state, [...(onEnter.get(state) ?? []), wait]);
  }
  return { waits, waitsOnCreated: onCreated, waitsOnEnter: onEnter };
}

/** Compiles the snapshot that an event shows in place of the object. */
function eventSnapshot(def: ResourceDef, name: string, template: Json, compiler: Compiler): OverObject {
  const place = inside(def.place, 'events', name, 'snapshot');
  const { scope, parameters } = objectScope(def, `snapshot of ${name}`, place, compiler);
  return scope.unit.expression(parameters, compiler.diagnostics.template(place, template, scope, compiler.env));
}

/** The other kinds of events that report an ordinary event, with their names. */
function reportedBy(event: string, kinds: ReadonlyMap<string, EventKindSettings>): EventProgram['reported'] {
  return [...kinds.values()].flatMap(({ name, nameFor }) => {
    const as = nameFor(event);
    return as === null ? [] : [{ kind: name, as }];
  });
}

/** The scope of an expression over an object. */
function objectScope(def: ResourceDef, name: string, place: SourceLocation, { env }: Compiler): FunctionScope {
  return functionScope(`${name} of ${def.name}`, place, env, { self: liveParameter(def.type), trigger: mapType(ANY) });
}

function objectExpression(
  def: ResourceDef,
  name: string,
  source: string,
  place: SourceLocation,
  wanted: Type,
  compiler: Compiler,
): OverObject {
  const { scope, parameters } = objectScope(def, name, place, compiler);
  const compiled = compiler.diagnostics.bare(place, source, scope, compiler.env);
  if (!accepts(wanted, compiled.type)) {
    compiler.diagnostics.problem(
      place,
      'wrong-type',
      `this must be ${describeType(wanted)}, it is ${describeType(compiled.type)}`,
    );
  }
  return scope.unit.expression(parameters, compiled);
}

/** Compiles a guard: a name in `guards`, or an expression in the machine itself. */
function guardExpression(def: ResourceDef, name: string, compiler: Compiler): OverObject {
  const { guards = {} } = def.file;
  if (Object.hasOwn(guards, name))
    return objectExpression(def, `guard ${name}`, guards[name], inside(def.place, 'guards', name), BOOLEAN, compiler);
  const place = machinePlace(def, 'guard', name);
  if (!/^[A-Za-z_]\w*$/.test(name)) return objectExpression(def, 'guard', name, place, BOOLEAN, compiler);
  compiler.diagnostics.unknown(place, 'guard', name, Object.keys(guards));
  return objectExpression(def, 'guard', 'true', place, BOOLEAN, compiler);
}

function actionProgram(def: ResourceDef, name: string, compiler: Compiler): CompiledStep {
  const steps = def.file.actions?.[name] ?? [];
  return objectSteps(def, `action ${name}`, steps, inside(def.place, 'actions', name), compiler);
}

/** Compiles steps over an object, such as those of an action. */
function objectSteps(
  def: ResourceDef,
  name: string,
  steps: readonly StepFile[],
  place: SourceLocation,
  compiler: Compiler,
): CompiledStep {
  const { scope, parameters } = objectScope(def, name, place, compiler);
  const context = { ...stepContext(compiler, scope), scope: scope.child() };
  return scope.unit.function(parameters, compileSteps(steps, place, context));
}

function rejection(def: ResourceDef, trigger: string, compiler: Compiler): { error: string; args: OverObject } {
  const file = def.file.refusals?.[trigger];
  const place = inside(def.place, 'refusals', trigger);
  const { scope, parameters } = objectScope(def, `refusals.${trigger}`, place, compiler);
  const error = file?.error ?? 'wrong_state';
  compiler.used.errors.add(error);
  compiler.diagnostics.known(inside(place, 'error'), 'error', error, compiler.model.errors);
  const known = compiler.model.errors.get(error)?.args;
  for (const name of Object.keys(file?.with ?? {})) {
    if (known) compiler.diagnostics.known(keyIn(place, 'with', name), 'argument', name, known);
  }
  const args = compiler.diagnostics.template(inside(place, 'with'), file?.with ?? {}, scope, compiler.env);
  return { error, args: scope.unit.expression(parameters, args) };
}
