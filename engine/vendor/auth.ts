import { timingSafeEqual } from 'node:crypto';

/** How a call's key was found. */
export type KeyCheck = { readonly ok: true } | { readonly ok: false; readonly given: string | null };

/** Compares calls with the world's key in constant time. */
export class KeyGuard {
  readonly #accepted: readonly Buffer[];

  /** @param schemes `bearer` and `basic` (key as user name, empty password) */
  constructor(key: string, schemes: readonly string[]) {
    const accepted: Buffer[] = [];
    if (schemes.includes('bearer')) accepted.push(Buffer.from(key));
    if (schemes.includes('basic')) accepted.push(Buffer.from(`${key}:`));
    this.#accepted = accepted;
    this.basic = schemes.includes('basic');
  }

  private readonly basic: boolean;

  check(header: string | undefined): KeyCheck {
    if (header === undefined) return { ok: false, given: null };
    const space = header.indexOf(' ');
    const scheme = header.slice(0, space).toLowerCase();
    const value = header.slice(space + 1).trim();
    if (scheme === 'bearer')
      return same(this.#accepted[0], Buffer.from(value)) ? { ok: true } : { ok: false, given: value };
    if (scheme === 'basic' && this.basic) {
      const decoded = Buffer.from(value, 'base64');
      if (same(this.#accepted[this.#accepted.length - 1], decoded)) return { ok: true };
      const user = decoded.toString('utf8').split(':')[0];
      return { ok: false, given: user === '' ? null : user };
    }
    return { ok: false, given: null };
  }
}

function same(expected: Buffer, given: Buffer): boolean {
  if (expected.length !== given.length) {
    timingSafeEqual(expected, expected);
    return false;
  }
  return timingSafeEqual(expected, given);
}
