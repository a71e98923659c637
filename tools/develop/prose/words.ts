import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';

/** Finds words in documents, messages, `--help` and comments for which there is a standard term. */

/** A match in a text; lines count from 1. */
export interface Find {
  readonly line: number;
  readonly found: string;
  readonly say: string;
}

/** Where a word is banned: in all texts, in texts for users, in those and the descriptions of packs, in comments, in names. */
type BannedIn = 'all' | 'texts' | 'plain' | 'comments' | 'names';

/** A banned word, and its replacement. */
interface Rule {
  readonly word: RegExp;
  readonly say: string;
}

/** Reads the rules of `banned.tsv` for some kinds of text: `where`, a regular expression, the replacement. */
export function bannedWords(...places: readonly BannedIn[]): Rule[] {
  const [, ...rows] = readFileSync(join(installation(), 'tools/develop/prose/banned.tsv'), 'utf8').trim().split('\n');
  return rows.flatMap((row) => {
    const [where, word, say] = row.split('\t');
    return places.some((place) => place === where) ? [{ word: new RegExp(`\\b(?:${word})\\b`, 'i'), say }] : [];
  });
}

const RULES: Readonly<Record<Readership, readonly Rule[]>> = {
  user: bannedWords('all', 'texts', 'plain'),
  pack: bannedWords('plain'),
  developer: bannedWords('all'),
  comment: bannedWords('all', 'comments'),
};

/** Kinds of texts by reader, which decides the rules that apply. */
type Readership = 'user' | 'pack' | 'developer' | 'comment';

/** Matches allowed uses: people answer, know and tell; documents answer questions; names of classes and events. */
const FINE = [
  /\bpage answers\b|\banswers (?:one|your) question\b|\| Question \| Answer \|/g,
  /\b(?:person|nobody) (?:answers|answered|knows|can tell)\b|\bnot answered in time\b|\bfor an answer\b|\bthe next answer\b/gi,
  /\bcustomer tells\b|\brefused(?= {5,} \|)/g,
  // Values that the control API returns.
  /'moved the clock'|'armed the timer'/g,
  /@throws \w+|^#+ [\w.]+$/gm,
];

/** Finds banned words in a page, except in code, link addresses and comments. */
export function wordsOfPage(text: string): Find[] {
  return words(text.replace(/^```[^]*?^```|`[^`\n]*`|\]\([^)]*\)|<!--[^]*?-->/gm, blank), 'user');
}

/** Finds banned words in the string literals of a TypeScript file that are more than a name. */
export function wordsOfTexts(text: string): Find[] {
  const code = text
    .replace(/^\s*(?:\/?\*|\/\/).*$|\s\/\/ .*$/gm, blank)
    .replace(/\$\{[^}\n]*\}|\\`[^`\n]*\\`/g, (part) => '_'.repeat(part.length));
  return words(
    code.replace(/'[^'\n]*'|`[^`\n]*`|[^'`\n]+|['`]/g, (part) => (/^['`].* /.test(part) ? part : blank(part))),
    'user',
  );
}

/** Finds banned words in the text of a TSX page, and in attributes in double quotes. */
export function wordsOfMarkup(text: string): Find[] {
  const shown = /(?<=[\w"'}/]>)[^<>{}=;]+(?=[<{])|(?<=\})[^<>{}=;]+(?=<)|(?<==")[^"\n]+(?=")/g;
  let rest = '';
  let end = 0;
  for (const { 0: part, index } of text.matchAll(shown)) {
    rest += blank(text.slice(end, index)) + part;
    end = index + part.length;
  }
  return words(rest.replace(/`[^`\n]*`/g, blank), 'user');
}

/** Finds banned words in the comments of a TypeScript or YAML file. */
export function wordsOfComments(text: string, yaml = false): Find[] {
  const comment = yaml ? /^\s*#|\s# / : /^\s*(?:\/\*|\*|\/\/)|\s\/\/ /;
  const lines = text.split('\n').map((line) => {
    const at = comment.exec(line)?.index;
    return at === undefined ? '' : line.slice(at);
  });
  return words(lines.join('\n').replace(/`[^`\n]*`|'[^'\s]*'|\{@?[^}]*\}/g, blank), yaml ? 'developer' : 'comment');
}

/** Finds banned words in descriptions of a schema or contract. */
export function wordsOfDescriptions(text: string): Find[] {
  const lines = text.split('\n').map((line) => /"(?:description|summary)": (".*)$/.exec(line)?.[1] ?? '');
  return words(lines.join('\n').replace(/`[^`\n]*`/g, blank), 'user');
}

/** Finds banned words in descriptions and titles of a pack file. */
export function wordsOfPack(text: string): Find[] {
  const lines = text.split('\n').map((line) => /\b(?:description|title): (.*)$/.exec(line)?.[1] ?? '');
  return words(lines.join('\n').replace(/`[^`\n]*`/g, blank), 'pack');
}

function words(text: string, reader: Readership): Find[] {
  return FINE.reduce((left, fine) => left.replace(fine, blank), text)
    .split('\n')
    .flatMap((line, index) =>
      RULES[reader].flatMap(({ word, say }) => {
        const found = word.exec(line)?.[0];
        return found === undefined ? [] : [{ line: index + 1, found, say }];
      }),
    );
}

/** Replaces a text with the same number of empty lines. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
