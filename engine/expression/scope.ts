import type { JsonObject } from './host.js';
import type { Type } from './types.js';

/** A variable: where its value stands in the frame, and what it is. */
export interface Variable {
  readonly slot: number;
  readonly type: Type;
  /** The slot holds a `Holder`: reading the variable gives the object's current state. */
  readonly live: boolean;
}

/** What the slot of a live variable holds (a row of the world, or a value that is in no collection). */
export interface Holder {
  readonly value: JsonObject;
}

/** Counts the slots that a whole program needs, so that its frames are made in one go. */
export class FrameLayout {
  #size = 1;
  allocate(): number {
    return this.#size++;
  }
  get size(): number {
    return this.#size;
  }
}

/** Names visible at one place of a program. Inner scopes see outer ones; every name has a slot of its own. */
export class Scope {
  readonly #names = new Map<string, Variable>();

  constructor(
    readonly layout: FrameLayout,
    private readonly parent?: Scope,
  ) {}

  child(): Scope {
    return new Scope(this.layout, this);
  }

  declare(name: string, type: Type, live = false): Variable {
    const variable = { slot: this.layout.allocate(), type, live };
    this.#names.set(name, variable);
    return variable;
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
