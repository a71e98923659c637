/* Builds JavaScript source: every part of a pack's text is inserted through one of these functions. */

/** Names with a meaning in JavaScript, which no local variable may have. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function get if implements import in instanceof interface let new null of package private ' +
    'protected public return set static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** Whether a text is a valid identifier or property name. */
function isWord(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** A JavaScript literal of a text, number, boolean or null; always on one line. */
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

/** JavaScript of a member access: `.name`, or `["any text"]`. */
export function access(key: string): string {
  return isWord(key) ? `.${key}` : `[${scriptLiteral(key)}]`;
}

/** JavaScript of a member access to a value that may be null: `?.name`, or `?.["any text"]`. */
export function safeAccess(key: string): string {
  return isWord(key) ? `?.${key}` : `?.[${scriptLiteral(key)}]`;
}

/** Whether all objects inherit a member with this name. */
export function isInherited(key: string): boolean {
  return key in Object.prototype;
}

/** JavaScript of an object literal. A key such as `__proto__` becomes an ordinary own key. */
export function objectLiteral(entries: readonly (readonly [string, string])[]): string {
  const members = entries.map(([key, js]) => {
    const name = key === '__proto__' ? '["__proto__"]' : isWord(key) ? key : scriptLiteral(key);
    return name === js && isWord(key) ? name : `${name}: ${js}`;
  });
  return members.length === 0 ? '({})' : `({ ${members.join(', ')} })`;
}

/** Returns the keys of an object literal in the order of iteration: numeric keys come first. */
export function keysOfLiteral(entries: readonly (readonly [string, string])[]): readonly string[] {
  return Object.keys(Object.fromEntries(entries));
}

/** Removes parentheses around a whole expression, unless it is a comma expression. */
export function bare(js: string): string {
  let depth = 0;
  for (const { 0: token, index } of js.matchAll(/"(?:[^"\\]|\\.)*"|[()[\]{},]/g)) {
    if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
    // A comma directly inside the first parentheses, or their end: only parentheses around the whole are removed.
    if (depth === (token === ',' ? 1 : 0)) return js.startsWith('(') && index === js.length - 1 ? js.slice(1, -1) : js;
  }
  return js;
}
