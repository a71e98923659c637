import { type Mutation, replacedPart, type Subject, textAt } from './mutation.js';
import type { Random } from '../../openapi/random.js';

/** Returns the lines of a file that aren't comments. */
function linesOf({ file }: Subject): { readonly start: number; readonly text: string }[] {
  let at = 0;
  return file.text.split('\n').flatMap((text) => {
    const start = at;
    at += text.length + 1;
    return /^\s*(?:#|$)/.test(text) ? [] : [{ start, text }];
  });
}

/** Creates a mutation that replaces a match of a pattern in a line that isn't a comment. */
function changedLine(pattern: RegExp, by: (random: Random) => string, what: string): Mutation {
  return (subject, random) => {
    const found = linesOf(subject).flatMap(({ start, text }) => {
      const code = text.replace(/\s#.*$/, '');
      if (/description|message|title/.test(code)) return [];
      return [...code.matchAll(pattern)].map(
        (match) => [start + match.index, start + match.index + match[0].length] as const,
      );
    });
    const chosen = random.pick(found);
    return chosen && replacedPart(subject, chosen, by(random), what);
  };
}

const nothing = (): string => '';

/** Mutations of indentation and punctuation. */
export const YAML_KINDS: Readonly<Record<string, Mutation>> = {
  'line indented too far': changedLine(/^/g, (random) => (random.below(2) === 0 ? '  ' : ' '), 'indented further'),
  'line indented too little': changedLine(/^ {2}/g, (random) => (random.below(2) === 0 ? '' : ' '), 'indented less'),
  'tab as indentation': changedLine(/^ {2}/g, () => '\t', 'tab'),
  'missing colon': changedLine(/(?<=^\s*[\w.]+):(?= |$)/g, nothing, 'no colon'),
  'missing space after a colon': changedLine(/(?<=[{,] ?\w+): (?=\S)/g, () => ':', 'no space after colon'),
  'missing closing bracket': changedLine(/[\]}]\s*$/g, nothing, 'no closing bracket'),
  'missing comma': changedLine(/, (?=[\w"]+: )/g, () => ' ', 'no comma'),
  'missing quote': changedLine(/(?<=[ [{])"(?=[^"]*"\s*[\]},]*\s*$)/g, nothing, 'no opening quote'),
  'duplicate key': (subject, random) => {
    const { text } = subject.file;
    const lineOf = (at: number): number => text.lastIndexOf('\n', at) + 1;
    const pairs = subject.spots.filter(
      ({ key, keyIs, flow, kind, end }) =>
        keyIs === 'word' && !flow && kind === 'scalar' && key && /^ *[^\n]*$/.test(text.slice(lineOf(key.start), end)),
    );
    const key = random.pick(pairs)?.key;
    if (!key || !/^ *$/.test(text.slice(lineOf(key.start), key.start))) return undefined;
    const made = `${text.slice(lineOf(key.start), key.start)}${key.text}: other\n`;
    const mutant = replacedPart(subject, [lineOf(key.start), lineOf(key.start)], made, `key ${key.text} twice`);
    return { ...mutant, line: mutant.line + 1 };
  },
  'key and value swapped': (subject, random) => {
    const spot = random.pick(
      subject.spots.filter(
        (each) =>
          each.keyIs === 'word' &&
          /^[a-z_]+$/.test(textAt(each)) &&
          !each.scalar?.quoted &&
          textAt(each) !== each.key?.text,
      ),
    );
    if (!spot?.key) return undefined;
    const { start, text } = spot.key;
    return replacedPart(subject, [start, spot.end], `${textAt(spot)}: ${text}`, `${text} swapped with its value`);
  },
};
