/** Words of documents, messages, `--help` and comments: the field's standard word instead of one of our own. */

/** A word that is not used, and what stands instead. */
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

/** Of every text, comments too. */
const EVERYWHERE: readonly Rule[] = [
  { word: /\brefus(?:e|es|ed|ing|als?)\b/i, say: 'rejects, returns an error' },
  { word: /\bwall times?\b/i, say: 'real time' },
  { word: /\bworld(?:'s)? time\b/i, say: 'simulated time' },
  { word: /\bvendor(?:'s)? plane\b/i, say: 'vendor API' },
  { word: /\bcontrol plane\b/i, say: 'control API' },
  { word: /\bmov(?:e|es|ed|ing) the clock\b|\bclock moves\b/i, say: 'advance the clock' },
  { word: /\bfalls? due\b/i, say: 'becomes due' },
  { word: /\bstands still\b/i, say: 'is frozen' },
  { word: /\b(?:an|the|its|every) answer(?! is (?:given|due)| (?:a|the|it|with|in|as|from) )\b/i, say: 'response' },
];

/** Of texts for people who use the sandbox. */
const FOR_USERS: readonly Rule[] = [
  ...EVERYWHERE,
  { word: /\b(?:tells?|told)\b/i, say: 'shows, reports, returns (with its actor)' },
  { word: /\b(?:wants|knows|hears)\b/i, say: 'needs, has, receives: software has no mind' },
  { word: /\banswer(?:s|ed|ing)?\b/i, say: 'response, returns' },
  { word: /(?<!["'])\bmagic values?\b/i, say: 'test value' },
  { word: /\barm(?:s|ed)\b/i, say: 'sets, active' },
  { word: /\blets? the world act\b/i, say: 'trigger an external event' },
];

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
export function wordsOfPage(text: string, internal = false): Find[] {
  return words(text.replace(/^```[^]*?^```|`[^`\n]*`|\]\([^)]*\)|<!--[^]*?-->/gm, blank), internal);
}

/** Words of the texts in a file of TypeScript: of its literals in single quotes or backticks that are more than a name. */
export function wordsOfTexts(text: string): Find[] {
  const code = text
    .replace(/^\s*(?:\/?\*|\/\/).*$|\s\/\/ .*$/gm, blank)
    .replace(/\$\{[^}\n]*\}|\\`[^`\n]*\\`/g, (part) => '_'.repeat(part.length));
  return words(
    code.replace(/'[^'\n]*'|`[^`\n]*`|[^'`\n]+|['`]/g, (part) => (/^['`].* /.test(part) ? part : blank(part))),
    false,
  );
}

/** Words of the comments in a file of TypeScript, and of those of a file of YAML. */
export function wordsOfComments(text: string, yaml = false): Find[] {
  const comment = yaml ? /^\s*#|\s# / : /^\s*(?:\/\*|\*|\/\/)|\s\/\/ /;
  const lines = text.split('\n').map((line) => {
    const at = comment.exec(line)?.index;
    return at === undefined ? '' : line.slice(at);
  });
  return words(lines.join('\n').replace(/`[^`\n]*`|'[^'\s]*'|\{@?[^}]*\}/g, blank), true);
}

/** Words of descriptions in a schema or a contract. */
export function wordsOfDescriptions(text: string): Find[] {
  const lines = text.split('\n').map((line) => /"(?:description|summary)": (".*)$/.exec(line)?.[1] ?? '');
  return words(lines.join('\n').replace(/`[^`\n]*`/g, blank), false);
}

function words(text: string, internal: boolean): Find[] {
  const rules = internal ? EVERYWHERE : FOR_USERS;
  return FINE.reduce((left, fine) => left.replace(fine, blank), text)
    .split('\n')
    .flatMap((line, index) =>
      rules.flatMap(({ word, say }) => {
        const found = word.exec(line)?.[0];
        return found === undefined ? [] : [{ line: index + 1, found, say }];
      }),
    );
}

/** As many lines, and nothing on them. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
