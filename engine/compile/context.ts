import {
  type Compiled,
  type Environment,
  type Holder,
  type Js,
  Scope,
  type SourcePlace,
  type Type,
  CodeUnit,
} from '../expression/index.js';
import type { Json, JsonObject } from '../values/index.js';
import type { Diagnostics, FlowFile, Model, SourceLocation, ResourceDef, Schema, StepFile } from '../model/index.js';
import { Row } from '../world/index.js';
import type { Complete, Dependent, Execution, Parent, ResourceProgram, StoredField } from '../program/index.js';

/** A named step list with arguments. */
export interface Flow {
  readonly name: string;
  /** Where its keys are: a file of its own, or an entry of the section `flows` of the file that runs it. */
  readonly place: SourceLocation;
  readonly steps: readonly StepFile[];
  readonly args: ReadonlyMap<string, Argument>;
  readonly returns: Type;
  /** It says what it returns. */
  readonly hasResult: boolean;
  /** The resource whose objects it returns; then it gives what holds one. */
  readonly resource: number | undefined;
  /** It may run itself so often; null: it may not. */
  readonly depth: NonNullable<FlowFile['depth']> | null;
  /** Compiled when first run (or checked). */
  readonly program: () => RunFlow;
  /** Runs it with its arguments in the order of `args`: holders of objects, values, or null. */
  run: RunFlow;
}

/** What a flow takes. */
interface Argument {
  readonly type: Type;
  readonly required: boolean;
  /** The resource of the object that it is. */
  readonly resource: number | undefined;
}

export type RunFlow = (execution: Execution, ...args: (Json | Holder)[]) => Json | Holder;

/** What fields have that nothing gives; expressions in it see the object so far as `self`, and `now`. */
export interface Defaults {
  /** How an object comes about that no step makes. */
  readonly stored: () => readonly StoredField[];
  /** The scope of defaults: `made` is what the text calls the object that they become a part of. */
  scope(over: Scope, made: string): Scope;
  /** The default of a field, in such a scope; undefined when it must be given. */
  of(schema: Schema, place: SourceLocation, scope: Scope): Compiled | undefined;
  /** What completes values of a type; undefined when there is nothing to complete. */
  completion(schema: Schema, place: SourceLocation): Complete | undefined;
  /** A value with what completes it, in a scope of defaults. */
  completed(complete: Complete, js: string, schema: Schema, scope: Scope): Compiled;
}

/** What all compilation of a pack shares. */
export interface Compiler {
  /** Nothing is wrong with the pack: it passed its check before. */
  readonly passed: boolean;
  readonly model: Model;
  readonly diagnostics: Diagnostics;
  readonly env: Environment;
  readonly flows: ReadonlyMap<string, Flow>;
  /** Event name -> the resource that declares it. */
  readonly eventOwners: ReadonlyMap<string, ResourceDef>;
  /** Programs by resource number; filled after shapes are known, used when steps run. */
  readonly programs: readonly ResourceProgram[];
  /** Who refers to objects of a resource (by number) and minds when they are deleted. */
  readonly dependents: ReadonlyMap<number, readonly Dependent[]>;
  /** Names that something used, for "never used" warnings. */
  readonly used: {
    readonly flows: Set<string>;
    /** The flow that an expression calls, and the file where that is. */
    readonly calls: { readonly flow: string; readonly from: SourcePlace | undefined }[];
    readonly errors: Set<string>;
    readonly events: Set<string>;
    readonly durations: Set<string>;
  };
  defaults(resource: ResourceDef): Defaults;
  /** The parameters that versions add to an operation, by its key. */
  readonly paramsOfVersions: (key: string) => ReadonlyMap<string, Schema>;
  /** Compiles a step list: steps that hold steps ask for it here. */
  readonly steps: (steps: readonly StepFile[], place: SourceLocation, context: StepContext) => Js;
}

/** Where a step list is: what it can see, and how it ends. */
export interface StepContext {
  readonly compiler: Compiler;
  readonly scope: Scope;
  /** In a resource's own `create` operation: `create` of it also sets this variable. */
  readonly creates?: { readonly resource: ResourceDef; readonly self: string };
  /** In an operation whose routes name the parent: what is created belongs to it. */
  readonly parent?: Pick<Parent, 'field' | 'names'> & { readonly resource: ResourceDef; readonly js: string };
  /** In an operation: its parameters, which `from: params` brings. */
  readonly params?: ReadonlyMap<string, Schema>;
  /** In a flow: the type of its result, which is checked of values that are written down. */
  readonly result?: Type;
  /** JavaScript of what the function gives when its steps return a value. */
  readonly returns: (value: Compiled) => string;
  /** What a line begins with that gives a variable its value: a step with `when` has declared its variables before. */
  readonly declare: 'const ' | '';
}

export function childContext(context: StepContext): StepContext {
  return { ...context, scope: context.scope.child() };
}

/**
 * The scope of a function.
 * @param name what it is, such as `flow renew`
 */
export function rootScope(name: string, place: SourceLocation, env: Environment): Scope {
  return new Scope(new CodeUnit(name, place, env.texts));
}

/** A function in the making. */
export interface FunctionScope {
  readonly scope: Scope;
  readonly unit: CodeUnit;
  /** What its text calls its parameters, the execution `x` first. */
  readonly parameters: readonly string[];
}

/** A parameter that holds an object, whose current state is read. */
interface LiveParameter {
  readonly live: Type;
}

export function liveParameter(type: Type): LiveParameter {
  return { live: type };
}

/** The scope of a function in which its parameters are declared. */
export function functionScope(
  name: string,
  place: SourceLocation,
  env: Environment,
  parameters: Readonly<Record<string, Type | LiveParameter>>,
): FunctionScope {
  const scope = rootScope(name, place, env);
  const names = Object.entries(parameters).map(([each, type]) =>
    'live' in type ? scope.declare(each, type.live, true).js : scope.declare(each, type).js,
  );
  return { scope, unit: scope.unit, parameters: ['x', ...names] };
}

/** The context of steps in such a scope, whose value is not read. Steps see the `request` of the command they run in. */
export function stepContext(compiler: Compiler, scope: Scope): StepContext {
  if (!scope.lookup('request')) scope.name('request', { js: 'x.request', type: compiler.env.request, live: false });
  return { compiler, scope, returns: ({ js }) => js, declare: 'const ' };
}

/** A variable that steps give values. */
interface Binding {
  readonly js: string;
  /** The resource whose objects it holds; such a variable always shows the current state. */
  readonly resource: number | undefined;
}

/** Declares a variable. */
export function bind({ scope, compiler }: StepContext, name: string, type: Type): Binding {
  const resource = resourceOf(type, compiler.env);
  const { js } = scope.declare(name, type, resource !== undefined);
  return { js, resource };
}

/** JavaScript of what a variable for objects of a resource (or values, without one) holds. An object is not looked up twice. */
export function held(resource: number | undefined, from: Compiled, { unit }: Scope): string {
  if (resource === undefined) return from.js;
  if (from.variable?.live) return `${unit.refer(current, 'current')}(x, ${resource}, ${from.variable.js})`;
  return from.row ?? `x.holder(${resource}, ${from.js})`;
}

/** An object as an expression saw it, which may be an earlier state of it: what only computes continues with that. */
export class SeenObject {
  constructor(readonly value: JsonObject) {}
}

/** What holds an object now. */
function current(x: Execution, resource: number, holder: Holder | null): Holder | null {
  if (holder instanceof SeenObject) return holder;
  if (holder instanceof Row && holder.alive && holder.resource === resource) return holder;
  return x.holder(resource, holder?.value ?? null);
}

/** The operations of a pack, as other files name them: `COLLECTION.NAME`. */
export function operationKeys({ resources }: Model): string[] {
  return resources.flatMap(({ collection, file: { operations = {} } }) =>
    Object.keys(operations).map((name) => `${collection}.${name}`),
  );
}

/** The number of the resource that a type is an object of. */
export function resourceOf(type: Type, env: Environment): number | undefined {
  return type.kind === 'object' && type.resource !== undefined ? env.resources.get(type.resource)?.index : undefined;
}

/** JavaScript of what can happen to objects of a resource. */
export function programOf({ index, name }: ResourceDef, { compiler, scope }: StepContext): string {
  return scope.unit.refer(compiler.programs[index], name);
}

/** Lines that come from one place of the pack. */
export function placed(place: SourceLocation, ...lines: Js): Js {
  return lines.map((line) => (typeof line === 'string' ? { js: line, place } : line));
}
