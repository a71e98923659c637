import { timingSafeEqual } from 'node:crypto';

/** How a call's key was found. */
export type KeyCheck = { readonly ok: true } | { readonly ok: false; readonly given: string | null };

/** Compares calls with the world's key in constant time. */
export class KeyGuard {
  /** What has to come with each scheme. */
  readonly #accepted: ReadonlyMap<string, Buffer>;

  /** @param schemes `bearer` and `basic` (key as user name, empty password) */
  constructor(key: string, schemes: readonly string[]) {
    const wanted = { bearer: Buffer.from(key), basic: Buffer.from(`${key}:`) };
    this.#accepted = new Map(Object.entries(wanted).filter(([scheme]) => schemes.includes(scheme)));
  }

  check(header: string | undefined): KeyCheck {
    if (header === undefined) return { ok: false, given: null };
    const space = header.indexOf(' ');
    const scheme = header.slice(0, space).toLowerCase();
    const accepted = this.#accepted.get(scheme);
    if (accepted === undefined) return { ok: false, given: null };
    const value = header.slice(space + 1).trim();
    const given = scheme === 'basic' ? Buffer.from(value, 'base64') : Buffer.from(value);
    if (same(accepted, given)) return { ok: true };
    const shown = scheme === 'basic' ? given.toString('utf8').split(':')[0] : value;
    return { ok: false, given: scheme === 'basic' && shown === '' ? null : shown };
  }
}

function same(expected: Buffer, given: Buffer): boolean {
  if (expected.length !== given.length) {
    timingSafeEqual(expected, expected);
    return false;
  }
  return timingSafeEqual(expected, given);
}
