import { CodeUnit, type Compiled, type Host, Scope, type Type } from '../expression/index.js';
import type { Diagnostics, SourceLocation } from '../model/index.js';
import type { Program } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import type { Json, JsonObject } from '../values/index.js';

/** Saved responses of the setup, by name, and `people`. */
export type Names = JsonObject;

/** A compiled value of a company file, evaluated for these names and a pack. */
export type Value = (names: Names, engine: Engine) => Json;

/** Names that a part of a company file may read, with their types. */
export type KnownNames = ReadonlyMap<string, Type>;

/** Compiles values of a company file. @param known names that it may read @param seen receives the saved names that it reads */
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

/** The host of a company file's expressions: they read objects as the API returns them, and of the world only its time. */
function hostOf({ world }: Engine): Host {
  const seen = { now: world.now, nowMs: world.nowMs, baseUrl: '' };
  return new Proxy(seen as unknown as Host, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(target, key)) return Reflect.get(target, key) as unknown;
      throw new Error(`a company file cannot use what reads a world (${String(key)})`);
    },
  });
}
