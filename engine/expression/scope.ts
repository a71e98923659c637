import type { Type } from './types.js';

/** A variable: where its value stands in the frame, and what it is. */
export interface Variable {
  readonly slot: number;
  readonly type: Type;
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

  declare(name: string, type: Type): Variable {
    const variable = { slot: this.layout.allocate(), type };
    this.#names.set(name, variable);
    return variable;
  }

  lookup(name: string): Variable | undefined {
    return this.#names.get(name) ?? this.parent?.lookup(name);
  }

  /** Every visible name, inner ones first. */
  names(): string[] {
    return [...new Set([...this.#names.keys(), ...(this.parent?.names() ?? [])])];
  }

  /** Every visible variable that holds an object of a resource. */
  objects(): Variable[] {
    const seen = new Set<string>();
    const found: Variable[] = [];
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      for (const [name, variable] of scope.#names) {
        if (seen.has(name)) continue;
        seen.add(name);
        if (variable.type.kind === 'object' && variable.type.resource !== undefined) found.push(variable);
      }
    }
    return found;
  }
}
