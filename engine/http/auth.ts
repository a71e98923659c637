import { timingSafeEqual } from 'node:crypto';

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

/** Compares calls with the world's keys in constant time. */
export class KeyGuard {
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
