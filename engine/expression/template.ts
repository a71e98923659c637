import { joinedAddress } from './address.js';
import { compileExpression } from './compile.js';
import { type Compiled, compiledList, compiledObject, compiledText, fixed } from './compiled.js';
import type { Environment } from './environment.js';
import { type Json, isObject, toText } from '../values/index.js';
import { scriptLiteral } from './javascript.js';
import { ExpressionError } from './parse.js';
import type { Scope } from './scope.js';
import { ANY, join, listType, objectType, ofAddress } from './types.js';

/** A problem in a template: the path of the text, and the offset in it. */
export class TemplateError extends Error {
  constructor(
    message: string,
    readonly path: readonly (string | number)[],
    readonly offset: number,
    readonly suggestion?: string,
  ) {
    super(message);
  }
}

/**
 * Compiles a value of a pack: literals stay, `${...}` marks an expression. A text that is one whole `${...}` keeps the
 * expression's type; otherwise the parts are joined as text. Constant parts are built once and shared.
 * @throws TemplateError
 */
export function compileTemplate(
  value: Json,
  scope: Scope,
  env: Environment,
  path: readonly (string | number)[] = [],
): Compiled {
  if (typeof value === 'string') return compileText(value, scope, env, path);
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item, index) => compileTemplate(item, scope, env, [...path, index]));
    const type = listType(items.length === 0 ? ANY : items.map((item) => item.type).reduce(join));
    const constants = items.map(({ constant }) => constant);
    if (!constants.every(isKnown)) return compiledList(type, items, scope);
    return fixed(constants.every((each, at) => each === value[at]) ? value : constants, scope.unit, type);
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, item]) => [key, compileTemplate(item, scope, env, [...path, key])] as const,
    );
    const type = objectType(entries.map(([key, item]) => [key, item.type] as const));
    const constants = entries.map(([key, { constant }]) => [key, constant] as const);
    if (!constants.every((entry): entry is readonly [string, Json] => isKnown(entry[1])))
      return compiledObject(type, entries, scope);
    // If a member is an expression over constants, the constant object isn't the one in the pack's file.
    const folded = constants.some(([key, each]) => each !== value[key]);
    return fixed(folded ? Object.fromEntries(constants) : value, scope.unit, type);
  }
  return fixed(value, scope.unit);
}

function isKnown(constant: Json | undefined): constant is Json {
  return constant !== undefined;
}

/**
 * Compiles an expression at a location that accepts only expressions (`when`, guards ...); `${...}` around it is optional.
 * @throws TemplateError
 */
export function compileBare(
  source: string,
  scope: Scope,
  env: Environment,
  path: readonly (string | number)[] = [],
  shift = 0,
): Compiled {
  const whole = /^\s*\$\{/.exec(source)?.[0].length;
  const end = source.trimEnd().length - 1;
  if (whole !== undefined && closingBrace(source, whole) === end)
    return compilePart(source.slice(whole, end), scope, env, path, whole + shift);
  return compilePart(source, scope, env, path, shift);
}

/** Compiles an expression at an offset of a text. */
function compilePart(
  source: string,
  scope: Scope,
  env: Environment,
  path: readonly (string | number)[],
  shift: number,
): Compiled {
  try {
    return compileExpression(source, scope, env);
  } catch (error) {
    if (error instanceof ExpressionError)
      throw new TemplateError(error.message, path, error.start + shift, error.suggestion);
    throw error;
  }
}

function compileText(source: string, scope: Scope, env: Environment, path: readonly (string | number)[]): Compiled {
  const parts = splitTemplate(source, path);
  const text = (value: string): Compiled => fixed(value, scope.unit);
  if (parts.length === 0) return text('');
  if (parts.length === 1) {
    const [part] = parts;
    return part.expression ? compilePart(part.text, scope, env, path, part.offset) : text(part.text);
  }
  // The possible values of the text, as long as all parts have a limited number of them.
  let values: readonly string[] | undefined = [''];
  const all: Compiled[] = [];
  const js = parts.map((part) => {
    const compiled = part.expression ? compilePart(part.text, scope, env, path, part.offset) : text(part.text);
    all.push(compiled);
    const known = knownTexts(compiled);
    values =
      known === undefined || values === undefined || known.length * values.length > MOST_TEXTS
        ? undefined
        : values.flatMap((begin) => known.map((end) => begin + end));
    if (!part.expression) return scriptLiteral(part.text);
    return compiled.gives === 'string' ? compiled.js : `${scope.unit.refer(toText, 'toText')}(${compiled.js})`;
  });
  const joined = compiledText(js);
  return { ...joined, type: ofAddress(joined.type, joinedAddress(all)), texts: values };
}

/** Limit of the possible values that are tracked. */
const MOST_TEXTS = 200;

/** The possible texts of a value, other than null; undefined: any. */
export function knownTexts({ type, constant, texts }: Compiled): readonly string[] | undefined {
  if (typeof constant === 'string') return [constant];
  return texts ?? (type.kind === 'string' ? type.values : undefined);
}

interface TemplatePart {
  readonly expression: boolean;
  readonly text: string;
  readonly offset: number;
}

/** The expressions in a text, each with its offset; empty if one is never closed. */
export function expressionsIn(source: string): readonly { readonly text: string; readonly offset: number }[] {
  try {
    return splitTemplate(source, []).filter(({ expression }) => expression);
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

/** Splits text at `${...}`; braces and quotes inside an expression nest. `$${` writes a literal `${`. */
function splitTemplate(source: string, path: readonly (string | number)[]): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  let at = 0;
  const flush = () => {
    if (literal !== '') parts.push({ expression: false, text: literal, offset: 0 });
    literal = '';
  };
  while (at < source.length) {
    if (source.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (source.startsWith('${', at)) {
      flush();
      const end = closingBrace(source, at + 2);
      if (end < 0) throw new TemplateError("'${' is never closed", path, at);
      parts.push({ expression: true, text: source.slice(at + 2, end), offset: at + 2 });
      at = end + 1;
    } else {
      literal += source[at++];
    }
  }
  flush();
  return parts;
}

function closingBrace(source: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (quote !== '') {
      if (char === '\\') at++;
      else if (source.startsWith(quote, at)) {
        at += quote.length - 1;
        quote = '';
      }
    } else if (char === '"' || char === "'") {
      quote = source.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      at += quote.length - 1;
    } else if (char === '{') depth++;
    else if (char === '}' && depth-- === 0) return at;
  }
  return -1;
}
