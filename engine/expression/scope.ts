import type { JsonObject } from '../values/index.js';
import type { CodeUnit } from './unit.js';
import type { Type } from './types.js';

/** A variable: its JavaScript name and its type. */
export interface Variable {
  readonly js: string;
  readonly type: Type;
  /** Whether the variable holds a `Holder` or null, so that reads see the object's current state. */
  readonly live: boolean;
}

/** The content of a live variable: a row of the world, or a value that is in no collection. */
export interface Holder {
  readonly value: JsonObject;
}

/** The names that an expression at some point of the compiled function may use. Inner scopes see outer ones. */
export class Scope {
  readonly #names = new Map<string, Variable>();

  constructor(
    readonly unit: CodeUnit,
    private readonly parent?: Scope,
  ) {}

  child(): Scope {
    return new Scope(this.unit, this);
  }

  /** Creates a scope in the same function that sees none of this scope's names. */
  detached(): Scope {
    return new Scope(this.unit);
  }

  /** Declares a variable, with a unique name in JavaScript. */
  declare(name: string, type: Type, live = false): Variable {
    return this.name(name, { js: this.unit.identifier(name), type, live });
  }

  /** Declares a name for an existing variable. */
  name(name: string, variable: Variable): Variable {
    this.#names.set(name, variable);
    return variable;
  }

  /** Declares a variable that an expression itself assigns, with a unique name in JavaScript. */
  declareTemp(name: string, type: Type): Variable {
    return this.name(name, { js: this.unit.temp(name), type, live: false });
  }

  /** Returns the names declared in this scope, without those of outer scopes. */
  own(): ReadonlyMap<string, Variable> {
    return new Map(this.#names);
  }

  /** The variable that a name means outside of this scope. */
  outer(name: string): Variable | undefined {
    return this.parent?.lookup(name);
  }

  lookup(name: string): Variable | undefined {
    return this.#names.get(name) ?? this.parent?.lookup(name);
  }

  /** All visible names, inner ones first. */
  names(): string[] {
    return [...new Set([...this.#names.keys(), ...(this.parent?.names() ?? [])])];
  }
}

/** A scope without declarations that records which outer names are read. */
export class WatchedScope extends Scope {
  readonly read = new Set<string>();

  constructor(outer: Scope) {
    super(outer.unit, outer);
  }

  override lookup(name: string): Variable | undefined {
    this.read.add(name);
    return super.lookup(name);
  }
}
