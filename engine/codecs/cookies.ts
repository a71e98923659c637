/** The header that sets a cookie. */
export const SET_COOKIE = 'Set-Cookie';

/** How a cookie is set. */
interface CookieRules {
  readonly name: string;
  readonly path: string;
  readonly httpOnly: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
}

/** A value is followed by the second (Unix time) in which it expires. */
const EXPIRY = /~(\d{1,12})$/;

/**
 * A cookie as its header has it, without what depends on the address.
 * @param value empty: the cookie is deleted
 * @param life how long it lasts, from when on; null: until the browser ends
 */
export function setCookie(
  { name, path, httpOnly, sameSite }: CookieRules,
  value: string,
  life: { readonly lifeMs: number; readonly nowMs: number } | null,
): string {
  const expiry = life === null || value === '' ? '' : `~${Math.floor((life.nowMs + life.lifeMs) / 1000)}`;
  const maxAge = value === '' ? 0 : life === null ? null : Math.floor(life.lifeMs / 1000);
  return [
    `${cookiePair(name, value)}${expiry}`,
    `Path=${path}`,
    ...(maxAge === null ? [] : [`Max-Age=${maxAge}`]),
    ...(httpOnly ? ['HttpOnly'] : []),
    `SameSite=${sameSite === 'lax' ? 'Lax' : sameSite === 'strict' ? 'Strict' : 'None'}`,
  ].join('; ');
}

/**
 * A cookie as the browser at an address takes it. `Secure` needs https; browsers make an exception for localhost, all but Safari,
 * and `SameSite=None` needs `Secure`.
 */
export function cookieAt(cookie: string, address: string): string {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return `${cookie}; Secure`;
  if (!cookie.endsWith('SameSite=None')) return cookie;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
  return isLocal ? `${cookie}; Secure` : cookie.replace(/None$/, 'Lax');
}

/** A cookie as a request has it. What no cookie can have is percent-encoded. */
export function cookiePair(name: string, value: string): string {
  return `${name}=${value.replace(/[^\x21\x23-\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7d]/gu, encodeURIComponent)}`;
}

/**
 * The value of a cookie as it was set; undefined: the request has none, or it has expired.
 * @param header `Cookie` of the request
 * @param nowMs simulated time, of one that expires by it; null: it doesn't
 */
export function cookieIn(header: string, name: string, nowMs: number | null): string | undefined {
  const pair = header.split(';').find((each) => each.trim().startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const given = pair.trim().slice(name.length + 1);
  const expiry = nowMs === null ? null : EXPIRY.exec(given);
  if (expiry !== null && nowMs !== null && Number(expiry[1]) * 1000 <= nowMs) return undefined;
  const value = expiry === null ? given : given.slice(0, expiry.index);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
