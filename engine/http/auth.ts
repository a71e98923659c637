import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hashOfKey } from '../codecs/index.js';

/** The result of checking a call's key. */
export type KeyCheck =
  | {
      readonly ok: true;
      /** The name of a key with fewer rights; null: the key has the rights of the world's own key. */
      readonly key: string | null;
      /** The name of a further key that has all rights of the world's own key. */
      readonly as?: string;
      readonly given: string;
    }
  | { readonly ok: false; readonly given: string | null };

/** The position of the key in basic authentication. */
type BasicKey = 'user' | 'password' | 'either';

/** A header that may contain the key, in lower case, and the key's position in it. */
export interface KeyHeader {
  readonly name: string;
  /** The text in the header's value before the key. */
  readonly prefix: string;
  /** Extracts the key from the text after the prefix; null: the whole text is the key. */
  readonly keyIn: ((text: string) => string | undefined) | null;
}

/** Where headers may contain keys of a world. */
export interface KeyPlaces {
  /** Schemes of the Authorization header, in lower case. */
  readonly schemes: readonly string[];
  readonly basic?: BasicKey;
  readonly headers?: readonly KeyHeader[];
}

interface Accepted {
  readonly key: string | null;
  readonly as?: string;
  readonly value: Buffer;
}

const NOT_GIVEN: KeyCheck = { ok: false, given: null };

/** The texts in a call's headers that may contain its key, in any scheme. @param others further headers that may contain one */
export function givenKeys(headers: IncomingHttpHeaders, others: readonly KeyHeader[] = []): string[] {
  const found = others.flatMap((place) => carried(headers, place) ?? []);
  const { authorization } = headers;
  if (authorization === undefined) return found;
  const space = authorization.indexOf(' ');
  const value = authorization.slice(space + 1).trim();
  const isBasic = authorization.slice(0, space).toLowerCase() === 'basic';
  return [...(isBasic ? userAndPassword(value) : [value]).filter((each) => each !== ''), ...found];
}

function carried(headers: IncomingHttpHeaders, { name, prefix, keyIn }: KeyHeader): string | undefined {
  const value = headers[name];
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  const text = value.slice(prefix.length).trim();
  return keyIn === null ? text : keyIn(text);
}

function userAndPassword(value: string): [user: string, password: string] {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** Checks whether a call has a key of the world. */
export interface Guard {
  /** Checks the key in a call's headers. */
  find(headers: IncomingHttpHeaders): KeyCheck;
  /** Checks the key in an Authorization header. */
  check(header: string | undefined): KeyCheck;
  /** Checks whether a text is a key. */
  look(value: string): KeyCheck;
}

/** Extracts the key from the headers that a pack declares; subclasses compare the key. */
abstract class HeaderGuard implements Guard {
  readonly #schemes: ReadonlySet<string>;
  readonly #basic: BasicKey;
  readonly #headers: readonly KeyHeader[];

  /** @param places positions of keys in headers */
  constructor({ schemes, basic = 'user', headers = [] }: KeyPlaces) {
    this.#schemes = new Set(schemes);
    this.#basic = basic;
    this.#headers = headers;
  }

  abstract look(value: string): KeyCheck;

  find(headers: IncomingHttpHeaders): KeyCheck {
    const found = this.check(headers.authorization);
    if (found.ok || found.given !== null || this.#headers.length === 0) return found;
    for (const place of this.#headers) {
      const value = carried(headers, place);
      if (value !== undefined && value !== '') return this.look(value);
    }
    return NOT_GIVEN;
  }

  check(header: string | undefined): KeyCheck {
    if (header === undefined) return NOT_GIVEN;
    const space = header.indexOf(' ');
    const scheme = header.slice(0, space).toLowerCase();
    if (!this.#schemes.has(scheme)) return NOT_GIVEN;
    const value = header.slice(space + 1).trim();
    return scheme === 'basic' ? this.#inBasic(value) : this.look(value);
  }

  #inBasic(value: string): KeyCheck {
    const [user, password] = userAndPassword(value);
    if (this.#basic !== 'password') {
      const found = this.look(user);
      // If keys are sent as the user name, the password must be empty.
      if (this.#basic === 'user' && found.ok && password !== '') return { ok: false, given: user };
      if (this.#basic === 'user' || found.ok) return user === '' ? NOT_GIVEN : found;
    }
    return password === '' ? NOT_GIVEN : this.look(password);
  }
}

/** Compares keys with the world's in constant time. */
export class KeyGuard extends HeaderGuard {
  readonly #accepted: readonly Accepted[];

  /**
   * @param places where calls may contain a key
   * @param others further keys by name
   * @param whole keys by name that have all rights of the world's own key
   */
  constructor(
    key: string,
    places: KeyPlaces,
    others: ReadonlyMap<string, string> = new Map(),
    whole: ReadonlyMap<string, string> = new Map(),
  ) {
    super(places);
    this.#accepted = [
      { key: null, value: Buffer.from(key) },
      ...[...whole].map(([name, each]) => ({ key: null, as: name, value: Buffer.from(each) })),
      ...[...others].map(([name, each]) => ({ key: name, value: Buffer.from(each) })),
    ];
  }

  look(value: string): KeyCheck {
    const given = Buffer.from(value);
    for (const { key, as, value: accepted } of this.#accepted)
      if (same(accepted, given))
        return as === undefined ? { ok: true, key, given: value } : { ok: true, key, as, given: value };
    return { ok: false, given: value };
  }
}

/** Skips the verification of a call's signature: the sandbox's own calls have none. */
export const UNSIGNED_HEADER = 'x-mock-unsigned';

/** The key settings of a pack. */
type KeySettings = Required<Pick<KeyPlaces, 'schemes' | 'basic'>> & {
  readonly keyHeaders: readonly KeyHeader[];
  readonly areSigned: boolean;
};

/**
 * The headers that send a key to a world; empty if only parameters may contain it.
 * @param control for the control API, which always accepts a bearer token
 */
export function keyHeaders(auth: KeySettings, key: string, control = false): Record<string, string> {
  const headers = headersOfKey(auth, key, control);
  return auth.areSigned && !control ? { ...headers, [UNSIGNED_HEADER]: 'true' } : headers;
}

function headersOfKey(
  { schemes, basic, keyHeaders: headers }: KeySettings,
  key: string,
  control: boolean,
): Record<string, string> {
  if (control || schemes.includes('bearer')) return { authorization: `Bearer ${key}` };
  const word = schemes.find((each) => each !== 'basic');
  if (word !== undefined) return { authorization: `${word} ${key}` };
  if (headers.length > 0) return { [headers[0].name]: headers[0].prefix + key };
  const pair = basic === 'password' ? `key:${key}` : `${key}:`;
  return schemes.includes('basic') ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } : {};
}

/** The prefixes of a pack's keys. */
interface KeyPrefixes {
  readonly keyPrefix: string;
  /** Prefixes of further kinds of keys, by name. */
  readonly others: ReadonlyMap<string, string>;
  /** Prefixes of kinds of keys with the rights of the world's own key, by name. */
  readonly wholeKeys: ReadonlyMap<string, string>;
}

/** Returns the world keys from which a sent key may be derived, each with the kind of key that the sent one then is. */
export function ownKeysOf(
  given: string,
  { keyPrefix, others, wholeKeys }: KeyPrefixes,
): { readonly own: string; readonly key: string | null; readonly as?: string }[] {
  const found: { own: string; key: string | null; as?: string }[] = [{ own: given, key: null }];
  const forms = [
    ...[...wholeKeys].map(([name, prefix]) => ({ prefix, key: null, as: name })),
    ...[...others].map(([name, prefix]) => ({ prefix, key: name })),
  ];
  for (const { prefix, ...form } of forms) {
    if (!given.startsWith(prefix)) continue;
    const rest = given.slice(prefix.length);
    found.push({ own: keyPrefix + rest, ...form }, { own: rest, ...form });
  }
  return found;
}

/** Compares keys with the stored hash of the world's key, which itself isn't known. */
export class HashedGuard extends HeaderGuard {
  readonly #hash: Buffer;

  /** @param madeOf returns the keys from which a world's key may be derived */
  constructor(
    hash: string,
    places: KeyPlaces,
    private readonly prefixes: KeyPrefixes,
    private readonly madeOf: (own: string) => readonly string[] = (own) => [own],
  ) {
    super(places);
    this.#hash = Buffer.from(hash);
  }

  look(value: string): KeyCheck {
    for (const { own, ...form } of ownKeysOf(value, this.prefixes))
      for (const key of this.madeOf(own))
        if (timingSafeEqual(this.#hash, Buffer.from(hashOfKey(key)))) return { ok: true, ...form, given: value };
    return { ok: false, given: value };
  }
}

/** Admits calls that any of several guards admits. */
export class AnyGuard implements Guard {
  constructor(private readonly guards: readonly [Guard, ...Guard[]]) {}

  find(headers: IncomingHttpHeaders): KeyCheck {
    return this.#any((guard) => guard.find(headers));
  }

  check(header: string | undefined): KeyCheck {
    return this.#any((guard) => guard.check(header));
  }

  look(value: string): KeyCheck {
    return this.#any((guard) => guard.look(value));
  }

  #any(ask: (guard: Guard) => KeyCheck): KeyCheck {
    const [first, ...others] = this.guards;
    let found = ask(first);
    for (const guard of others) {
      if (found.ok) break;
      found = ask(guard);
    }
    return found;
  }
}

/** Returns the world's key with another prefix. */
export function otherKey(key: string, prefix: string, otherPrefix: string): string {
  return otherPrefix + (key.startsWith(prefix) ? key.slice(prefix.length) : key);
}

function same(expected: Buffer, given: Buffer): boolean {
  if (expected.length !== given.length) {
    timingSafeEqual(expected, expected);
    return false;
  }
  return timingSafeEqual(expected, given);
}
