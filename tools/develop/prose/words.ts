import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';

/** Words of documents, messages, `--help` and comments: the field's standard word instead of one of our own. */

/** A find in a text. Lines count from 1. */
export interface Find {
  readonly line: number;
  readonly found: string;
  readonly say: string;
}

/**
 * Where a word is not used: in every text, in texts for people who use the sandbox, in these and the descriptions of packs, in
 * comments of code, in names.
 */
type BannedIn = 'all' | 'texts' | 'plain' | 'comments' | 'names';

/** A word that is not used, and what to say instead. */
interface Rule {
  readonly word: RegExp;
  readonly say: string;
}

/** The rows of `banned.tsv` for some places: `where`, a regular expression of words, what to say. */
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

/** Who reads a text. */
type Readership = 'user' | 'pack' | 'developer' | 'comment';

/** People answer, know and tell, documents answer questions; names of classes and of events are names. */
const FINE = [
  /\bpage answers\b|\banswers (?:one|your) question\b|\| Question \| Answer \|/g,
  /\b(?:person|nobody) (?:answers|answered|knows|can tell)\b|\bnot answered in time\b|\bfor an answer\b|\bthe next answer\b/gi,
  /\bcustomer tells\b|\brefused(?= {5,} \|)/g,
  // Values of the control API.
  /'moved the clock'|'armed the timer'/g,
  /@throws \w+|^#+ [\w.]+$/gm,
];

/** Words of a page that it should not use. Code, addresses of links and comments do not count. */
export function wordsOfPage(text: string): Find[] {
  return words(text.replace(/^```[^]*?^```|`[^`\n]*`|\]\([^)]*\)|<!--[^]*?-->/gm, blank), 'user');
}

/** Words of the texts in a file of TypeScript: of its literals in single quotes or backticks that are more than a name. */
export function wordsOfTexts(text: string): Find[] {
  const code = text
    .replace(/^\s*(?:\/?\*|\/\/).*$|\s\/\/ .*$/gm, blank)
    .replace(/\$\{[^}\n]*\}|\\`[^`\n]*\\`/g, (part) => '_'.repeat(part.length));
  return words(
    code.replace(/'[^'\n]*'|`[^`\n]*`|[^'`\n]+|['`]/g, (part) => (/^['`].* /.test(part) ? part : blank(part))),
    'user',
  );
}

/** Words of the texts between the tags of a page in TSX, and of its attributes in double quotes. */
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

/** Words of the comments in a file of TypeScript, and of those of a file of YAML. */
export function wordsOfComments(text: string, yaml = false): Find[] {
  const comment = yaml ? /^\s*#|\s# / : /^\s*(?:\/\*|\*|\/\/)|\s\/\/ /;
  const lines = text.split('\n').map((line) => {
    const at = comment.exec(line)?.index;
    return at === undefined ? '' : line.slice(at);
  });
  return words(lines.join('\n').replace(/`[^`\n]*`|'[^'\s]*'|\{@?[^}]*\}/g, blank), yaml ? 'developer' : 'comment');
}

/** Words of descriptions in a schema or a contract. */
export function wordsOfDescriptions(text: string): Find[] {
  const lines = text.split('\n').map((line) => /"(?:description|summary)": (".*)$/.exec(line)?.[1] ?? '');
  return words(lines.join('\n').replace(/`[^`\n]*`/g, blank), 'user');
}

/** Words of the descriptions and titles in a file of a pack. */
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

/** As many lines, and nothing on them. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
