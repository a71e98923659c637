import type { Request } from 'express';
import { cookieIn } from '../codecs/index.js';
import type { Engine } from '../runtime/index.js';

const NONE = {};

/** Returns the cookies that the pack reads, except expired ones and those that a browser wouldn't send to a real vendor. */
export function readCookies({ model, world }: Engine, req: Request): Readonly<Record<string, string>> {
  const { cookies, cors } = model.settings;
  const { cookie } = req.headers;
  if (cookie === undefined) return NONE;
  const isElsewhere = isFromElsewhere(req);
  const isLed = isElsewhere && isNavigation(req);
  const read: Record<string, string> = {};
  for (const [key, { name, maxAge, sameSite }] of cookies) {
    if (isElsewhere && cors?.credentials !== true && !(sameSite === 'none' || (sameSite === 'lax' && isLed))) continue;
    const value = cookieIn(cookie, name, maxAge === null ? null : world.nowMs);
    if (value !== undefined && value !== '') read[key] = value;
  }
  return read;
}

/**
 * Whether a page of another origin makes a call (Fetch Metadata, 2.1; else RFC 6454). Real vendors and applications are on
 * different sites, so another port of this machine counts as another site, although browsers send cookies from there.
 */
export function isFromElsewhere({ headers }: Request): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== 'null' && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/** Whether a person follows a link, as opposed to a script or form of a page. */
function isNavigation({ method, headers }: Request): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && (mode === undefined || mode === 'navigate') && destination !== 'iframe' && destination !== 'frame';
}
