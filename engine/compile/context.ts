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
  /** The location of the flow's keys: a file of its own, or an entry in the section `flows` of the file that runs it. */
  readonly place: SourceLocation;
  readonly steps: readonly StepFile[];
  readonly args: ReadonlyMap<string, Argument>;
  readonly returns: Type;
  /** Whether the flow declares a result. */
  readonly hasResult: boolean;
  /** The number of the resource whose objects the flow returns, as holders; undefined if it returns values. */
  readonly resource: number | undefined;
  /** The depth up to which the flow may run itself; null if it may not. */
  readonly depth: NonNullable<FlowFile['depth']> | null;
  /** Compiles the flow when it is first run or checked. */
  readonly program: () => RunFlow;
  /** Runs the flow with its arguments in the order of `args`: holders of objects, values, or null. */
  run: RunFlow;
}

/** An argument of a flow. */
interface Argument {
  readonly type: Type;
  readonly required: boolean;
  /** The resource of the object that is passed; undefined for a value. */
  readonly resource: number | undefined;
}

export type RunFlow = (execution: Execution, ...args: (Json | Holder)[]) => Json | Holder;

/** Defaults of fields; expressions in them see the object so far as `self`, and `now`. */
export interface Defaults {
  /** The stored fields of objects that are inserted without steps, such as those of seeds. */
  readonly stored: () => readonly StoredField[];
  /** The scope of defaults: `made` is the JavaScript name of the object that is being made. */
  scope(over: Scope, made: string): Scope;
  /** Compiles the default of a field in a scope of defaults; undefined if the field has to be given. */
  of(schema: Schema, place: SourceLocation, scope: Scope): Compiled | undefined;
  /** Compiles how missing members are added to values of a type; undefined if there are none to add. */
  completion(schema: Schema, place: SourceLocation): Complete | undefined;
  /** Returns JavaScript of a value to which missing members are added, in a scope of defaults. */
  completed(complete: Complete, js: string, schema: Schema, scope: Scope): Compiled;
}

/** Context that all parts of a pack's compilation share. */
export interface Compiler {
  /** Whether the pack passed its check before, so that its problems needn't be found again. */
  readonly passed: boolean;
  readonly model: Model;
  readonly diagnostics: Diagnostics;
  readonly env: Environment;
  readonly flows: ReadonlyMap<string, Flow>;
  /** Event name -> the resource that declares it. */
  readonly eventOwners: ReadonlyMap<string, ResourceDef>;
  /** Programs by resource number. The list is still empty while shapes are linked, and complete when steps run. */
  readonly programs: readonly ResourceProgram[];
  /** References to objects of a resource that a deletion affects, by the resource's number. */
  readonly dependents: ReadonlyMap<number, readonly Dependent[]>;
  /** Names that compiled parts of the pack use; the others get a "never used" warning. */
  readonly used: {
    readonly flows: Set<string>;
    /** Flows that expressions call, each with the file of the expression. */
    readonly calls: { readonly flow: string; readonly from: SourcePlace | undefined }[];
    readonly errors: Set<string>;
    readonly events: Set<string>;
    readonly durations: Set<string>;
  };
  defaults(resource: ResourceDef): Defaults;
  /** The parameters that versions add to an operation, by its key. */
  readonly paramsOfVersions: (key: string) => ReadonlyMap<string, Schema>;
  /** Compiles a list of steps. Used by steps that contain other steps. */
  readonly steps: (steps: readonly StepFile[], place: SourceLocation, context: StepContext) => Js;
}

/** The context of a list of steps: what it can read, and how it ends. */
export interface StepContext {
  readonly compiler: Compiler;
  readonly scope: Scope;
  /** In a resource's own `create` operation: the variable to which a `create` step of the resource assigns its object too. */
  readonly creates?: { readonly resource: ResourceDef; readonly self: string };
  /** The parent that the routes of the operation name: created objects belong to it. */
  readonly parent?: Pick<Parent, 'field' | 'names'> & { readonly resource: ResourceDef; readonly js: string };
  /** Parameters of the operation, for `from: params`. */
  readonly params?: ReadonlyMap<string, Schema>;
  /** In a flow: the type of its result; written values are checked against it. */
  readonly result?: Type;
  /** JavaScript that returns a value from the function. */
  readonly returns: (value: Compiled) => string;
  /** The JavaScript before an assignment: empty inside a step with `when`, whose variables were declared before it. */
  readonly declare: 'const ' | '';
}

export function childContext(context: StepContext): StepContext {
  return { ...context, scope: context.scope.child() };
}

/** The outermost scope of a function. @param name of the function in messages, such as `flow renew` */
export function rootScope(name: string, place: SourceLocation, env: Environment): Scope {
  return new Scope(new CodeUnit(name, place, env.texts));
}

/** The scope of a function, with its parameters. */
export interface FunctionScope {
  readonly scope: Scope;
  readonly unit: CodeUnit;
  /** JavaScript names of the parameters, the execution `x` first. */
  readonly parameters: readonly string[];
}

/** The type of a parameter that holds an object; expressions read the object's current state. */
interface LiveParameter {
  readonly live: Type;
}

export function liveParameter(type: Type): LiveParameter {
  return { live: type };
}

/** Creates the scope of a function and declares the function's parameters in it. */
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

/** Creates a context for steps in a function scope, for steps without a result. They see the `request` of their command. */
export function stepContext(compiler: Compiler, scope: Scope): StepContext {
  if (!scope.lookup('request')) scope.name('request', { js: 'x.request', type: compiler.env.request, live: false });
  return { compiler, scope, returns: ({ js }) => js, declare: 'const ' };
}

/** A variable to which a step assigns its result. */
interface Binding {
  readonly js: string;
  /** The resource whose objects the variable holds; expressions read their current state. Undefined: it holds a value. */
  readonly resource: number | undefined;
}

/** Declares a variable for the result of a step, which the following steps can read. */
export function bind({ scope, compiler }: StepContext, name: string, type: Type): Binding {
  const resource = resourceOf(type, compiler.env);
  const { js } = scope.declare(name, type, resource !== undefined);
  return { js, resource };
}

/**
 * JavaScript of the holder of an object of a resource (its row, if an expression already looked it up), or of a value if there
 * is no resource.
 */
export function held(resource: number | undefined, from: Compiled, { unit }: Scope): string {
  if (resource === undefined) return from.js;
  if (from.variable?.live) return `${unit.refer(current, 'current')}(x, ${resource}, ${from.variable.js})`;
  return from.row ?? `x.holder(${resource}, ${from.js})`;
}

/** An object in the state that an expression read, possibly an earlier one; a called flow sees this state. */
export class SeenObject {
  constructor(readonly value: JsonObject) {}
}

/** Returns the holder of an object's current state; an object in a state that an expression read stays as it is. */
function current(x: Execution, resource: number, holder: Holder | null): Holder | null {
  if (holder instanceof SeenObject) return holder;
  if (holder instanceof Row && holder.alive && holder.resource === resource) return holder;
  return x.holder(resource, holder?.value ?? null);
}

/** The keys of a pack's operations, as other files write them: `COLLECTION.NAME`. */
export function operationKeys({ resources }: Model): string[] {
  return resources.flatMap(({ collection, file: { operations = {} } }) =>
    Object.keys(operations).map((name) => `${collection}.${name}`),
  );
}

/** The number of the resource whose objects have a type; undefined if it is no object. */
export function resourceOf(type: Type, env: Environment): number | undefined {
  return type.kind === 'object' && type.resource !== undefined ? env.resources.get(type.resource)?.index : undefined;
}

/** JavaScript of a resource's declaration. */
export function definitionOf(def: ResourceDef, { scope }: StepContext): string {
  return scope.unit.refer(def, `def_${def.name}`);
}

/** Gives lines of JavaScript a location in the pack; lines that have one keep it. */
export function placed(place: SourceLocation, ...lines: Js): Js {
  return lines.map((line) => (typeof line === 'string' ? { js: line, place } : line));
}
