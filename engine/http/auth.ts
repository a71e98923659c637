import { createHash, timingSafeEqual } from 'node:crypto';

/** How a call's key was found; `key` names one of the other keys, null is the world's own. */
export type KeyCheck =
  | { readonly ok: true; readonly key: string | null; readonly given: string }
  | { readonly ok: false; readonly given: string | null };

interface Accepted {
  readonly key: string | null;
  readonly value: Buffer;
}

/** The key that a header brings, whatever its scheme: bearer, or basic (as the user name). */
export function givenKey(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const space = authorization.indexOf(' ');
  const value = authorization.slice(space + 1).trim();
  if (authorization.slice(0, space).toLowerCase() !== 'basic') return value;
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0];
}

/** Tells whether a call brings a key of the world. */
export interface Guard {
  /** @param header `Authorization` */
  check(header: string | undefined): KeyCheck;
}

/** Compares calls with the world's keys in constant time. */
export class KeyGuard implements Guard {
  /** What may come with each scheme. */
  readonly #accepted: ReadonlyMap<string, readonly Accepted[]>;

  /**
   * @param schemes `bearer` and `basic` (key as user name, empty password)
   * @param others further keys by name
   * @param whole keys that count as the world's own
   */
  constructor(
    key: string,
    schemes: readonly string[],
    others: ReadonlyMap<string, string> = new Map(),
    whole: readonly string[] = [],
  ) {
    const keys = [...[key, ...whole].map((each) => [null, each] as const), ...others];
    const wanted = (write: (key: string) => string): Accepted[] =>
      keys.map(([name, each]) => ({ key: name, value: Buffer.from(write(each)) }));
    this.#accepted = new Map(
      Object.entries({ bearer: wanted((each) => each), basic: wanted((each) => `${each}:`) }).filter(([scheme]) =>
        schemes.includes(scheme),
      ),
    );
  }

  check(header: string | undefined): KeyCheck {
    if (header === undefined) return { ok: false, given: null };
    const space = header.indexOf(' ');
    const scheme = header.slice(0, space).toLowerCase();
    const accepted = this.#accepted.get(scheme);
    if (accepted === undefined) return { ok: false, given: null };
    const value = header.slice(space + 1).trim();
    const given = scheme === 'basic' ? Buffer.from(value, 'base64') : Buffer.from(value);
    const shown = scheme === 'basic' ? given.toString('utf8').split(':')[0] : value;
    for (const each of accepted) {
      if (same(each.value, given)) return { ok: true, key: each.key, given: shown };
    }
    return { ok: false, given: scheme === 'basic' && shown === '' ? null : shown };
  }
}

const HASH = 'sha256:';

/** How a key is kept where nobody may get it back. */
export function hashOfKey(key: string): string {
  return HASH + createHash('sha256').update(key).digest('hex');
}

export function isHashOfKey(key: string): boolean {
  return key.startsWith(HASH) && key.length === HASH.length + 64;
}

/** The prefixes of a pack's keys. */
export interface KeyPrefixes {
  readonly keyPrefix: string;
  /** Of further keys, by name. */
  readonly others: ReadonlyMap<string, string>;
  /** Of keys that count as the world's own. */
  readonly wholeKeys: readonly string[];
}

/** What the world's own key would be if this were one of its keys, with the name of that; as many as there are. */
export function ownKeysOf(
  given: string,
  { keyPrefix, others, wholeKeys }: KeyPrefixes,
): { readonly own: string; readonly name: string | null }[] {
  const found: { own: string; name: string | null }[] = [{ own: given, name: null }];
  for (const [name, prefix] of [...wholeKeys.map((each) => [null, each] as const), ...others]) {
    if (!given.startsWith(prefix)) continue;
    const rest = given.slice(prefix.length);
    found.push({ own: keyPrefix + rest, name }, { own: rest, name });
  }
  return found;
}

/** As `KeyGuard`, for a world of whose key only a hash is known. */
export class HashedGuard implements Guard {
  readonly #hash: Buffer;

  constructor(
    hash: string,
    private readonly schemes: readonly string[],
    private readonly prefixes: KeyPrefixes,
  ) {
    this.#hash = Buffer.from(hash);
  }

  check(header: string | undefined): KeyCheck {
    if (header === undefined) return { ok: false, given: null };
    const space = header.indexOf(' ');
    const scheme = header.slice(0, space).toLowerCase();
    if (!this.schemes.includes(scheme)) return { ok: false, given: null };
    const value = header.slice(space + 1).trim();
    const whole = scheme === 'basic' ? Buffer.from(value, 'base64').toString('utf8') : value;
    const shown = scheme === 'basic' ? whole.split(':')[0] : value;
    const isWhole = scheme !== 'basic' || whole === `${shown}:`;
    for (const { own, name } of isWhole ? ownKeysOf(shown, this.prefixes) : [])
      if (timingSafeEqual(this.#hash, Buffer.from(hashOfKey(own)))) return { ok: true, key: name, given: shown };
    return { ok: false, given: scheme === 'basic' && shown === '' ? null : shown };
  }
}

/** The world's key with another prefix. */
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
