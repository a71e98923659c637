import { CodeUnit, type Compiled, type Host, Scope, type Type } from '../expression/index.js';
import type { Diagnostics, SourceLocation } from '../model/index.js';
import type { Program } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import type { Json, JsonObject } from '../values/index.js';

/** What the beginning has kept, by name: responses of calls, and `people`. */
export type Names = JsonObject;

/** A value of a company file, compiled: what it is for these names, seen by a pack. */
export type Value = (names: Names, engine: Engine) => Json;

/** Names that a part of a company file may read, with the types of what they name. */
export type KnownNames = ReadonlyMap<string, Type>;

/**
 * Compiles what a company file says.
 * @param known names that it may read
 * @param seen what it sees of what was kept
 */
export class FileValues {
  constructor(
    private readonly known: KnownNames,
    private readonly diagnostics: Diagnostics,
    private readonly seen: (names: Names) => Names = (names) => names,
  ) {}

  template(place: SourceLocation, value: Json, { model }: Program): Value {
    return this.#compiled((scope) => this.diagnostics.template(place, value, scope, model.env));
  }

  condition(place: SourceLocation, source: string, { model }: Program): Value {
    return this.#compiled((scope) => this.diagnostics.condition(place, source, scope, model.env));
  }

  #compiled(compile: (scope: Scope) => Compiled): Value {
    const unit = new CodeUnit('company');
    const scope = new Scope(unit);
    const known = [...this.known.keys()];
    const names = [...this.known].map(([name, type]) => scope.declare(name, type).js);
    const run = unit.expression<[Host, ...Json[]]>(['x', ...names], compile(scope));
    return (values, engine) => {
      const seen = this.seen(values);
      return run(hostOf(engine), ...known.map((name) => seen[name] ?? null));
    };
  }
}

/** A company sees what applications see: of the world only its time. */
function hostOf({ world }: Engine): Host {
  const seen = { now: world.now, nowMs: world.nowMs, baseUrl: '' };
  return new Proxy(seen as unknown as Host, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(target, key)) return Reflect.get(target, key) as unknown;
      throw new Error(`a company file cannot use what reads a world (${String(key)})`);
    },
  });
}
