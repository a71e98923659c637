import { isChecked, type Mutation, replacedPart, type Subject, textAt } from './mutation.js';
import type { Random } from '../../openapi/random.js';
import { misspell } from './misspell.js';

/** An expression in a file, with its position. */
interface Source {
  readonly start: number;
  readonly text: string;
  /** Whether the expression is enclosed in `${}`, instead of written bare or after `=`. */
  readonly marked: boolean;
}

/** Finds the expressions of a file that are on one line and contain no escapes. */
function sourcesOf(subject: Subject): Source[] {
  const { file, spots } = subject;
  if (!isChecked(subject)) return [];
  return spots.flatMap((spot): Source[] => {
    const written = file.text.slice(spot.start, spot.end);
    if (textAt(spot) === '' || spot.path.includes('description') || /[\n\\]/.test(written)) return [];
    const shift = spot.scalar?.quoted ? 1 : 0;
    const inner = written.slice(shift, written.length - shift);
    const start = spot.start + shift;
    const isTemplate = inner.includes('${');
    if (spot.declared.is('expression') && !isTemplate) return [{ start, text: inner, marked: false }];
    if (inner.startsWith('=') && file.kind !== 'browser' && !spot.path.includes('rows') && !spot.declared.is('pattern'))
      return [{ start: start + 1, text: inner.slice(1), marked: false }];
    return [...inner.matchAll(/(?<!\$)\$\{([^{}]+)\}/g)].map(({ 1: text, index }) => ({
      start: start + index + 2,
      text,
      marked: true,
    }));
  });
}

/** Replaces quoted parts with blanks, so that offsets stay the same. */
function blanked(text: string): string {
  return text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, (quoted) => ' '.repeat(quoted.length));
}

/** Changes one match of a pattern in one expression. @param inQuotes whether the pattern also matches inside quotes */
function changing(
  pattern: RegExp,
  change: (match: string, random: Random) => string,
  { inQuotes = false, of = () => true }: { inQuotes?: boolean; of?: (source: Source) => boolean } = {},
): Mutation {
  return (subject, random) => {
    const found = sourcesOf(subject)
      .filter(of)
      .flatMap((source) =>
        [...(inQuotes ? source.text : blanked(source.text)).matchAll(pattern)].map((match) => ({ source, match })),
      );
    const chosen = random.pick(found);
    if (!chosen) return undefined;
    const [{ start, text }, { 0: word, index }] = [chosen.source, chosen.match];
    const by = change(word, random);
    const range = [start + index, start + index + word.length] as const;
    return replacedPart(subject, range, by, `in ${text}: ${word} -> ${by}`);
  };
}

const isCondition = ({ marked, text }: Source): boolean =>
  !marked && !/&&|\|\||\?|\.(?:exists|all|filter|map)\(/.test(text);

/** Mutations that break or misspell expressions. */
export const EXPRESSION_KINDS: Readonly<Record<string, Mutation>> = {
  'misspelt variable': changing(/(?<![.\w])(?!true\b|false\b|null\b|in\b)[a-z_]\w+(?![\w(:])/g, misspell),
  'misspelt member': changing(/(?<=[a-z_]\w*\.)[a-z_]\w+(?![\w(])/g, misspell),
  'misspelt function': changing(/(?<![.\w])[a-z_]\w+(?=\()/g, misspell),
  'misspelt word of a comparison': changing(/(?<=self\.status (?:==|!=) ')\w+(?=')/g, misspell, { inQuotes: true }),
  'broken operator': changing(/ (?:==|!=|&&|\|\||[+\-*/<>]|<=|>=) /g, (operator, random) =>
    random.below(2) === 0 ? ' ' : `${operator.trimEnd()}${operator.trim()}= `,
  ),
  'one = for equality': changing(/ == /g, () => ' = '),
  'unbalanced bracket': changing(/[()[\]]/g, () => ''),
  'number compared with text': changing(
    /(?<=\.(?:amount|status|created|quantity|grams|type)\b) (==|<|>|<=|>=|!=) (?:-?\d+|'\w+')/g,
    (whole) => (/\d+$/.test(whole) ? whole.replace(/-?\d+$/, "'many'") : whole.replace(/'\w+'$/, '42')),
    { inQuotes: true },
  ),
  'condition that is no condition': changing(/ == /g, () => ' + ', { of: isCondition }),
  '${ never closed': (subject, random) => {
    const source = random.pick(sourcesOf(subject).filter(({ marked }) => marked));
    const end = (source?.start ?? 0) + (source?.text.length ?? 0);
    return source && replacedPart(subject, [end, end + 1], '', `${source.text} without }`);
  },
};
