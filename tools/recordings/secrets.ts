import { isList, isObject, type Json } from '../../engine/values/index.js';
import { UUID } from './ids.js';

/** What should not be kept in a file, recognised by its key or by its form. */

/** Names of what is secret. */
const SECRET_NAME = /secret|token|passw|api_?key|authorization|cookie|cvc|cvv|^pin$|^number$/i;
const HIDDEN = '***';
/** A word of a scheme, and a credential. */
const CREDENTIAL = /\b(Bearer|Basic|Token|Digest)\s+[\w.~+/=-]{8,}/gi;
const JWT = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const IN_ADDRESS = /(\/\/[^\s:@/]*:)[^\s@/]+@/g;
/** Something long without a space: a key, when it looks drawn at random. */
const LONG = /[\w+/=.-]{20,}/g;
/** The same in a path or an address, whose parts are looked at one by one. */
const LONG_PART = /[\w+=.-]{20,}/g;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Where letters and digits follow each other, or cases as no word has them. */
const CHANGE = /(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d|(?<=[a-z])[A-Z](?![a-z])|(?<=[A-Z])[a-z](?![a-z])/g;
const CARD = /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/g;

/** Kinds of personal data that are put aside when asked for, each with what is in its place. */
const PRIVATE = { email: 'person@example.com', card: '4111111111111111' } as const;
export type PrivateKind = keyof typeof PRIVATE;

export function isSecretName(key: string): boolean {
  return SECRET_NAME.test(key);
}

/**
 * A text without what is secret in it: credentials, tokens, private keys, passwords in addresses and long random keys.
 * @param hide kinds of personal data that get another value
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

/**
 * A value without secrets: neither in its texts nor under the names of secrets.
 * @param hidden what is under such a name instead
 */
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

/**
 * Whether a long word was drawn and not written: its letters and digits are mixed, and hardly repeat. A word of a language, a date, a
 * path or a name of several words is none; a UUID is an id.
 */
export function looksRandom(word: string): boolean {
  const core = word.replace(/^[a-z]{2,}(?:[_-][a-z]+)*[_-]/i, '').replace(/=+$/, '');
  const run = core.split(/[_.-]/).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
  if (core.length < 20 || run.length < 12 || UUID.test(word) || !/\d/.test(run) || !/[a-z]/i.test(run)) return false;
  const changes = [...run.matchAll(CHANGE)].length;
  return changes >= run.length / 8 && bitsOf(run) >= 2.5;
}

/** Shannon's entropy of the characters of a word, in bits for each. */
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
