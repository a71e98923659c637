import {
  isKeyword,
  isLanguage,
  type Mutation,
  type Mutant,
  places,
  replacedPart,
  replacedValue,
  type Subject,
} from './mutation.js';
import type { Random } from '../../openapi/random.js';
import type { Spot } from './walk.js';

/** Lines of a file that aren't comments. */
function lineStarts({ file }: Subject): { readonly start: number; readonly text: string }[] {
  let at = 0;
  return file.text.split('\n').flatMap((text) => {
    const start = at;
    at += text.length + 1;
    return /^\s*(?:#|$)/.test(text) ? [] : [{ start, text }];
  });
}

function charOf(
  subject: Subject,
  random: Random,
  pattern: RegExp,
  by: (match: string) => string,
  what: string,
): Mutant | undefined {
  const found = lineStarts(subject).flatMap(({ start, text }) => {
    const code = text.replace(/\s#.*$/, '');
    return /description|message|title/.test(code)
      ? []
      : [...code.matchAll(pattern)].map(({ 0: match, index }) => ({ start: start + index, match }));
  });
  const chosen = random.pick(found);
  return chosen && replacedPart(subject, chosen.start, chosen.start + chosen.match.length, by(chosen.match), what);
}

/** Pairs on lines of their own. */
function blockPairs({ spots }: Subject): Spot[] {
  return spots.filter(({ key, flow }) => key && !flow);
}

const TEXTS = places('**/{resource,collection,prefix,flow,table,initial,name,version,base_path,route,when,if,in,type}');

/** Mutations of indentation and punctuation. */
export const YAML_KINDS: Readonly<Record<string, Mutation>> = {
  'line indented too far': (subject, random) => {
    const line = random.pick(lineStarts(subject));
    return (
      line && replacedPart(subject, line.start, line.start, random.below(2) === 0 ? '  ' : ' ', 'indented further')
    );
  },
  'line indented too little': (subject, random) => {
    const line = random.pick(lineStarts(subject).filter(({ text }) => text.startsWith('  ')));
    return line && replacedPart(subject, line.start, line.start + (random.below(2) === 0 ? 2 : 1), '', 'indented less');
  },
  'tab as indentation': (subject, random) => {
    const line = random.pick(lineStarts(subject).filter(({ text }) => text.startsWith('  ')));
    return line && replacedPart(subject, line.start, line.start + 2, '\t', 'tab');
  },
  'missing colon': (subject, random) => charOf(subject, random, /(?<=^\s*[\w.]+):(?= |$)/g, () => '', 'no colon'),
  'missing space after a colon': (subject, random) =>
    charOf(subject, random, /(?<=[{,] ?\w+): (?=\S)/g, () => ':', 'no space after colon'),
  'missing closing bracket': (subject, random) => charOf(subject, random, /[\]}]\s*$/g, () => '', 'no closing bracket'),
  'missing comma': (subject, random) => charOf(subject, random, /, (?=[\w"]+: )/g, () => ' ', 'no comma'),
  'missing quote': (subject, random) =>
    charOf(subject, random, /(?<=[ [{])"(?=[^"]*"\s*[\]},]*\s*$)/g, () => '', 'no opening quote'),
  'duplicate key': (subject, random) => {
    const pairs = blockPairs(subject).filter(
      (spot) =>
        spot.kind === 'scalar' &&
        isLanguage(spot) &&
        !subject.file.text.slice(spot.key?.start, spot.end).includes('\n'),
    );
    const spot = random.pick(pairs);
    if (!spot?.key) return undefined;
    const { text } = subject.file;
    const lineStart = text.lastIndexOf('\n', spot.key.start) + 1;
    const lineEnd = (text.indexOf('\n', spot.end) + text.length + 1) % (text.length + 1) || text.length;
    const indent = spot.key.start - lineStart;
    if (!/^\s*$/.test(text.slice(lineStart, spot.key.start))) return undefined;
    const made = `${' '.repeat(indent)}${spot.key.text}: other\n`;
    const mutant = replacedPart(
      subject,
      lineEnd,
      lineEnd,
      lineEnd === text.length ? `\n${made}` : `\n${made.trimEnd()}`,
      `key ${spot.key.text} twice`,
    );
    return { ...mutant, line: mutant.line + 1 };
  },
  'key and value swapped': (subject, random) => {
    const spot = random.pick(
      subject.spots.filter(
        (each) =>
          isKeyword(subject, each) &&
          typeof each.scalar?.value === 'string' &&
          /^[a-z_]+$/.test(each.scalar.value) &&
          !each.scalar.quoted &&
          each.scalar.value !== each.key?.text,
      ),
    );
    if (!spot?.key || !spot.scalar) return undefined;
    const { start, text } = spot.key;
    const made = `${String(spot.scalar.value)}: ${text}`;
    return replacedPart(subject, start, spot.end, made, `${text} swapped with its value`);
  },
  'number as text': replacedValue(
    (spot, subject) => typeof spot.scalar?.value === 'number' && isKeyword(subject, spot),
    () => 'many',
  ),
  'truth as text': replacedValue(
    (spot, subject) => typeof spot.scalar?.value === 'boolean' && isKeyword(subject, spot),
    () => 'yess',
  ),
  'map or list as text': replacedValue(
    (spot, subject) =>
      (spot.kind === 'map' || spot.kind === 'list') &&
      !spot.flow &&
      isKeyword(subject, spot) &&
      /^[[{].*$/.test(subject.file.text.slice(spot.start, spot.end)),
    () => '7',
  ),
  'text as a list': replacedValue(
    (spot, subject) =>
      spot.scalar !== undefined &&
      isKeyword(subject, spot) &&
      TEXTS(spot, subject) &&
      !subject.file.text.slice(spot.start, spot.end).includes('\n'),
    () => '{ a: b }',
  ),
};
