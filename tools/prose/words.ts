/** Words of the documents and of `--help`: the field's standard word instead of one of our own. */

/** A word that documents do not use, and what they use instead. */
interface Rule {
  readonly word: RegExp;
  readonly say: string;
}

/** A find in a text. Lines count from 1. */
export interface Find {
  readonly line: number;
  readonly found: string;
  readonly say: string;
}

const RULES: readonly Rule[] = [
  { word: /\b(?:tells?|told)\b/i, say: 'shows, reports, returns (with its actor)' },
  { word: /\b(?:wants|knows|hears)\b/i, say: 'needs, has, receives: software has no mind' },
  { word: /\banswer(?:s|ed|ing)?\b/i, say: 'response, returns' },
  { word: /\brefus(?:e|es|ed|als?)\b/i, say: 'rejects, returns an error' },
  { word: /\bwall time\b/i, say: 'real time' },
  { word: /\bworld(?:'s)? time\b/i, say: 'simulated time' },
  { word: /\bvendor plane\b/i, say: 'vendor API' },
  { word: /\bcontrol plane\b/i, say: 'control API' },
  { word: /(?<!["'])\bmagic values?\b/i, say: 'test value' },
  { word: /\bmov(?:e|es|ed|ing) the clock\b|\bclock moves\b/i, say: 'advance the clock' },
  { word: /\bfalls? due\b/i, say: 'becomes due' },
  { word: /\bstands still\b/i, say: 'is frozen' },
  { word: /\barm(?:s|ed)\b/i, say: 'sets, active' },
  { word: /\blets? the world act\b/i, say: 'trigger an external event' },
];

/** What people ask and documents answer may be called so. */
const FINE = /\bpage answers\b|\banswers (?:one|your) question\b|\| Question \| Answer \|/g;

/** Words of a page that it should not use. Code, addresses of links and comments do not count. */
export function wordsOfPage(text: string): Find[] {
  return words(text.replace(/^```[^]*?^```|`[^`\n]*`|\]\([^)]*\)|<!--[^]*?-->/gm, blank));
}

/** Words of the texts in a file of TypeScript: of its literals in single quotes. */
export function wordsOfHelp(text: string): Find[] {
  return words(text.replace(/'[^'\n]*'|[^'\n]+/g, (part) => (/^'.* /.test(part) ? part : blank(part))));
}

function words(text: string): Find[] {
  return text
    .replace(FINE, blank)
    .split('\n')
    .flatMap((line, index) =>
      RULES.flatMap(({ word, say }) => {
        const found = word.exec(line)?.[0];
        return found === undefined ? [] : [{ line: index + 1, found, say }];
      }),
    );
}

/** As many lines, and nothing on them. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
