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
import type { ProblemList, SourceFile } from '../pack/index.js';
import { suggest } from '../pack/index.js';

export type SourcePath = readonly (string | number)[];

/** What expressions see wherever they are. */
const EVERYWHERE = ['now', 'vars', 'base_url', 'socket_url', 'request'];

/** Names that the language gives to what expressions see: a text that begins with one was hardly meant as a text. */
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

/** What reads like a member of a variable, in a text. */
const MEMBER = /(?<![\w.$'"-])([a-z_]\w*)(?:\.[A-Za-z_]\w*)+(?![\w(])/g;

/** Characters of the longest expression, where each run of white space counts as one. */
const LONGEST = 300;

/** A place in a pack: what a problem points at. */
export interface SourceLocation {
  readonly file: SourceFile;
  readonly path: SourcePath;
}

/** The place of something inside a place. */
export function inside(place: SourceLocation, ...path: SourcePath): SourceLocation {
  return { file: place.file, path: [...place.path, ...path] };
}

/** What linking carries along: where problems go. */
export class Diagnostics {
  constructor(readonly problems: ProblemList) {}

  /** Reports a problem. */
  problem(
    place: SourceLocation,
    code: ProblemCode,
    message: string,
    more: { suggestion?: string; at?: 'key' | 'value'; offset?: number; severity?: 'error' | 'warning' } = {},
  ): void {
    this.problems.add(place.file, place.path, code, message, more);
  }

  /** Reports a name that nothing declares, with the nearest one that is declared. */
  unknown(
    place: SourceLocation,
    what: NamedInPack,
    name: string,
    known: Iterable<string>,
    at: 'key' | 'value' = 'value',
  ): void {
    this.problem(place, `unknown-${what}`, `unknown ${what.replace('-', ' ')} '${name}'`, {
      suggestion: suggest(name, known),
      at,
    });
  }

  /** Warns of an argument with the name of something that every expression sees. @param more names that are seen there */
  hides(place: SourceLocation, name: string, more: readonly string[] = []): void {
    if (!EVERYWHERE.includes(name) && !more.includes(name)) return;
    const message = `'${name}' is a word of the language: one of the two is hidden where both are seen; call the argument otherwise`;
    this.problem(place, 'hidden-name', message, { at: 'key', severity: 'warning' });
  }

  /** Compiles a value with `${...}` inside; problems are reported and give null. */
  template(place: SourceLocation, value: Json, scope: Scope, env: Environment): Compiled {
    this.#look(place, value, scope, env);
    return this.guarded(place, () => compileTemplate(value, scope, env), value);
  }

  /** As `template`, of what an operation or a flow returns: the name of a variable alone was hardly meant as text. */
  returned(place: SourceLocation, value: Json, scope: Scope, env: Environment): Compiled {
    if (typeof value === 'string' && scope.lookup(value) !== undefined)
      this.problem(place, 'no-expression', `this returns the text '${value}', not the variable`, {
        severity: 'warning',
        suggestion: `=${value}`,
      });
    return this.template(place, value, scope, env);
  }

  /** Warns of texts such as `self.amount` that look like an expression and are none without `${}`, and of long expressions. */
  #look(place: SourceLocation, value: Json, scope: Scope, env: Environment): void {
    if (typeof value === 'string') {
      if (value.length > LONGEST) for (const { text, offset } of expressionsIn(value)) this.#long(place, text, offset);
      const [, name] = /^\s*([a-z_]\w*)(?:\.[A-Za-z_]\w*)+\s*$/.exec(value) ?? [];
      if (name === undefined) return this.#lookInside(place, value, scope, env);
      if (!this.#reads(name, value, scope, env)) return;
      this.problem(place, 'no-expression', `this is the text '${value}', not an expression`, {
        severity: 'warning',
        suggestion: `=${value.trim()}`,
      });
    } else if (Array.isArray(value)) {
      (value as readonly Json[]).forEach((item, index) => this.#look(inside(place, index), item, scope, env));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) this.#look(inside(place, key), item, scope, env);
    }
  }

  /** Warns of `self.amount` in a longer text: what can be read there was meant to be, and no `${}` is around it. */
  #lookInside(place: SourceLocation, value: string, scope: Scope, env: Environment): void {
    for (const { 0: text, 1: name, index } of value.matchAll(MEMBER)) {
      // Of a value with any members each text can be read: then only words of the language were hardly meant as text.
      if (!WORDS.has(name) && scope.lookup(name)?.type.kind !== 'object') continue;
      if (!canRead(text, scope, env)) continue;
      const isInside = expressionsIn(value).some(
        (each) => each.offset <= index && index < each.offset + each.text.length,
      );
      if (isInside) continue;
      const message = `'${text}' is text here, not an expression`;
      this.problem(place, 'no-expression', message, { severity: 'warning', suggestion: `\${${text}}`, offset: index });
    }
  }

  /** Whether a text that looks like an expression may be one: what begins with a name that the pack chose has to have a meaning. */
  #reads(name: string, text: string, scope: Scope, env: Environment): boolean {
    if (WORDS.has(name)) return name === 'vars' || scope.lookup(name) !== undefined;
    return scope.lookup(name) !== undefined && canRead(text, scope, env);
  }

  /** Warns of an expression that is a program. */
  #long(place: SourceLocation, source: string, offset: number): void {
    const { length } = source.trim().replace(/\s+/g, ' ');
    if (length <= LONGEST) return;
    const message = `this expression has ${length} characters, more than ${LONGEST}: split it into steps of \`let\`, a map of expressions, pure flows or a table`;
    this.problem(place, 'long-expression', message, { offset, severity: 'warning' });
  }

  /** Compiles an expression that is bare in its slot; problems are reported and give null. */
  bare(place: SourceLocation, source: string, scope: Scope, env: Environment): Compiled {
    this.#long(place, source, 0);
    return this.guarded(place, () => compileBare(source, scope, env));
  }

  /** What `let` gives a name: a bare expression, or a map or list of values. */
  bound(place: SourceLocation, value: Json, scope: Scope, env: Environment): Compiled {
    return typeof value === 'string' ? this.bare(place, value, scope, env) : this.template(place, value, scope, env);
  }

  /** Warns of a stored value that is computed from the address: it stays as it is where the world is served at another one. */
  keepsAddress(place: SourceLocation, { type }: Compiled, schema: { readonly keeps_address?: boolean }): void {
    if (schema.keeps_address === true || addressIn(type) !== 'computed') return;
    const message =
      'this stores a value that is computed from the address, which forks and other ports do not change: compute it in a ' +
      '`view` or in the response, or write `keeps_address: true` in the field if it belongs to the address at which it was made';
    this.problem(place, 'stored-address', message, { severity: 'warning' });
  }

  /** As `bare`, of an expression that must be true or false. */
  condition(place: SourceLocation, source: string, scope: Scope, env: Environment): Compiled {
    const compiled = this.bare(place, source, scope, env);
    if (!accepts(BOOLEAN, compiled.type))
      this.problem(place, 'wrong-type', `this must be true or false, it is ${describeType(compiled.type)}`);
    return compiled;
  }

  /** @param value a template, of which a text may have been meant */
  private guarded(place: SourceLocation, compile: () => Compiled, value?: Json): Compiled {
    try {
      return compile();
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      // `=word` was written, and a text may have been meant.
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

/** What a path leads to in a value. */
function pick(value: Json | undefined, path: SourcePath): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (Array.isArray(at)) return (at as readonly Json[])[Number(step)];
    return isObject(at) ? at[step] : undefined;
  }, value);
}

/** A scope with no variables. */
export function emptyScope(): Scope {
  return new Scope(new CodeUnit('constant'));
}

/** Whether a text is an expression without problems. */
function canRead(text: string, scope: Scope, env: Environment): boolean {
  try {
    compileBare(text, scope.child(), env);
    return true;
  } catch {
    return false;
  }
}
