import {
  accepts,
  ANY,
  type Compiled,
  describe,
  type Environment,
  ExpressionFailure,
  type Frame,
  FrameLayout,
  type Json,
  type JsonObject,
  Scope,
  type Type,
} from '../expression/index.js';
import { inside, type Linking, type Model, type Place, type ResourceDef, type Schema } from '../model/index.js';
import { Row } from '../world/index.js';
import type { Execution } from '../program/index.js';
import type { ResourceProgram } from '../program/index.js';
import type { Flow } from './flows.js';
import type { ObjectDefaults } from './defaults.js';

/** What all compilation of a pack shares. */
export interface Compiler {
  readonly model: Model;
  readonly linking: Linking;
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

/** An object that a step works on. */
export interface Target {
  readonly def: ResourceDef;
  readonly row: (frame: Frame, execution: Execution) => Row;
}

/** Resolves `self`, a variable, or an expression that gives an object. */
export function target(
  context: StepContext,
  source: string | undefined,
  place: Place,
  otherwise = 'self',
): Target | undefined {
  const text = source ?? otherwise;
  const { compiler, scope } = context;
  const expression = text.startsWith('${') && text.endsWith('}') ? text.slice(2, -1) : text;
  const compiled = compiler.linking.bare(place, expression, scope, compiler.env);
  const index = resourceOf(compiled.type, compiler.env);
  if (index === undefined) {
    if (compiled.type !== ANY) {
      compiler.linking.problem(
        place,
        'not-an-object',
        `'${text}' is ${describe(compiled.type)}, not an object of a resource`,
      );
    }
    return undefined;
  }
  const def = compiler.model.resources[index];
  const variable = scope.lookup(expression);
  if (variable?.live) {
    const { slot } = variable;
    return { def, row: (frame) => asRow(frame[slot], text) };
  }
  return {
    def,
    row: (frame, execution) => {
      const value = compiled.run(frame) as JsonObject | null;
      return asRow(execution.holder(index, value), text);
    },
  };
}

function asRow(value: unknown, name: string): Row {
  if (value instanceof Row) return value;
  throw new ExpressionFailure(value == null ? `'${name}' is null` : `'${name}' is in no collection`);
}

/** Compiles the arguments of an error, trigger or flow, and checks their names and types against what is declared. */
export function compileArguments(
  context: StepContext,
  given: JsonObject | undefined,
  declared: ReadonlyMap<string, { readonly type: Type; readonly required: boolean }>,
  place: Place,
  what: string,
): [string, Compiled][] {
  const { linking, env } = context.compiler;
  const compiled: [string, Compiled][] = [];
  for (const [name, value] of Object.entries(given ?? {})) {
    const at = inside(place, name);
    const wanted = declared.get(name);
    if (!wanted) {
      linking.unknown(at, 'argument', name, declared.keys(), 'key');
      continue;
    }
    const argument = linking.template(at, value, context.scope, env);
    if (!accepts(wanted.type, argument.type)) {
      linking.problem(
        at,
        'wrong-type',
        `'${name}' of ${what} is ${describe(wanted.type)}, not ${describe(argument.type)}`,
      );
    }
    compiled.push([name, argument]);
  }
  for (const [name, { required }] of declared) {
    if (required && !Object.hasOwn(given ?? {}, name))
      linking.problem(place, 'missing-argument', `${what} needs '${name}'`);
  }
  return compiled;
}

/** The values of compiled arguments. */
export function evaluateArguments(
  compiled: readonly (readonly [string, Compiled])[],
  frame: Frame,
): Record<string, Json> {
  const made: Record<string, Json> = {};
  for (const [name, { run }] of compiled) made[name] = run(frame);
  return made;
}
