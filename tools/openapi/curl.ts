import type { Json } from '../../engine/values/index.js';

/** A curl command in a document, parsed. */
interface CurlCall {
  readonly path: string;
  readonly query: string;
  /** The body as written; undefined if there is none, or if it is multipart. */
  readonly data: string | undefined;
  /** Parts of a multipart body; a value that starts with `@` is a file. */
  readonly parts: readonly (readonly [string, string])[];
}

const WITH_VALUE = new Set(['-H', '--header', '-X', '--request', '-o', '--output', '-u', '--user', '--url']);
const DATA = new Set(['-d', '--data', '--data-raw', '--data-binary']);
const PARTS = new Set(['-F', '--form']);

/** Parses a curl command. Undefined if it contains no URL. */
export function readCurl(line: string): CurlCall | undefined {
  const words = shellWords(line);
  if (words[0] !== 'curl') return undefined;
  let address: string | undefined;
  const data: string[] = [];
  const parts: (readonly [string, string])[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    const next = words[at + 1] ?? '';
    if (DATA.has(word)) data.push(next);
    else if (PARTS.has(word)) parts.push(partOf(next));
    else if (/^https?:\/\//.test(word)) address ??= word;
    if (word === '--url') address ??= next;
    if (DATA.has(word) || PARTS.has(word) || WITH_VALUE.has(word)) at++;
  }
  if (address === undefined) return undefined;
  const [path, query = ''] = address.replace(/^https?:\/\/[^/?]*/, '').split('?');
  return { path, query, data: data.length === 0 ? undefined : data.join('&'), parts };
}

function partOf(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
}

/** Splits a shell command into words; resolves quotes and line continuations. */
function shellWords(line: string): string[] {
  const words = line.matchAll(/(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\s'"\\])+/g);
  return [...words].flatMap(([word]) => {
    const text = word.replace(
      /'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])/g,
      (_, single?: string, double?: string, bare?: string) =>
        single ?? (double === undefined ? (bare === '\n' ? '' : (bare ?? '')) : double.replace(/\\([\\"$`\n])/g, '$1')),
    );
    return text === '' && word.startsWith('\\') ? [] : [text];
  });
}

/** Parses JSON and tolerates trailing commas. Undefined if it is invalid. */
export function looseJson(text: string): Json | undefined {
  for (const each of [text, text.replace(/,(\s*[}\]])/g, '$1')]) {
    try {
      return JSON.parse(each) as Json;
    } catch {
      // Tries the text without trailing commas next.
    }
  }
  return undefined;
}
