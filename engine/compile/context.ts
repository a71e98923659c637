import {
  type Compiled,
  type Environment,
  type Frame,
  FrameLayout,
  type Json,
  Scope,
  type Type,
} from '../expression/index.js';
import type { Diagnostics, Model, Place, ResourceDef, Schema, StepFile } from '../model/index.js';
import { Row } from '../world/index.js';
import type { Execution, ResourceProgram, Step } from '../program/index.js';
import type { Flow } from './flows.js';
import type { ObjectDefaults } from './defaults.js';

/** What all compilation of a pack shares. */
export interface Compiler {
  readonly model: Model;
  readonly diagnostics: Diagnostics;
  readonly env: Environment;
  readonly flows: ReadonlyMap<string, Flow>;
  /** Event name -> the resource that declares it. */
  readonly eventOwners: ReadonlyMap<string, ResourceDef>;
  /** Programs by resource number; filled after shapes are known, used when steps run. */
  readonly programs: readonly ResourceProgram[];
  /** Names that something used, for "never used" warnings. */
  readonly used: {
    readonly flows: Set<string>;
    readonly errors: Set<string>;
    readonly events: Set<string>;
    readonly durations: Set<string>;
  };
  defaults(resource: ResourceDef): ObjectDefaults;
  /** Compiles a step list: steps that hold steps ask for it here. */
  readonly steps: (steps: readonly StepFile[], place: Place, context: StepContext) => Step;
}

/** Where a step list stands: what it can see. */
export interface StepContext {
  readonly compiler: Compiler;
  readonly scope: Scope;
  /** In a resource's own `create` operation: `create` of it also sets `self`. */
  readonly creates?: { readonly resource: ResourceDef; readonly slot: number };
  /** In an operation: its parameters, which `from: params` brings. */
  readonly params?: ReadonlyMap<string, Schema>;
}

export function childContext(context: StepContext): StepContext {
  return { ...context, scope: context.scope.child() };
}

/** A new program's root scope. */
export function rootScope(): Scope {
  return new Scope(new FrameLayout());
}

/** A variable that steps give values. */
export interface Binding {
  readonly slot: number;
  /** The resource whose objects it holds; such a variable always shows the current state. */
  readonly resource: number | undefined;
}

/** Declares a variable. */
export function bind(context: StepContext, name: string, type: Type): Binding {
  const resource = resourceOf(type, context.compiler.env);
  const { slot } = context.scope.declare(name, type, resource !== undefined);
  return { slot, resource };
}

/** Gives a variable a value. */
export function assign({ slot, resource }: Binding, frame: Frame, execution: Execution, value: Json): void {
  frame[slot] = resource === undefined ? value : execution.holder(resource, value);
}

/** Gives a variable of `into` what an expression gives in `frame`. An object of the world is not looked up once more. */
export function assignResult(binding: Binding, into: Frame, execution: Execution, from: Compiled, frame: Frame): void {
  const { slot, resource } = binding;
  const { variable } = from;
  if (variable !== undefined) {
    const held = frame[variable.slot];
    const fits =
      resource === undefined
        ? !variable.live
        : held instanceof Row && held.alive && held.resource === resource && variable.live;
    if (fits) {
      into[slot] = held;
      return;
    }
  }
  assign(binding, into, execution, from.run(frame));
}

/** The number of the resource that a type is an object of. */
export function resourceOf(type: Type, env: Environment): number | undefined {
  return type.kind === 'object' && type.resource !== undefined ? env.resources.get(type.resource)?.index : undefined;
}
