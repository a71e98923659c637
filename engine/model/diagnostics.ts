import { isObject, type Json } from '../values/index.js';
import {
  accepts,
  addressIn,
  MISTAKEN,
  BOOLEAN,
  type Compiled,
  compileBare,
  compileTemplate,
  describeType,
  type Environment,
  expressionsIn,
  Scope,
  TemplateError,
  CodeUnit,
} from '../expression/index.js';
import type { NamedInPack, ProblemCode } from '../codes.js';
import { type ProblemDetails, type ProblemList, type SourceFile, suggest } from '../pack/index.js';

export type SourcePath = readonly (string | number)[];

/** Names of variables that every expression can read. */
const EVERYWHERE = ['now', 'vars', 'base_url', 'socket_url', 'request'];

/** Names that the language defines in expressions: a text that begins with one was probably meant as an expression. */
const WORDS: ReadonlySet<string> = new Set([
  'self',
  'params',
  'vars',
  'request',
  'trigger',
  'actor',
  'parent',
  'item',
  'event',
  'endpoint',
]);

/** Matches a text that looks like a member of a variable, such as `self.amount`. */
const MEMBER = /(?<![\w.$'"-])([a-z_]\w*)(?:\.[A-Za-z_]\w*)+(?![\w(])/g;

/** Length limit of an expression in characters; a run of white space counts as one. */
const LONGEST = 300;

/** A location in a pack that a problem refers to. */
export interface SourceLocation {
  readonly file: SourceFile;
  readonly path: SourcePath;
  /** Whether the location is the key at the end of the path instead of its value. */
  readonly at?: 'key';
}

/** Returns the location of a value inside another one, by a path from the outer value. */
export function inside(place: SourceLocation, ...path: SourcePath): SourceLocation {
  return { file: place.file, path: [...place.path, ...path] };
}

/** Returns the location of a key inside a value, by a path from the value that ends with the key. */
export function keyIn(place: SourceLocation, ...path: SourcePath): SourceLocation {
  return { ...inside(place, ...path), at: 'key' };
}

/** Collects problems while a pack is linked. */
export class Diagnostics {
  constructor(readonly problems: ProblemList) {}

  /** Reports a problem that prevents the pack from being served. */
  problem(
    place: SourceLocation,
    code: ProblemCode,
    message: string,
    more: Pick<ProblemDetails, 'suggestion' | 'offset' | 'severity'> = {},
  ): void {
    const { file, path, at } = place;
    this.problems.add(file, path, code, message, { ...more, at });
  }

  /** Reports a problem that doesn't prevent the pack from being served. */
  warning(
    place: SourceLocation,
    code: ProblemCode,
    message: string,
    more: Pick<ProblemDetails, 'suggestion' | 'offset'> = {},
  ): void {
    this.problem(place, code, message, { ...more, severity: 'warning' });
  }

  /** Reports an unknown name, with the nearest known one. */
  unknown(place: SourceLocation, what: NamedInPack, name: string, known: Iterable<string>): void {
    const suggestion = suggest(name, known);
    this.problem(place, `unknown-${what}`, `unknown ${what.replace('-', ' ')} '${name}'`, { suggestion });
  }

  /** Looks up a name; if it is unknown, reports that and returns undefined. */
  find<T>(place: SourceLocation, what: NamedInPack, name: string, known: ReadonlyMap<string, T>): T | undefined {
    const found = known.get(name);
    if (found === undefined) this.unknown(place, what, name, known.keys());
    return found;
  }

  /**
   * Warns of an argument with the name of something that every expression can read, which it hides.
   * @param more further names that expressions at the location can read
   */
  hides(place: SourceLocation, name: string, more: readonly string[] = []): void {
    if (!EVERYWHERE.includes(name) && !more.includes(name)) return;
    const message = `'${name}' is a word of the language: one of the two is hidden where both are seen; call the argument otherwise`;
    this.warning(keyIn(place), 'hidden-name', message);
  }

  /** Whether a name is in a list of known names; if not, reports that. */
  known(
    place: SourceLocation,
    what: NamedInPack,
    name: string,
    known: readonly string[] | ReadonlySet<string> | ReadonlyMap<string, unknown>,
  ): boolean {
    const isKnown = 'has' in known ? known.has(name) : known.includes(name);
    if (!isKnown) this.unknown(place, what, name, 'has' in known ? known.keys() : known);
    return isKnown;
  }

  /** Compiles a value that contains `${...}`. If that fails, reports the problem, and compiles null instead. */
  template(place: SourceLocation, value: Json, scope: Scope, env: Environment): Compiled {
    this.#look(place, value, scope, env);
    return this.guarded(place, () => compileTemplate(value, scope, env), value);
  }

  /** Compiles the result of an operation or flow, as a template. Warns of a text that equals a variable's name. */
  returned(place: SourceLocation, value: Json, scope: Scope, env: Environment): Compiled {
    if (typeof value === 'string' && scope.lookup(value) !== undefined)
      this.warning(place, 'no-expression', `this returns the text '${value}', not the variable`, {
        suggestion: `=${value}`,
      });
    return this.template(place, value, scope, env);
  }

  /** Warns of texts such as `self.amount` that look like an expression but have no `${}`, and of long expressions. */
  #look(place: SourceLocation, value: Json, scope: Scope, env: Environment): void {
    if (typeof value === 'string') {
      if (value.length > LONGEST) for (const { text, offset } of expressionsIn(value)) this.#long(place, text, offset);
      const [, name] = /^\s*([a-z_]\w*)(?:\.[A-Za-z_]\w*)+\s*$/.exec(value) ?? [];
      if (name === undefined) return this.#lookInside(place, value, scope, env);
      if (!this.#reads(name, value, scope, env)) return;
      this.warning(place, 'no-expression', `this is the text '${value}', not an expression`, {
        suggestion: `=${value.trim()}`,
      });
    } else if (Array.isArray(value)) {
      (value as readonly Json[]).forEach((item, index) => this.#look(inside(place, index), item, scope, env));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) this.#look(inside(place, key), item, scope, env);
    }
  }

  /** Warns of `self.amount` without `${}` inside a longer text, if an expression could read that member. */
  #lookInside(place: SourceLocation, value: string, scope: Scope, env: Environment): void {
    for (const { 0: text, 1: name, index } of value.matchAll(MEMBER)) {
      // In a value of unknown type any member can be read, so only names of the language are reported.
      if (!WORDS.has(name) && scope.lookup(name)?.type.kind !== 'object') continue;
      if (!canRead(text, scope, env)) continue;
      const isInside = expressionsIn(value).some(
        (each) => each.offset <= index && index < each.offset + each.text.length,
      );
      if (isInside) continue;
      const message = `'${text}' is text here, not an expression`;
      this.warning(place, 'no-expression', message, { suggestion: `\${${text}}`, offset: index });
    }
  }

  /** Whether a text that looks like an expression is valid: if it begins with a name of the pack, its members have to exist. */
  #reads(name: string, text: string, scope: Scope, env: Environment): boolean {
    if (WORDS.has(name)) return name === 'vars' || scope.lookup(name) !== undefined;
    return scope.lookup(name) !== undefined && canRead(text, scope, env);
  }

  /** Warns of an expression that is too long. */
  #long(place: SourceLocation, source: string, offset: number): void {
    const { length } = source.trim().replace(/\s+/g, ' ');
    if (length <= LONGEST) return;
    const message = `this expression has ${length} characters, more than ${LONGEST}: split it into steps of \`let\`, a map of expressions, pure flows or a table`;
    this.warning(place, 'long-expression', message, { offset });
  }

  /** Compiles an expression that is written without `${}`. If that fails, reports the problem, and compiles null instead. */
  bare(place: SourceLocation, source: string, scope: Scope, env: Environment): Compiled {
    this.#long(place, source, 0);
    return this.guarded(place, () => compileBare(source, scope, env));
  }

  /** Compiles a value of `let`: an expression, or a map or list of values. */
  bound(place: SourceLocation, value: Json, scope: Scope, env: Environment): Compiled {
    return typeof value === 'string' ? this.bare(place, value, scope, env) : this.template(place, value, scope, env);
  }

  /** Warns of a stored value that is computed from the sandbox's address, since it stays unchanged if the address changes. */
  keepsAddress(place: SourceLocation, { type }: Compiled, schema: { readonly keeps_address?: boolean }): void {
    if (schema.keeps_address === true || addressIn(type) !== 'computed') return;
    const message =
      'this stores a value that is computed from the address, which forks and other ports do not change: compute it in a ' +
      '`view` or in the response, or write `keeps_address: true` in the field if it belongs to the address at which it was made';
    this.warning(place, 'stored-address', message);
  }

  /** Compiles an expression that has to be a boolean; reports a problem if its type differs. */
  condition(place: SourceLocation, source: string, scope: Scope, env: Environment): Compiled {
    const compiled = this.bare(place, source, scope, env);
    if (!accepts(BOOLEAN, compiled.type))
      this.problem(place, 'wrong-type', `this must be true or false, it is ${describeType(compiled.type)}`);
    return compiled;
  }

  /** Runs a compilation, and reports its error as a problem. @param value a template that may have been meant as text */
  private guarded(place: SourceLocation, compile: () => Compiled, value?: Json): Compiled {
    try {
      return compile();
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      // The text `=word` was probably meant as text, not as an expression.
      const [, word] = /^\$\{(\w+)\}$/.exec(String(pick(value, error.path))) ?? [];
      const isText = error.suggestion === undefined && word !== undefined && place.file.text.includes(`=${word}`);
      const hint = isText && error.message.startsWith('unknown name') ? '; a text stands without =' : '';
      this.problem(inside(place, ...error.path), 'expression', `${error.message}${hint}`, {
        suggestion: error.suggestion,
        offset: error.offset,
      });
      return { type: MISTAKEN, js: 'null' };
    }
  }
}

/** Returns the value at a path; undefined if there is none. */
function pick(value: Json | undefined, path: SourcePath): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (Array.isArray(at)) return (at as readonly Json[])[Number(step)];
    return isObject(at) ? at[step] : undefined;
  }, value);
}

/** Returns a scope with no variables. */
export function emptyScope(): Scope {
  return new Scope(new CodeUnit('constant'));
}

/** Whether a text can be compiled as an expression. */
function canRead(text: string, scope: Scope, env: Environment): boolean {
  try {
    compileBare(text, scope.child(), env);
    return true;
  } catch {
    return false;
  }
}
