/** Name of the response header that sets a cookie. */
export const SET_COOKIE = 'Set-Cookie';

/** Attributes of a cookie. */
interface CookieRules {
  readonly name: string;
  readonly path: string;
  readonly httpOnly: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
}

/** Suffix of a value: the second (Unix time) at which it expires. */
const EXPIRY = /~(\d{1,12})$/;

/**
 * Returns the value of a `Set-Cookie` header, without the attributes that depend on the server's address.
 * @param value if empty, browsers delete the cookie
 * @param life lifetime of the cookie and its start; null: browsers delete it when they close
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
 * Adds the attributes of a cookie that depend on the server's address. `Secure` requires https (browsers except Safari also
 * accept localhost), and `SameSite=None` requires `Secure`.
 */
export function cookieAt(cookie: string, address: string): string {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return `${cookie}; Secure`;
  if (!cookie.endsWith('SameSite=None')) return cookie;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
  return isLocal ? `${cookie}; Secure` : cookie.replace(/None$/, 'Lax');
}

/** A cookie in a request. Invalid characters are percent-encoded. */
export function cookiePair(name: string, value: string): string {
  return `${name}=${value.replace(/[^\x21\x23-\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7d]/gu, encodeURIComponent)}`;
}

/**
 * Returns the value of a cookie as it was set; undefined if it is missing or expired.
 * @param header `Cookie` of the request
 * @param nowMs simulated time, by which cookies expire; null: this cookie doesn't expire
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
