/* Words of JavaScript: everything that a pack wrote gets into a text through one of these. */

/** Names that mean something in the language; no local is called so. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function get if implements import in instanceof interface let new null of package private ' +
    'protected public return set static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** Whether a text can be an identifier or the name behind a dot. */
function isWord(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** A text, number, boolean or null as JavaScript. Whatever the text says, it stays one literal on one line. */
export function scriptLiteral(value: null | boolean | number | string): string {
  if (typeof value === 'number' && !(value >= 0)) return `(${numeral(value)})`;
  if (typeof value === 'number') return numeral(value);
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
}

function numeral(value: number): string {
  return Number.isNaN(value)
    ? '0 / 0'
    : Number.isFinite(value)
      ? JSON.stringify(value)
      : value > 0
        ? '1 / 0'
        : '-1 / 0';
}

/** A member as JavaScript: `.name`, or `["any text"]`. */
export function access(key: string): string {
  return isWord(key) ? `.${key}` : `[${scriptLiteral(key)}]`;
}

/** As `access`, of something that may be null. */
export function safeAccess(key: string): string {
  return isWord(key) ? `?.${key}` : `?.[${scriptLiteral(key)}]`;
}

/** Whether objects have such a member without being given one. */
export function isInherited(key: string): boolean {
  return key in Object.prototype;
}

/** An object literal. A key that would reach the prototype becomes an ordinary own key. */
export function objectLiteral(entries: readonly (readonly [string, string])[]): string {
  const members = entries.map(([key, js]) => {
    const name = key === '__proto__' ? '["__proto__"]' : isWord(key) ? key : scriptLiteral(key);
    return name === js && isWord(key) ? name : `${name}: ${js}`;
  });
  return members.length === 0 ? '({})' : `({ ${members.join(', ')} })`;
}

/** The keys of such an object as they are listed: those that are numbers come first. */
export function keysOfLiteral(entries: readonly (readonly [string, string])[]): readonly string[] {
  return Object.keys(Object.fromEntries(entries));
}

/** An expression without the brackets around it, where nothing else is beside it. */
export function bare(js: string): string {
  let depth = 0;
  for (const { 0: token, index } of js.matchAll(/"(?:[^"\\]|\\.)*"|[()[\]{},]/g)) {
    if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
    // The brackets hold a sequence together, or they are not around the whole.
    if (depth === (token === ',' ? 1 : 0)) return js.startsWith('(') && index === js.length - 1 ? js.slice(1, -1) : js;
  }
  return js;
}
