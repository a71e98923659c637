import { isList, isObject, type Json } from '../../engine/values/index.js';
import { UUID } from './ids.js';

/** Recognises secrets by key or format, so that they aren't stored in a file. */

/** Matches names of secrets. */
const SECRET_NAME = /secret|token|passw|api_?key|authorization|cookie|cvc|cvv|^pin$|^number$/i;
const HIDDEN = '***';
/** Matches an authentication scheme with a credential. */
const CREDENTIAL = /\b(Bearer|Basic|Token|Digest)\s+[\w.~+/=-]{8,}/gi;
const JWT = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const IN_ADDRESS = /(\/\/[^\s:@/]*:)[^\s@/]+@/g;
/** Matches a long word, which is a key if it looks random. */
const LONG = /[\w+/=.-]{20,}/g;
/** Matches the parts of a path or URL that are checked for secrets. */
const LONG_PART = /[\w+=.-]{20,}/g;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Matches changes between letters and digits, or of case, which words don't have. */
const CHANGE = /(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d|(?<=[a-z])[A-Z](?![a-z])|(?<=[A-Z])[a-z](?![a-z])/g;
const CARD = /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/g;

/** Kinds of personal data that are replaced on request, with their replacements. */
const PRIVATE = { email: 'person@example.com', card: '4111111111111111' } as const;
export type PrivateKind = keyof typeof PRIVATE;

export function isSecretName(key: string): boolean {
  return SECRET_NAME.test(key);
}

/**
 * Removes secrets from a text: credentials, tokens, private keys, passwords in URLs and long random keys.
 * @param hide kinds of personal data to replace
 */
export function withoutSecrets(text: string, hide: readonly PrivateKind[]): string {
  let made = text
    .replace(PRIVATE_KEY, HIDDEN)
    .replace(CREDENTIAL, (_all, scheme: string) => `${scheme} ${HIDDEN}`)
    .replace(JWT, HIDDEN)
    .replace(IN_ADDRESS, (_all, before: string) => `${before}${HIDDEN}@`)
    .replace(/^\/|:\/\//.test(text) ? LONG_PART : LONG, (part) => (looksRandom(part) ? HIDDEN : part));
  if (hide.includes('email')) made = made.replace(EMAIL, PRIVATE.email);
  if (hide.includes('card')) made = made.replace(CARD, (digits) => (passesLuhn(digits) ? PRIVATE.card : digits));
  return made;
}

/** Removes secrets from a value: in its texts, and under names of secrets. @param hidden replaces values under such names */
export function valueWithoutSecrets(value: Json, hide: readonly PrivateKind[], hidden = HIDDEN): Json {
  if (typeof value === 'string') return withoutSecrets(value, hide);
  if (isList(value)) return value.map((each) => valueWithoutSecrets(each, hide, hidden));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' && isSecretName(key) ? hidden : valueWithoutSecrets(each, hide, hidden),
    ]),
  );
}

/** Whether a long word is random: letters and digits are mixed, with few repetitions. Words, dates, paths, joined words and UUIDs aren't. */
export function looksRandom(word: string): boolean {
  const core = word.replace(/^[a-z]{2,}(?:[_-][a-z]+)*[_-]/i, '').replace(/=+$/, '');
  const run = core.split(/[_.-]/).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
  if (core.length < 20 || run.length < 12 || UUID.test(word) || !/\d/.test(run) || !/[a-z]/i.test(run)) return false;
  const changes = [...run.matchAll(CHANGE)].length;
  return changes >= run.length / 8 && bitsOf(run) >= 2.5;
}

/** Computes the Shannon entropy of a word's characters, in bits per character. */
function bitsOf(word: string): number {
  const counts = new Map<string, number>();
  for (const char of word) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / word.length) * Math.log2(n / word.length), 0);
}

function passesLuhn(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce(
    (made, digit, at) => made + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0,
  );
  return sum % 10 === 0;
}
