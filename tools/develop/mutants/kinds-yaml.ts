import { isKeyword, isLanguage, type Mutation, type Mutant, replacedPart, type Subject } from './mutation.js';
import type { Random } from '../../openapi/random.js';
import type { Spot } from './walk.js';

/** Lines of a file that are no comments. */
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

/** Pairs that are on lines of their own. */
function blockPairs({ spots }: Subject): Spot[] {
  return spots.filter(({ key, flow }) => key && !flow);
}

/** Mistakes of indentation and punctuation. */
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
    const spots = subject.spots.filter(
      (spot) =>
        isKeyword(subject, spot) &&
        typeof spot.scalar?.value === 'string' &&
        /^[a-z_]+$/.test(spot.scalar.value) &&
        !spot.scalar.quoted &&
        spot.scalar.value !== spot.key?.text,
    );
    const spot = random.pick(spots);
    return (
      spot?.key &&
      spot.scalar &&
      replacedPart(
        subject,
        spot.key.start,
        spot.end,
        `${String(spot.scalar.value)}: ${spot.key.text}`,
        `${spot.key.text} swapped with its value`,
      )
    );
  },
  'number as text': (subject, random) => {
    const spot = random.pick(
      subject.spots.filter((each) => typeof each.scalar?.value === 'number' && isKeyword(subject, each)),
    );
    return spot?.scalar && replacedPart(subject, spot.start, spot.end, 'many', `${spot.path.join('.')}: many`);
  },
  'truth as text': (subject, random) => {
    const spot = random.pick(
      subject.spots.filter((each) => typeof each.scalar?.value === 'boolean' && isKeyword(subject, each)),
    );
    return spot?.scalar && replacedPart(subject, spot.start, spot.end, 'yess', `${spot.path.join('.')}: yess`);
  },
  'map or list as text': (subject, random) => {
    const spots = subject.spots.filter(
      (each) =>
        (each.kind === 'map' || each.kind === 'list') &&
        each.flow === false &&
        each.key &&
        isKeyword(subject, each) &&
        !subject.file.text.slice(each.start, each.end).includes('\n') &&
        /^[[{]/.test(subject.file.text[each.start] ?? ''),
    );
    const spot = random.pick(spots);
    return spot && replacedPart(subject, spot.start, spot.end, '7', `${spot.path.join('.')}: 7`);
  },
  'text as a list': (subject, random) => {
    const spots = subject.spots.filter(
      (each) =>
        each.scalar &&
        isKeyword(subject, each) &&
        [
          'resource',
          'collection',
          'prefix',
          'flow',
          'table',
          'initial',
          'name',
          'version',
          'base_path',
          'route',
          'when',
          'if',
          'in',
          'type',
        ].includes(String(each.path.at(-1))) &&
        !subject.file.text.slice(each.start, each.end).includes('\n'),
    );
    const spot = random.pick(spots);
    return spot && replacedPart(subject, spot.start, spot.end, '{ a: b }', `${spot.path.join('.')}: { a: b }`);
  },
};
