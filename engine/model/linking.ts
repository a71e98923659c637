import { ANY, type Compiled, compileBare, compileTemplate, type Environment, FrameLayout, type Json, Scope, TemplateError } from '../expression/index.js';
import type { ProblemList, SourceFile } from '../pack/index.js';
import { suggest } from '../pack/index.js';

export type Path = readonly (string | number)[];

/** A place in a pack: what a problem points at. */
export interface Place {
  readonly file: SourceFile;
  readonly path: Path;
}

/** The place of something inside a place. */
export function inside(place: Place, ...path: Path): Place {
  return { file: place.file, path: [...place.path, ...path] };
}

/** What linking carries along: where problems go. */
export class Linking {
  constructor(readonly problems: ProblemList) {}

  /** Reports a mistake. */
  problem(place: Place, code: string, message: string, more: { suggestion?: string; at?: 'key' | 'value'; offset?: number; severity?: 'error' | 'warning' } = {}): void {
    this.problems.add(place.file, place.path, code, message, more);
  }

  /** Reports a name that nothing declares, with the nearest one that is declared. */
  unknown(place: Place, what: string, name: string, known: Iterable<string>, at: 'key' | 'value' = 'value'): void {
    this.problem(place, `unknown-${what.replaceAll(' ', '-')}`, `unknown ${what} '${name}'`, { suggestion: suggest(name, known), at });
  }

  /** Compiles a value with `${...}` inside; mistakes are reported and give null. */
  template(place: Place, value: Json, scope: Scope, env: Environment): Compiled {
    return this.guarded(place, () => compileTemplate(value, scope, env));
  }

  /** Compiles an expression that stands bare in its slot; mistakes are reported and give null. */
  bare(place: Place, source: string, scope: Scope, env: Environment): Compiled {
    return this.guarded(place, () => compileBare(source, scope, env));
  }

  private guarded(place: Place, compile: () => Compiled): Compiled {
    try {
      return compile();
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.problem(inside(place, ...error.path), 'expression', error.message, { suggestion: error.suggestion, offset: error.offset });
      return { type: ANY, run: () => null };
    }
  }
}

/** A scope with no variables. */
export function emptyScope(): Scope {
  return new Scope(new FrameLayout());
}
