import type { JsonObject } from '../values/index.js';
import type { CodeUnit } from './unit.js';
import type { Type } from './types.js';

/** A variable: what the text calls it, and what it is. */
export interface Variable {
  readonly js: string;
  readonly type: Type;
  /** It holds a `Holder` or null: reading the variable gives the object's current state. */
  readonly live: boolean;
}

/** What a live variable holds (a row of the world, or a value that is in no collection). */
export interface Holder {
  readonly value: JsonObject;
}

/** Names visible at one place of a unit. Inner scopes see outer ones. */
export class Scope {
  readonly #names = new Map<string, Variable>();

  constructor(
    readonly unit: CodeUnit,
    private readonly parent?: Scope,
  ) {}

  child(): Scope {
    return new Scope(this.unit, this);
  }

  /** A scope of the same text that sees nothing of this one. */
  detached(): Scope {
    return new Scope(this.unit);
  }

  /** Declares a name; what it is called in the text nothing else is. */
  declare(name: string, type: Type, live = false): Variable {
    return this.name(name, { js: this.unit.identifier(name), type, live });
  }

  /** Gives a name to what the text has already. */
  name(name: string, variable: Variable): Variable {
    this.#names.set(name, variable);
    return variable;
  }

  /** As `declare`, for a variable that is given its value inside of an expression. */
  declareTemp(name: string, type: Type): Variable {
    return this.name(name, { js: this.unit.temp(name), type, live: false });
  }

  /** The names declared here, not in outer scopes, as they are now. */
  own(): ReadonlyMap<string, Variable> {
    return new Map(this.#names);
  }

  /** What a name means outside of this scope. */
  outer(name: string): Variable | undefined {
    return this.parent?.lookup(name);
  }

  lookup(name: string): Variable | undefined {
    return this.#names.get(name) ?? this.parent?.lookup(name);
  }

  /** Every visible name, inner ones first. */
  names(): string[] {
    return [...new Set([...this.#names.keys(), ...(this.parent?.names() ?? [])])];
  }
}

/** A scope that declares nothing, and notes which names of outer ones are read. */
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
