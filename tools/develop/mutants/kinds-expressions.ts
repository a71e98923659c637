import { type Mutation, type Mutant, replacedPart, type Subject } from './mutation.js';
import type { Random } from '../../openapi/random.js';
import { misspell } from './misspell.js';

/** An expression in a file. */
interface Source {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Enclosed in `${}`, not written bare or after `=`. */
  readonly marked: boolean;
}

const BARE = new Set(['when', 'if', 'in', 'where', 'active', 'allow', 'over', 'until', 'at_most']);
const BARE_MAPS = new Set(['guards', 'delays', 'let']);

/** The expressions of a file that are on one line and contain no escapes. */
function sourcesOf({ file, spots }: Subject): Source[] {
  return spots.flatMap(({ scalar, path }): Source[] => {
    if (!scalar || typeof scalar.value !== 'string' || path.includes('description') || file.kind === 'example')
      return [];
    const written = file.text.slice(scalar.start, scalar.end);
    if (written.includes('\n') || written.includes('\\')) return [];
    const shift = scalar.quoted ? 1 : 0;
    const inner = written.slice(shift, written.length - shift);
    const bare = BARE.has(String(path.at(-1))) || (BARE_MAPS.has(String(path.at(-2))) && path.length >= 2);
    if (bare && !inner.includes('${'))
      return [{ start: scalar.start + shift, end: scalar.end - shift, text: inner, marked: false }];
    if (inner.startsWith('=') && file.kind !== 'browser' && !path.includes('rows') && path.at(-1) !== 'pattern')
      return [{ start: scalar.start + shift + 1, end: scalar.end - shift, text: inner.slice(1), marked: false }];
    return [...inner.matchAll(/(?<!\$)\$\{([^{}]+)\}/g)].map(({ 1: text, index }) => ({
      start: scalar.start + shift + index + 2,
      end: scalar.start + shift + index + 2 + text.length,
      text,
      marked: true,
    }));
  });
}

/** Replaces quoted parts with blanks, so that offsets stay the same. */
function blanked(text: string): string {
  return text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, (quoted) => ' '.repeat(quoted.length));
}

/** A mutation that changes one match of a pattern in one expression. */
function changing(
  pattern: RegExp,
  change: (match: RegExpMatchArray, random: Random) => string | undefined,
  keepQuotes = false,
): Mutation {
  return (subject, random): Mutant | undefined => {
    const found = sourcesOf(subject).flatMap((source) =>
      [...(keepQuotes ? source.text : blanked(source.text)).matchAll(pattern)].map((match) => ({ source, match })),
    );
    const chosen = random.pick(found);
    if (!chosen) return undefined;
    const { source, match } = chosen;
    const by = change(match, random);
    if (by === undefined) return undefined;
    const start = source.start + match.index;
    return replacedPart(subject, start, start + match[0].length, by, `in ${source.text}: ${match[0]} -> ${by}`);
  };
}

/** Mutations that break or misspell expressions. */
export const EXPRESSION_KINDS: Readonly<Record<string, Mutation>> = {
  'misspelt variable': changing(/(?<![.\w])(?!true\b|false\b|null\b|in\b)[a-z_]\w+(?![\w(:])/g, ([word], random) =>
    misspell(word, random),
  ),
  'misspelt member': changing(/(?<=[a-z_]\w*\.)[a-z_]\w+(?![\w(])/g, ([word], random) => misspell(word, random)),
  'misspelt function': changing(/(?<![.\w])[a-z_]\w+(?=\()/g, ([word], random) => misspell(word, random)),
  'broken operator': changing(/ (?:==|!=|&&|\|\||[+\-*/<>]|<=|>=) /g, ([operator], random) =>
    random.below(2) === 0 ? ' ' : `${operator.trimEnd()}${operator.trim()}= `,
  ),
  'one = for equality': changing(/ == /g, () => ' = '),
  'unbalanced bracket': changing(/[()[\]]/g, () => ''),
  'number compared with text': changing(
    /(?<=\.(?:amount|status|created|quantity|grams|type)\b) (==|<|>|<=|>=|!=) (?:-?\d+|'\w+')/g,
    ([whole]) => (/\d+$/.test(whole) ? whole.replace(/-?\d+$/, "'many'") : whole.replace(/'\w+'$/, '42')),
    true,
  ),
  'condition that is no condition': (subject, random) => {
    const found = sourcesOf(subject).filter(
      ({ marked, text }) => !marked && / == /.test(text) && !/&&|\|\||\?|\.(?:exists|all|filter|map)\(/.test(text),
    );
    const source = random.pick(found);
    return (
      source &&
      replacedPart(subject, source.start, source.end, source.text.replace(' == ', ' + '), `${source.text}: == -> +`)
    );
  },
  'forgotten ${}': (subject, random) => {
    const found = sourcesOf(subject).filter(
      ({ marked, start, end, text }) =>
        marked && /^\s*[a-z_]\w*(?:\.\w+)+\s*$/.test(text) && isWhole(subject, start, end),
    );
    const source = random.pick(found);
    return (
      source && replacedPart(subject, source.start - 2, source.end + 1, source.text, `\${${source.text}} without \${}`)
    );
  },
  '${ never closed': (subject, random) => {
    const source = random.pick(sourcesOf(subject).filter(({ marked }) => marked));
    return source && replacedPart(subject, source.end, source.end + 1, '', `${source.text} without }`);
  },
  'misspelt word of a comparison': changing(
    /(?<=self\.status (?:==|!=) ')\w+(?=')/g,
    ([word], random) => misspell(word, random),
    true,
  ),
};

/** Whether the expression is the whole text. */
function isWhole({ file }: Subject, start: number, end: number): boolean {
  return (
    /["\s]/.test(file.text[start - 3] ?? ' ') &&
    /["\s]/.test(file.text[end + 1] ?? ' ') &&
    file.text[start - 3] === file.text[end + 1]
  );
}
