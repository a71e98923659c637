import { RE2JS } from 're2js';
import { LIMITS } from '../limits.js';

/** A compiled regular expression. */
export interface TextPattern {
  readonly source: string;
  test(text: string): boolean;
}

/** Why a regular expression can't be used: it is invalid, or can't run in linear time. */
interface PatternProblem {
  readonly kind: 'broken' | 'unsupported';
  readonly message: string;
}

/** Thrown for a regular expression that is invalid, or can't run in linear time. */
export class BadPattern extends Error {
  constructor(readonly problem: PatternProblem) {
    super(problem.message);
  }
}

/** An automaton that a text must match (`wanted`) or must not match. */
interface PatternPart {
  readonly automaton: RE2JS;
  readonly wanted: boolean;
}

/** Characters that `\s` matches in ECMAScript; in RE2, `\s` is ASCII only. */
const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NOT_NEWLINE = '[^\\n\\r\\x{2028}\\x{2029}]';
/** Matches a lookahead at the beginning of a pattern. */
const AHEAD = /^\(\?([=!])/;

/**
 * A regular expression of a pack or a schema (ECMAScript, flag `u`) that runs in linear time, by an automaton instead of
 * backtracking. Lookahead is possible at its beginning (`^(?=.*[0-9])...`); back-references are not.
 * @throws BadPattern if it is invalid, too long or needs more than that; some errors show only on first use
 */
export function textPattern(source: string): TextPattern {
  return isPlain(source) ? new RegExp(source, 'u') : new Automata(source);
}

/** Compiles a pattern of a pack, whose problems are reported elsewhere: one that RE2 can't run matches nothing. */
export function packPattern(source: string): TextPattern {
  const pattern = textPattern(source);
  return pattern instanceof RegExp ? pattern : new LenientPattern(pattern);
}

class LenientPattern implements TextPattern {
  constructor(private readonly pattern: TextPattern) {}

  get source(): string {
    return this.pattern.source;
  }

  test(text: string): boolean {
    try {
      return this.pattern.test(text);
    } catch (error) {
      if (error instanceof BadPattern) return false;
      throw error;
    }
  }

  toString(): string {
    return String(this.pattern);
  }
}

/** Returns why a text can't be used as a pattern; undefined if it can. */
export function patternProblem(source: string): PatternProblem | undefined {
  try {
    new RegExp(source, 'u');
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
    return { kind: 'broken', message };
  }
  try {
    if (!isPlain(source)) compile(source);
    return undefined;
  } catch (error) {
    if (error instanceof BadPattern) return error.problem;
    throw error;
  }
}

/** A pattern as automata, compiled on first use, since most patterns of a pack are never used in a process. */
class Automata implements TextPattern {
  #parts: readonly PatternPart[] | undefined;

  constructor(readonly source: string) {}

  test(text: string): boolean {
    this.#parts ??= compile(this.source);
    for (const { automaton, wanted } of this.#parts) if (automaton.test(text) !== wanted) return false;
    return true;
  }

  toString(): string {
    return `/${this.source}/u`;
  }
}

/**
 * Whether JavaScript's own engine, which is ten times faster, also needs only linear time for a pattern: it is anchored, has at
 * most one group of alternatives, and its repetitions end unambiguously (at most one part repeats, or each is followed by a
 * character that it can't match). Most patterns of ids, codes and addresses are like this.
 */
function isPlain(source: string): boolean {
  if (!source.startsWith('^') || source.length > LIMITS.pattern.value) return false;
  const bare = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  if (/[(|]/.test(bare)) return alternativesOf(source)?.every(isPlain) === true;
  return (bare.match(/[*+?]|\{\d+,\d*\}/g) ?? []).length <= 1 || isSeparated(source);
}

const SIGN = /\\.|\[(?:\\.|[^\]\\])*\]|[^]/gu;

/** Expands a pattern's only group into a pattern for each alternative; undefined: the pattern has another form. */
function alternativesOf(source: string): string[] | undefined {
  const signs: readonly string[] = source.match(SIGN) ?? [];
  const [open, close] = [signs.indexOf('('), signs.indexOf(')')];
  if (open < 0 || signs.lastIndexOf('(') !== open || /^[*+?{]/.test(signs[close + 1] ?? '')) return undefined;
  const [before, after] = [signs.slice(0, open), signs.slice(close + 1)];
  const within = signs.slice(open + 1, close);
  if (within[0] === '?' && within[1] === ':') within.splice(0, 2);
  // Not expandable: a lookaround, a named group, alternatives outside of the group, or a back-reference.
  if (within[0] === '?' || [...before, ...after].includes('|') || /\\[1-9k]/.test(source)) return undefined;
  const alternatives: string[][] = [[]];
  for (const sign of within)
    if (sign === '|') alternatives.push([]);
    else alternatives.at(-1)?.push(sign);
  return alternatives.map((each) => [...before, ...each, ...after].join(''));
}

/** Matches one character or class of a pattern without groups, with its repetition. */
const ATOM = /(\[(?:\\[^pPuxck]|[^\]\\])*\]|\\[^pPuxck]|[^\\[\](){}|*+?^$])([*+?]|\{\d+(?:,\d*)?\})?/uy;

/** Whether the character after each repetition in a pattern always ends that repetition. */
function isSeparated(source: string): boolean {
  const atoms: { readonly atom: string; readonly times: string }[] = [];
  ATOM.lastIndex = 1;
  const end = source.endsWith('$') && !source.endsWith('\\$') ? source.length - 1 : source.length;
  while (ATOM.lastIndex < end) {
    const found = ATOM.exec(source);
    if (found === null) return false;
    atoms.push({ atom: found[1], times: found[2] ?? '' });
  }
  return atoms.every(({ atom, times }, at) => {
    const next = atoms.at(at + 1);
    if (times === '' || next === undefined) return true;
    const sign = /^(?:[^\\[.]|\\[^\w])$/u.test(next.atom) ? next.atom.replace('\\', '') : null;
    return sign !== null && next.times === '' && !new RegExp(`^${atom}$`, 'u').test(sign);
  });
}

function compile(source: string): PatternPart[] {
  if (source.length > LIMITS.pattern.value)
    throw unsupported(`the pattern has more than ${LIMITS.pattern.value} characters`);
  const { conditions, rest } = conditionsOf(source);
  const parts = [...conditions, { source: rest, wanted: true }].map((each) => ({
    automaton: automatonOf(each.source),
    wanted: each.wanted,
  }));
  const size = parts.reduce((sum, { automaton }) => sum + automaton.programSize(), 0);
  if (size > LIMITS.patternProgram.value) throw unsupported('the pattern repeats too much to be compiled');
  return parts;
}

/** Compiles a pattern to an automaton that finds matches. Doesn't support lookahead. @throws BadPattern */
export function automatonOf(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(asciiFree(source)));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    throw unsupported(reasonOf(source) ?? `the pattern cannot be run in linear time: ${reason}`);
  }
}

/** Names the feature of a pattern that RE2 lacks, for messages; undefined: none was found. */
function reasonOf(source: string): string | undefined {
  if (/\(\?<?[=!]/.test(source)) return 'the pattern looks around: that is possible at its beginning only, after ^';
  if (/\\(?:[1-9]|k<)/.test(source)) return 'the pattern refers back to a group, which takes more than linear time';
  if (/\{\d*,?\d{4,}\}/.test(source)) return 'the pattern repeats something more than 1,000 times';
  return undefined;
}

function unsupported(message: string): BadPattern {
  return new BadPattern({ kind: 'unsupported', message });
}

/** Splits off lookahead at the beginning: `^(?=a)(?!b)c` becomes `^(?:a)`, a forbidden `^(?:b)`, and `^c`. */
function conditionsOf(source: string): {
  readonly conditions: readonly { readonly source: string; readonly wanted: boolean }[];
  readonly rest: string;
} {
  const conditions: { source: string; wanted: boolean }[] = [];
  if (!source.startsWith('^')) return { conditions, rest: source };
  let rest = source.slice(1);
  for (let ahead = AHEAD.exec(rest); ahead !== null; ahead = AHEAD.exec(rest)) {
    const end = closing(rest);
    conditions.push({ source: `^(?:${rest.slice(3, end)})`, wanted: ahead[1] === '=' });
    rest = rest.slice(end + 1);
  }
  if (conditions.length > 0 && hasAlternative(rest))
    throw unsupported('the pattern has alternatives behind look-ahead: put them into a group');
  return { conditions, rest: `^${rest}` };
}

/** Returns the index at which the group at the beginning of a text ends. */
function closing(text: string): number {
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
  }
  return text.length;
}

function hasAlternative(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '[') at += Math.max(0, text.slice(at).search(/(?<!\\)\]/));
    else if (char === '(') at += closing(text.slice(at));
    else if (char === '|') return true;
  }
  return false;
}

/** Rewrites what ECMAScript and RE2 interpret differently: `\s`, `.`, `\p{Script=...}`, a backspace in a class. */
function asciiFree(source: string): string {
  let made = '';
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') {
      const next = source[++at];
      const script = /^[pP]\{(?:Script|sc|General_Category|gc)=(\w+)\}/.exec(source.slice(at));
      if (script !== null) {
        made += `\\${next}{${script[1]}}`;
        at += script[0].length - 1;
      } else if (next === 's') made += inClass ? SPACE : `[${SPACE}]`;
      else if (next === 'S' && !inClass) made += `[^${SPACE}]`;
      else if (next === 'b' && inClass) made += '\\x08';
      else made += char + next;
    } else if (inClass) {
      inClass = char !== ']';
      made += char === '[' ? '\\[' : char;
    } else if (char === '[') {
      inClass = true;
      made += char;
      // The translation to RE2 handles an empty class, and one of all characters.
      if (source[at + 1] === '^') made += source[++at];
      if (source[at + 1] === ']') {
        made += source[++at];
        inClass = false;
      }
    } else made += char === '.' ? NOT_NEWLINE : char;
  }
  return made;
}
