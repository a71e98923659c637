/** Explains an invalid expression that follows the habits of another language. */
interface Slip {
  readonly message: string;
  /** The whole corrected expression. */
  readonly suggestion?: string;
}

/** Words and symbols of other languages, with their equivalents. */
const SIGNS: readonly (readonly [found: RegExp, put: string, message: string])[] = [
  [/===/g, '==', 'values are compared with `==`'],
  [/!==/g, '!=', 'values are compared with `!=`'],
  [/\band\b/g, '&&', '`and` is written `&&`'],
  [/\bor\b/g, '||', '`or` is written `||`'],
  [/\bnot\b\s*/g, '!', '`not` is written `!`'],
  [/(?<![=!<>])=(?![=>])/g, '==', 'values are compared with `==`'],
  [/\bnone\b|\bNone\b|\bnil\b|\bundefined\b/g, 'null', 'nothing is written `null`'],
];

/** Functions and methods of other languages, with their equivalents. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['len', 'size'],
  ['length', 'size'],
  ['str', 'string'],
  ['tostring', 'string'],
  ['float', 'number'],
  ['tonumber', 'number'],
  ['parseint', 'int'],
  ['integer', 'int'],
  ['tolowercase', 'lower'],
  ['touppercase', 'upper'],
  ['downcase', 'lower'],
  ['upcase', 'upper'],
  ['includes', 'contains'],
  ['coalesce', 'default'],
  ['push', 'append'],
  ['parse_json', 'from_json'],
  ['to_json', 'json'],
  ['strftime', 'format_time'],
  ['regex', 'matches'],
  ['match', 'matches'],
  ['sub', 'replace'],
  ['substr', 'substring'],
  ['some', 'exists'],
  ['any', 'exists'],
  ['every', 'all'],
]);

/** Finds the habit from another language that makes a text invalid; undefined if it shows none. */
export function slipIn(source: string): Slip | undefined {
  const bare = withoutTexts(source);
  if (bare.includes('${')) {
    const inner = source.replaceAll(/\$\{([^{}]*)\}/g, '$1');
    return { message: 'this is already an expression: write it without `${}`', suggestion: inner };
  }
  if (/\?\?/.test(bare)) return { message: '`a ?? b` is written `default(a, b)`' };
  if (/=>/.test(bare)) return { message: '`xs.map(x => y)` is written `xs.map(x, y)`' };
  if (/\?\./.test(bare))
    return { message: 'a missing member is null: `?.` is written `.`', suggestion: replaced(source, /\?\./g, '.') };
  const member = /\.(in|null|true|false)\b/.exec(bare);
  if (member) {
    const [, name] = member;
    return {
      message: `a member that is called '${name}' is read with at(): \`c.${name}\` is written \`at(c, '${name}')\``,
    };
  }
  const signs = SIGNS.filter(([found]) => bare.search(found) >= 0);
  const [first] = signs;
  if (first === undefined) return undefined;
  return {
    message: first[2],
    suggestion: signs.reduce((text, [found, put]) => replaced(text, found, put), source),
  };
}

/** The equivalent of another language's function. */
export function functionMeant(name: string): string | undefined {
  return FUNCTIONS.get(name.toLowerCase());
}

const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

function withoutTexts(source: string): string {
  return source.replace(TEXTS, '""');
}

/** Replaces text outside of quotes. */
function replaced(source: string, found: RegExp, put: string): string {
  const texts = source.match(TEXTS) ?? [];
  return source
    .split(TEXTS)
    .map((part, index) => part.replace(found, () => put) + (texts[index] ?? ''))
    .join('');
}
